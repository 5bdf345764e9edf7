import { isTransformed } from './contents';
import { bare, checksOf, defOf, isPlainString, listedValues, parsedBy, type Schema, schemaAt } from './schema';

const transformed = new WeakMap<Schema, boolean>();

/** Whether an attribute can be rendered as a given text in a key; undefined if the schema leaves this open. */
export function canBeText(attributes: object, path: readonly string[], text: string): boolean | undefined {
  const at = schemaAt(attributes as Schema, path);
  return at ? accepts(at, text) : undefined;
}

/**
 * Returns how a schema deliberately allows an empty string: as a default, in a list of values, or through a pattern.
 * Returns undefined if the schema does not deliberately allow an empty string.
 */
export function emptyTextAt(attributes: object, path: readonly string[]): 'default' | 'listed' | 'pattern' | undefined {
  const at = schemaAt(attributes as Schema, path);
  return at ? emptiness(at) : undefined;
}

function emptiness(at: Schema): ReturnType<typeof emptyTextAt> {
  if (isPlainString(at)) return undefined;
  const missing = parsedBy(at, undefined);
  if (missing?.success && missing.data === '') return 'default';
  if (accepts(at, '') !== true) return undefined;
  const def = defOf(bare(at));
  if (listedValues(def) !== undefined) return 'listed';
  const [option] = (def.options ?? []).flatMap((one) => emptiness(one) ?? []);
  if (option !== undefined) return option;
  return checksOf(def).some(({ format }) => format === 'regex') ? 'pattern' : undefined;
}

/**
 * Whether the padded form of a number can equal a given text in a key; undefined if the schema does not decide this.
 */
export function canBePadded(
  attributes: object,
  path: readonly string[],
  width: number,
  text: string,
): boolean | undefined {
  if (text.length !== width || !/^\d+$/.test(text)) return false;
  const at = schemaAt(attributes as Schema, path);
  return at && !changes(at) ? isKept(at, Number(text), Number(text)) : undefined;
}

/**
 * Whether a schema accepts a string unchanged. A string that the schema changes is never stored in its original form.
 */
export function accepts(schema: Schema, text: string): boolean | undefined {
  if (isPlainString(schema)) return true;
  // If a transform changes the value, only the schema after the transform determines what is stored.
  const stored = changes(schema) ? bare(schema) : schema;
  if (changes(stored)) return undefined;
  const answers = [text, ...numbersWritten(text)].map((value) => isKept(stored, value, text));
  return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
}

function isKept(schema: Schema, value: unknown, text: string | number): boolean | undefined {
  const parsed = parsedBy(schema, value);
  return parsed?.success && String(parsed.data) === String(text);
}

/** Returns the numbers that a key renders as `text`. */
function numbersWritten(text: string): readonly (number | bigint)[] {
  const number = Number(text);
  const whole = /^(0|-?[1-9]\d*)$/.test(text) ? [BigInt(text)] : [];
  return String(number) === text && Number.isFinite(number) ? [number, ...whole] : whole;
}

function changes(schema: Schema): boolean {
  const known = transformed.get(schema) ?? isTransformed(schema);
  transformed.set(schema, known);
  return known;
}
