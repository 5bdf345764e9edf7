/** Sizes and units as DynamoDB calculates them, for values in the format of the document client. */

type Value = unknown;

/** Returns the size of a whole item in bytes: its attribute names in UTF-8, and their values. */
export function itemBytes(item: Readonly<Record<string, Value>>): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => (value === undefined ? sum : sum + Buffer.byteLength(name) + valueBytes(value)),
    0,
  );
}

/** Returns the size of one value in bytes, without its name. */
export function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number' || typeof value === 'bigint') return numberBytes(String(value));
  if (value === null || typeof value === 'boolean') return 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (value instanceof Set) return [...value].reduce<number>((sum, member) => sum + valueBytes(member), 0);
  // A list or a map takes three bytes, plus one byte for each member.
  if (Array.isArray(value)) return 3 + value.reduce<number>((sum, member) => sum + 1 + valueBytes(member), 0);
  if (typeof value !== 'object') return 0;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return members.reduce((sum, [name, member]) => sum + 1 + Buffer.byteLength(name) + valueBytes(member), 3);
}

/**
 * Returns the size of a number: one byte, plus one byte for each pair of digits (counted from the decimal point), plus
 * one byte if the number is negative. Leading and trailing pairs of zeros take no bytes.
 */
function numberBytes(text: string): number {
  const [, sign = '', digits = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/i.exec(text) ?? [];
  const point = digits.length + Number(exponent);
  const all = digits + fraction;
  const first = all.search(/[1-9]/);
  if (first === -1) return 1;
  const pairOf = (position: number) => Math.floor((point - position - 1) / 2);
  return 2 + sign.length + pairOf(first) - pairOf(all.replace(/0+$/, '').length - 1);
}

/**
 * Returns the write units for an item of the given size. For an update, pass the larger of the item's sizes before and
 * after it.
 */
export function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / 1024));
}

/** Returns the read units for a read of the given size. An eventually consistent read takes half as many units. */
export function readUnits(bytes: number, consistent: boolean): number {
  return Math.max(1, Math.ceil(bytes / 4096)) * (consistent ? 1 : 0.5);
}
