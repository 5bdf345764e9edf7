import { bare, defOf, kindOf, parsedBy, type Schema } from './schema';

/**
 * Returns a second value that the schema accepts and that becomes the same text in a key: '1' for 1, or 1 for 1n.
 * Callers refuse a value that has such a twin. A string never has a twin here, so that exactly one of the values with
 * the same text stays usable: the string, or else the number.
 */
export function twinOf(schema: Schema | null, value: unknown): string | number | undefined {
  if ((typeof value !== 'number' && typeof value !== 'bigint') || (schema && isOneKind(schema))) return undefined;
  const text = String(value);
  // If the schema of a key part is unknown, the part may also accept the text.
  if (schema === null) return text;
  for (const given of [text, Number(text), ...(/^-?\d+$/.test(text) ? [BigInt(text)] : [])]) {
    const parsed = parsedBy(schema, given);
    const twin = parsed?.success ? parsed.data : undefined;
    if (typeof twin === 'string' || (typeof twin === 'number' && typeof value === 'bigint'))
      if (String(twin) === text) return twin;
  }
  return undefined;
}

/** Whether all values of a schema are strings, all are numbers, or all are bigints, as in most schemas. */
export function isOneKind(schema: Schema): boolean {
  const { type } = defOf(bare(schema));
  return /^(number|int|bigint)$/.test(type) || kindOf(schema) === 'string';
}
