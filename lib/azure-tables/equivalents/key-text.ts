import { AZURE_TABLES } from '../../blueprint/clouds';
import { counted } from '../../design/show';
import { KeyError } from '../../design/template';

/** The value of a DynamoDB key attribute. */
export type KeyValue = string | number | Uint8Array;

/**
 * Encodes a key's values as a string. The string is a legal Azure key, which `decodeKey` decodes. Encoded keys sort in
 * the same order as the lists of values that they encode. One string is a prefix of another if and only if it encodes
 * the same leading values, where its last value may be a prefix of the corresponding value. Throws a KeyError for
 * values that cannot be stored.
 *
 * A character that Azure refuses becomes the nearest smaller legal character plus a mark; that legal character itself
 * also gets a mark. `#`, which occurs in nearly every key, becomes the single character `!`.
 */
export function encodeKey(values: readonly KeyValue[]): string {
  const text = values.map(encodeValue).join(BETWEEN);
  if (text.length > AZURE_TABLES.keyLength) {
    throw new KeyError(
      show(values),
      `${show(values)} has ${text.length} characters, but an Azure key is limited to ${AZURE_TABLES.keyLength}; shorten the key`,
    );
  }
  return text;
}

/** Decodes a string from `encodeKey` into values of these types. */
export function decodeKey(text: string, types: readonly KeyType[]): readonly KeyValue[] {
  const values = valuesIn(text);
  if (values === undefined || values.length !== types.length) {
    throw new KeyError(text, `'${text}' is not an Azure key with ${counted(types.length, 'value')}`);
  }
  return values.map((value, i) => decodeValue(value, types[i] as KeyType));
}

export type KeyType = 'string' | 'number' | 'binary';

/**
 * Marks the end of a value. Sorts before every character of a value, so that a value sorts before all longer values
 * that begin with it.
 */
export const BETWEEN = '  ';

/** Sorts after the end of a value, and before all characters that could continue the value. */
export const AFTER = ' !';

const hex = (unit: number) => unit.toString(16).padStart(2, '0');
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The code for each escaped UTF-16 unit. The codes sort like the units, and no code is a prefix of another code. */
const CODES: ReadonlyMap<string, string> = new Map([
  ...range(0x00, 0x1f).map((unit) => [String.fromCharCode(unit), ` ${hex(unit)}`] as const),
  [' ', ' _'],
  ['!', ' e'],
  ['"', ' q'],
  ['#', '!'],
  ['.', '..'],
  ['/', '.s'],
  ['>', '>>'],
  ['?', '>q'],
  ['[', '[['],
  ['\\', '[b'],
  ['~', '~-'],
  ...range(0x7f, 0x9f).map((unit) => [String.fromCharCode(unit), `~${hex(unit)}`] as const),
]);
const UNITS: ReadonlyMap<string, string> = new Map(Array.from(CODES, ([unit, code]) => [code, unit]));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CODED = /[\u0000-#./>?[\\~-\u009f]/g;
/** Matches a code, the end of a value, or any other unit. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const WRITTEN = / {2}| [01][0-9a-f]| [_eq]|!|\.[.s]|>[>q]|\[[[b]|~-|~[789][0-9a-f]|[^\u0000-#./>?[\\~-\u009f]/gy;

function encodeValue(value: KeyValue): string {
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value !== 'string') return Array.from(value, hex).join('');
  if (!value.isWellFormed()) {
    throw new KeyError(show([value]), `${show([value])} contains a lone surrogate, which would be lost in storage`);
  }
  return value.replace(CODED, (unit) => CODES.get(unit) as string);
}

function valuesIn(text: string): readonly string[] | undefined {
  const values = [''];
  let length = 0;
  for (const [code] of text.matchAll(WRITTEN)) {
    length += code.length;
    if (code === BETWEEN) values.push('');
    else values[values.length - 1] += UNITS.get(code) ?? code;
  }
  return length === text.length ? values : undefined;
}

function decodeValue(text: string, type: KeyType): KeyValue {
  if (type === 'string') return text;
  if (!(type === 'number' ? /^[0-9a-f]{16}$/ : /^([0-9a-f]{2})*$/).test(text)) {
    throw new KeyError(text, `'${text}' is not an Azure key value of type ${type}`);
  }
  return type === 'number'
    ? decodeNumber(text)
    : Uint8Array.from(text.match(/../g) ?? [], (byte) => parseInt(byte, 16));
}

const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;

/** Encodes a double as the hex digits of its bits, flipped so that they sort in numeric order. */
function encodeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new KeyError(String(value), `a number in a key must be finite, got: ${value}`);
  const view = new DataView(new ArrayBuffer(8));
  // -0 and 0 are the same number.
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  return (bits & SIGN ? bits ^ ALL : bits | SIGN).toString(16).padStart(16, '0');
}

function decodeNumber(text: string): number {
  const turned = BigInt(`0x${text}`);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, turned & SIGN ? turned ^ SIGN : turned ^ ALL);
  return view.getFloat64(0);
}

function show(values: readonly KeyValue[]): string {
  const text = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value))).join(', ');
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
