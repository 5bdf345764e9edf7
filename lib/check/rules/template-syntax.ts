import { faultText } from '../../blueprint/template-parts';
import { type Template, type TemplateFault, template } from '../../design/template';
import type { Found, Place, TableRule } from '../findings/finding';
import { atAccess, atEntity, atWhere } from '../findings/place';
import { fieldsOf, textsIn } from '../requests/fields';
import { boundsOf, type PatternAccess } from '../table-under-check';

const causes = {
  empty: 'a key template is empty',
  unopened: "a '>' has no '<' before it",
  unclosed: "a '<' has no '>' after it",
  name: 'a part is not a valid attribute name',
  format: 'a part has a format that does not exist',
} as const satisfies Record<TemplateFault['cause'], string>;

type Cause = keyof typeof causes;

export const templateSyntax: TableRule<'template-syntax', Cause> = {
  id: 'template-syntax',
  severity: 'error',
  why: 'Tablewright cannot build a key from a template that it cannot parse.',
  causes,
  check: ({ entities, accesses }) => [
    ...entities.flatMap(({ name, design: { keys = {}, computed = {} } }) => [
      ...Object.keys(keys)
        .filter((key) => template(keys[key] as string).faults.length > 0)
        .flatMap((key) => faultsOf(atEntity(name, 'keys', key), template(keys[key] as string))),
      ...Object.entries(computed).flatMap(([attribute, made]) =>
        (typeof made === 'string' ? [made] : made.sorted).flatMap((text) =>
          faultsOf(atEntity(name, 'computed', attribute), template(text)),
        ),
      ),
    ]),
    ...accesses.flatMap(inAccess),
  ],
};

function inAccess(access: PatternAccess): readonly Found<Cause>[] {
  const keys = boundsOf(access)
    .filter(([, { faults }]) => faults.length > 0)
    .flatMap(([attribute, bound]) => faultsOf(atWhere(access, attribute), bound));
  const values = fieldsOf(access.step).flatMap(([field, attribute, value, place]) =>
    textsIn(value)
      // Outside a key, an empty string is an ordinary value.
      .filter((text) => text !== '')
      .flatMap((text) => faultsOf(atAccess(access, field, place, { attribute }), template(text))),
  );
  return values.length === 0 ? keys : [...keys, ...values];
}

function faultsOf(place: Place, { text, faults }: Template): readonly Found<Cause>[] {
  const fix = `write literal text and attributes, such as 'POST#<postId>'`;
  // Reports each distinct fault once.
  const distinct = new Map(faults.map((fault) => [faultText(fault), fault.cause]));
  return Array.from(distinct, ([message, cause]) => ({ ...place, cause, message: `'${text}': ${message}`, fix }));
}
