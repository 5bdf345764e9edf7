import { type Template, template } from '../../design/template';
import type { Found, Rule } from '../finding';
import { fieldsOf, stepOf, textsIn } from '../step';
import { boundsOf, type PatternAccess } from '../subject';

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
    ...accesses.flatMap(inAccess),
  ],
};

function inAccess(access: PatternAccess): readonly Found[] {
  const keys = boundsOf(access)
    .filter(([, { faults }]) => faults.length > 0)
    .flatMap(([attribute, bound]) => faultsOf(`${access.wherePath}.${attribute}`, bound));
  const values = fieldsOf(stepOf(access)).flatMap(([place, , value]) =>
    textsIn(value)
      // An empty text is a value like any other, and none of a key.
      .filter((text) => text !== '')
      .flatMap((text) => faultsOf(`${access.path}.${place}`, template(text))),
  );
  return values.length === 0 ? keys : [...keys, ...values];
}

function faultsOf(path: string, { text, faults }: Template): readonly Found[] {
  const fix = `write literal text and attributes, such as 'POST#<postId>'`;
  return faults.map((fault) => ({ path, message: `'${text}': ${fault}`, fix }));
}
