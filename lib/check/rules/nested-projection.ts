import type { TableRule } from '../findings/finding';
import { atIndex } from '../findings/place';

const causes = {
  'inside-map': 'an index projects an attribute inside a map',
} as const;

type Cause = keyof typeof causes;

export const nestedProjection: TableRule<'nested-projection', Cause> = {
  id: 'nested-projection',
  severity: 'error',
  why: 'DynamoDB projects only top-level attributes, and reads a.b as the name of a top-level attribute.',
  causes,
  *check(table) {
    for (const { name, projection } of table.indexes) {
      if (typeof projection === 'string') continue;
      for (const attribute of projection.filter((attribute) => attribute.includes('.'))) {
        const [proposed] = attribute.split('.');
        yield {
          ...atIndex(name, 'projection', { attribute, proposed }),
          cause: 'inside-map',
          message: `'${attribute}' is inside a map, but an index projects only top-level attributes`,
          fix: `project '${proposed}'`,
          edits: [{ path: atIndex(name, 'projection').path, replace: [`'${attribute}'`, `'${proposed}'`] }],
        };
      }
    }
  },
};
