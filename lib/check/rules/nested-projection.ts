import type { Rule } from '../finding';

export const nestedProjection: Rule = {
  id: 'nested-projection',
  severity: 'error',
  why: 'DynamoDB projects top-level attributes only, and takes a.b for the name of one.',
  *check({ plan }) {
    for (const { name, projection } of plan.indexes) {
      if (typeof projection === 'string') continue;
      for (const attribute of projection.filter((attribute) => attribute.includes('.'))) {
        yield {
          path: `indexes.${name}.projection`,
          message: `'${attribute}' is inside a map, and the index would look for an attribute of just that name`,
          fix: `project '${attribute.split('.')[0]}'`,
        };
      }
    }
  },
};
