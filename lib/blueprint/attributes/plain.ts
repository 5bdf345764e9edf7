import { defOf, type Schema } from './schema';

const PLAIN: ReadonlySet<string> = new Set(
  'string number int boolean enum literal template_literal null undefined any unknown'.split(' '),
);

/** Whether a table stores the values of a schema and returns them unchanged. */
export function isPlain(schema: Schema): boolean {
  const { type, coerce, innerType, values } = defOf(schema);
  if (innerType !== undefined) return (type === 'optional' || type === 'nullable') && isPlain(innerType);
  // A literal may also be a bigint, which is not plain.
  return isPlainType(type) && coerce !== true && values?.some((value) => typeof value === 'bigint') !== true;
}

export function isPlainType(type: string): boolean {
  return PLAIN.has(type);
}
