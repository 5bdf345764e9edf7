import { template } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { TableUnderCheck } from '../subject';

export const templateSyntax: Rule = {
  id: 'template-syntax',
  severity: 'error',
  why: 'A key that cannot be read cannot be written.',
  *check({ design, accesses }: TableUnderCheck) {
    for (const [name, entity] of Object.entries(design.entities)) {
      for (const [key, text] of Object.entries(entity.keys ?? {}))
        yield* faultsOf(`entities.${name}.keys.${key}`, text);
    }
    for (const { action, partition, range, wherePath, key } of accesses) {
      if (action === 'put') continue;
      if (partition !== undefined) yield* faultsOf(`${wherePath}.${key.partition.name}`, partition.text);
      const bounds = range.kind === 'all' ? [] : range.kind === 'between' ? [range.from, range.to] : [range.at];
      for (const { text } of bounds) yield* faultsOf(`${wherePath}.${key.sort?.name}`, text);
    }
  },
};

function* faultsOf(path: string, text: string): Iterable<Found> {
  for (const fault of template(text).faults) {
    yield { path, message: `'${text}': ${fault}`, fix: `write literal text and attributes, such as 'POST#<postId>'` };
  }
}
