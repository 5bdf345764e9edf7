import { template } from '../../design/template';
import type { Rule } from '../finding';

export const templateSyntax: Rule = {
  id: 'template-syntax',
  severity: 'error',
  why: 'A key that cannot be read cannot be written.',
  *check({ design }) {
    for (const [name, entity] of Object.entries(design.entities)) {
      for (const [key, text] of Object.entries(entity.keys ?? {})) {
        for (const fault of template(text).faults) {
          yield {
            path: `entities.${name}.keys.${key}`,
            message: `'${text}': ${fault}`,
            fix: `write literal text and attributes, such as 'POST#<postId>'`,
          };
        }
      }
    }
  },
};
