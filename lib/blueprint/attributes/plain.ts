import { defOf, type Schema } from './schema';

const PLAIN: ReadonlySet<string> = new Set(
  'string number int boolean enum literal template_literal null undefined any unknown'.split(' '),
);

/** Whether a schema is of a type whose values a table holds and gives back as they are. */
export function isPlain(schema: Schema): boolean {
  const { type, coerce, innerType } = defOf(schema);
  if (innerType !== undefined) return (type === 'optional' || type === 'nullable') && isPlain(innerType);
  return isPlainType(type) && coerce !== true;
}

export function isPlainType(type: string): boolean {
  return PLAIN.has(type);
}

/** Whether it is plain, and nothing is said of how long its texts are. */
export function isPlainAndShort(schema: Schema): boolean {
  if (!isPlain(schema)) return false;
  const { type, checks, innerType } = defOf(schema);
  if (innerType !== undefined) return isPlainAndShort(innerType);
  return type !== 'string' || checks === undefined || checks.length === 0;
}
