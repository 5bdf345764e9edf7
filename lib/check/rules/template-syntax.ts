import { type Template, template } from '../../design/template';
import type { Found, Rule } from '../finding';
import type { PatternAccess } from '../subject';
import { boundsOf } from '../subject';

export const templateSyntax: Rule = {
  id: 'template-syntax',
  severity: 'error',
  why: 'A key that cannot be read cannot be written.',
  check: ({ design, accesses }) => [
    ...Object.entries(design.entities).flatMap(([name, { keys = {} }]) =>
      Object.keys(keys)
        .filter((key) => template(keys[key] as string).faults.length > 0)
        .flatMap((key) => faultsOf(`entities.${name}.keys.${key}`, template(keys[key] as string))),
    ),
    ...accesses.filter(({ action }) => action !== 'put').flatMap(inAccess),
  ],
};

function inAccess(access: PatternAccess): readonly Found[] {
  return boundsOf(access)
    .filter(([, { faults }]) => faults.length > 0)
    .flatMap(([attribute, bound]) => faultsOf(`${access.wherePath}.${attribute}`, bound));
}

function faultsOf(path: string, { text, faults }: Template): readonly Found[] {
  const fix = `write literal text and attributes, such as 'POST#<postId>'`;
  return faults.map((fault) => ({ path, message: `'${text}': ${fault}`, fix }));
}
