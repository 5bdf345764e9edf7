import { isDeepStrictEqual } from 'node:util';

/** A value in DynamoDB's own format: its type and its content. */
export type Value = Readonly<Record<string, unknown>>;

export type Attributes = Readonly<Record<string, Value>>;

/** The input or output of an operation. */
export type Body = Readonly<Record<string, unknown>>;

export function typeOf(value: Value): string {
  for (const type in value) return type;
  return '';
}

/**
 * Returns the byte length of a key attribute's value: 0 for a number, and undefined for a type that a key cannot have.
 */
export function keyBytes(value: Value): number | undefined {
  if (typeof value.S === 'string') return Buffer.byteLength(value.S);
  if (typeof value.B === 'string') return Buffer.from(value.B, 'base64').length;
  return typeof value.N === 'string' ? 0 : undefined;
}

/** A decimal number: `0.<digits> × 10^<exponent>`. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

/** Parses a number in DynamoDB's notation. Returns undefined for any other string. */
export function decimalOf(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', power = '0'] =
    /^([+-]?)(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const all = whole + fraction;
  const leading = /^0*/.exec(all)?.[0].length as number;
  const digits = all.slice(leading).replace(/0+$/, '');
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  return { isNegative: sign === '-', digits, exponent: whole.length - leading + Number(power) };
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const sign = ({ isNegative, digits }: Decimal) => (digits === '' ? 0 : isNegative ? -1 : 1);
  if (sign(a) !== sign(b)) return sign(a) - sign(b);
  const magnitude = a.exponent - b.exponent || (a.digits < b.digits ? -1 : a.digits > b.digits ? 1 : 0);
  return sign(a) * magnitude;
}

/** Compares two values of the same ordered type: numbers by value, strings and binaries by their bytes. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a.N === 'string' && typeof b.N === 'string') {
    const [one, two] = [decimalOf(a.N), decimalOf(b.N)];
    return one === undefined || two === undefined ? 0 : compareDecimals(one, two);
  }
  const bytes = (value: Value) =>
    typeof value.S === 'string' ? Buffer.from(value.S) : Buffer.from(String(value.B), 'base64');
  return Buffer.compare(bytes(a), bytes(b));
}

export function isSameValue(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

export function hasDuplicates(texts: readonly string[]): boolean {
  return new Set(texts).size < texts.length;
}
