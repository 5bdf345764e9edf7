import { attributeAt, attributeNames } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, keyOf } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import { isIdOf } from '../../blueprint/words';
import type { TableRule } from '../finding';
import { atKey } from '../places';

const causes = {
  'one-item': 'an entity with an id of its own has a primary key that is always the same',
} as const;

type Cause = keyof typeof causes;

export const constantKey: TableRule<'constant-key', Cause> = {
  id: 'constant-key',
  severity: 'warning',
  why: 'If nothing in the primary key differs, there is only one item: a second one overwrites the first or is refused.',
  causes,
  *check({ plan }) {
    for (const entity of plan.entities) {
      const sources = keyOf(plan.key).flatMap(({ name }) => entity.keys.get(name) ?? []);
      const last = sources.at(-1);
      const isOne = sources.every(({ template }) => !hasParts(template) && template.faults.length === 0);
      // Parts written as in JavaScript are a finding of their own.
      if (last === undefined || !isOne || sources.some(({ template }) => template.text.includes('${'))) continue;
      const id = ownId(
        entity,
        sources.flatMap(({ template }) => template.text.split(plan.separator)),
      );
      if (id === undefined) continue;
      const proposed = `${last.template.text}${plan.separator}<${id}>`;
      yield {
        ...atKey(last, { part: id, proposed }),
        cause: 'one-item',
        message: `every ${entity.name} has the same primary key, whatever its ${id}: there is never more than one`,
        fix: `put the id into the key: '${proposed}'`,
      };
    }
  },
};

/**
 * The attribute that identifies an item, by the name of the entity or the words of its key. A single item, such as settings,
 * has none, or one that is always the same.
 */
function ownId({ name, design }: EntityBlueprint, words: readonly string[]): string | undefined {
  return attributeNames(design.attributes).find(
    (attribute) =>
      [name, ...words].some((thing) => isIdOf(thing, attribute)) &&
      attributeAt(design.attributes, [attribute])?.values === undefined,
  );
}
