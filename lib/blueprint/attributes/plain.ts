import { defOf, type Schema } from './schema';

const PLAIN: ReadonlySet<string> = new Set(
  'string number int boolean enum literal template_literal null undefined any unknown'.split(' '),
);

/** Whether a table stores the values of a schema and gives them back as they are. */
export function isPlain(schema: Schema): boolean {
  const { type, coerce, innerType, values } = defOf(schema);
  if (innerType !== undefined) return (type === 'optional' || type === 'nullable') && isPlain(innerType);
  // A literal may be a bigint, too.
  return isPlainType(type) && coerce !== true && values?.some((value) => typeof value === 'bigint') !== true;
}

export function isPlainType(type: string): boolean {
  return PLAIN.has(type);
}

/** Whether a schema is plain, and says nothing about the length of its texts. */
export function isPlainAndShort(schema: Schema): boolean {
  if (!isPlain(schema)) return false;
  const { type, checks, innerType } = defOf(schema);
  if (innerType !== undefined) return isPlainAndShort(innerType);
  return type !== 'string' || checks === undefined || checks.length === 0;
}

/** Whether a schema is plain, and accepts every value of its type. */
export function isUntested(schema: Schema): boolean {
  if (!isPlain(schema)) return false;
  const { checks, innerType, entries, values } = defOf(schema);
  if (innerType !== undefined) return isUntested(innerType);
  return (checks?.length ?? 0) === 0 && values?.length !== 0 && (entries === undefined || !isEmpty(entries));
}

function isEmpty(entries: object): boolean {
  for (const _ in entries) return false;
  return true;
}
