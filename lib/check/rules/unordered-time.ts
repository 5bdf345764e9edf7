import type { KeyBlueprint } from '../../blueprint/table';
import { attributeAt } from '../../design/schema';
import type { Rule } from '../finding';

export const unorderedTime: Rule = {
  id: 'unordered-time',
  severity: 'warning',
  why: 'Keys are compared as text, in which 10:00+02:00 comes after 09:00Z although it is earlier.',
  *check({ plan }) {
    const sortKeys = new Set(
      [plan.key, ...plan.indexes].flatMap(({ sort }: KeyBlueprint) => (sort ? [sort.name] : [])),
    );
    for (const { name, design, keys } of plan.entities) {
      for (const [attribute, { template, natural }] of keys) {
        if (!sortKeys.has(attribute)) continue;
        for (const hole of template.holes) {
          const facts = attributeAt(design.attributes, hole.path);
          // A piece of a time has no zone.
          if (facts?.format !== 'datetime' || facts.zoned !== true || hole.format !== undefined) continue;
          yield {
            path: `entities.${name}.${natural ? 'attributes' : 'keys'}.${attribute}`,
            message: `'${template.text}': <${hole.name}> may be in any zone, and then does not sort as text`,
            fix: `keep it in UTC: ${hole.path.at(-1)}: z.iso.datetime({ precision: 3 })`,
          };
        }
      }
    }
  },
};
