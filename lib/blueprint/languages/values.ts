import type { AttributeFacts } from '../attributes/facts';
import {
  ANY,
  allBut,
  type Characters,
  DIGIT,
  either,
  intersection,
  LAST_CODE_POINT,
  many,
  nothing,
  one,
  only,
  type Piece,
  range,
  sequence,
  text,
  times,
  union,
} from './language';
import { oneOf } from './listed';
import { matchesOf } from './regular-expressions';

/** The properties of a key that determine which characters its values can contain. */
export interface ValueSpace {
  readonly separator: string;
  /** Whether the value is a natural key, which may contain the separator. */
  readonly natural?: boolean;
}

/** Returns a piece that accepts every string that can represent an attribute in a key. */
export function valuesOf(facts: AttributeFacts | undefined, space: ValueSpace): Piece {
  return valued(facts, space) ?? many(space.natural ? ANY : inKeys(space.separator));
}

/**
 * Returns the characters that a value can contain. Ignores a multi-character separator, which a separate rule reports.
 */
export function inKeys(separator: string): Characters {
  return Array.from(separator).length === 1 ? allBut(separator) : ANY;
}

const HEX = union(DIGIT, range('A', 'F'), range('a', 'f'));
const year = times(4, DIGIT);
const twoDigits = (tens: Characters, ones: Characters) => sequence([one(tens), one(ones)]);
const NOT_ZERO = range('1', '9');
const month = either(twoDigits(only('0'), NOT_ZERO), twoDigits(only('1'), range('0', '2')));
const day = either(
  twoDigits(only('0'), NOT_ZERO),
  twoDigits(range('1', '2'), DIGIT),
  twoDigits(only('3'), range('0', '1')),
);
const date = sequence([year, text('-'), month, text('-'), day]);
const clock = sequence([times(2, DIGIT), text(':'), times(2, DIGIT)]);

const hour = either(twoDigits(range('0', '1'), DIGIT), twoDigits(only('2'), range('0', '3')));

export const PIECES_OF_TIME = { date, year, month, day, hour } as const;

const minute = twoDigits(range('0', '5'), DIGIT);
const toHour = sequence([date, text('T'), hour]);
const toMinute = sequence([toHour, text(':'), minute]);

/** The formats of buckets' start times, keyed by their length in characters. */
export const BUCKETS = { 10: date, 13: toHour, 16: toMinute, 19: sequence([toMinute, text(':'), minute]) } as const;

/**
 * Returns a piece for the strings that the schema of a value allows; undefined if the schema does not restrict the
 * value in a way that distinguishes keys.
 */
function valued(facts: AttributeFacts | undefined, { separator, natural }: ValueSpace): Piece | undefined {
  if (facts === undefined) return undefined;
  if (facts.values !== undefined) return listed(facts.values, natural ? undefined : separator);
  if (facts.kind === 'number') return facts.integer ? whole(facts) : number;
  if (facts.format === 'datetime') return timestamp(facts);
  if (facts.format === 'date') return date;
  if (facts.format === 'uuid' || facts.format === 'guid') return uuid;
  if (facts.format === 'ulid') return ulid;
  return textual(facts, natural ? ANY : inKeys(separator));
}

/**
 * Describes a string by only one of its restrictions (a pattern, the prefix or the length), because a single
 * restriction rules out enough strings.
 */
function textual(
  { kind, patterns = [], prefix, minimum, maximum, lacks }: AttributeFacts,
  plainly: Characters,
): Piece | undefined {
  const legal = lacks === undefined ? plainly : intersection(plainly, lacks === 'upper' ? NOT_UPPER : NOT_LOWER);
  for (const [source, flags] of patterns) {
    const piece = matchesOf(source, flags, legal);
    if (piece !== undefined) return piece;
  }
  if (prefix !== undefined) return prefixed(prefix, legal);
  if (kind !== 'string') return undefined;
  if ((maximum ?? Infinity) <= LONG) return between(Math.max(minimum ?? 1, 1), maximum as number, legal);
  if ((minimum ?? 0) > 1) return sequence([times(Math.min(minimum as number, LONG) - 1, legal), many(legal)]);
  return legal === plainly ? undefined : many(legal);
}

/** A string whose maximum length exceeds this number is treated as unbounded. */
const LONG = 64;

export const NOT_UPPER: Characters = [
  [0, 0x40],
  [0x5b, LAST_CODE_POINT],
];
export const NOT_LOWER: Characters = [
  [0, 0x60],
  [0x7b, LAST_CODE_POINT],
];

/** Accepts strings of `least` to `most` characters. A character above U+FFFF may count as two characters. */
function between(least: number, most: number, characters: Characters): Piece {
  const shortest = Math.max(1, Math.ceil(least / 2));
  const [needed, beyond] =
    intersection(characters, ASTRAL).length === 0 ? [least, most - least] : [shortest, most - shortest];
  let rest: Piece = nothing;
  for (let i = 0; i < beyond; i++) {
    const before = rest;
    rest = either(nothing, sequence([one(characters), before]));
  }
  return sequence([times(needed, characters), rest]);
}

/** The characters that some versions of zod count as two. */
const ASTRAL: Characters = [[0x10000, LAST_CODE_POINT]];

const lists = new WeakMap<readonly unknown[], Map<string | undefined, Piece>>();

/**
 * Accepts the listed values that a key can contain. The piece for a list is built only once, even if many keys use the
 * list.
 */
function listed(values: readonly (string | number)[], separator: string | undefined): Piece {
  const known = lists.get(values) ?? new Map<string | undefined, Piece>();
  lists.set(values, known);
  const isLegal = (value: string) => value !== '' && (separator === undefined || !value.includes(separator));
  const piece = known.get(separator) ?? oneOf(values.map(String).filter(isLegal));
  known.set(separator, piece);
  return piece;
}

/** Accepts every string that begins with a prefix, including the prefix alone. */
function prefixed(prefix: string, rest: Characters): Piece {
  return sequence([text(prefix), either(nothing, many(rest))]);
}

const number: Piece = sequence([
  either(text('-'), nothing),
  many(DIGIT),
  either(nothing, sequence([text('.'), many(DIGIT)])),
  either(nothing, sequence([text('e'), one(union(only('+'), only('-'))), many(DIGIT)])),
]);

/** Accepts whole numbers. If both bounds have the same width, so do all numbers between them. */
function whole({ minimum, maximum }: AttributeFacts): Piece {
  // A bound does not determine the width if it is missing, fractional or too large for an exact integer.
  const widthOf = (bound?: number) => (Number.isSafeInteger(bound) ? String(bound).length : undefined);
  const width = widthOf(minimum);
  if ((minimum ?? -1) < 0) return sequence([either(text('-'), nothing), many(DIGIT)]);
  return width !== undefined && width === widthOf(maximum) ? times(width, DIGIT) : many(DIGIT);
}

function timestamp({ precision, zoned }: AttributeFacts): Piece {
  const others = zoned === 'utc' ? [text('+00:00')] : [nothing, sequence([one(union(only('+'), only('-'))), clock])];
  const zone = either(text('Z'), ...(zoned ? others : []));
  return sequence([date, text('T'), clock, seconds(precision), zone]);
}

/**
 * Accepts the seconds of a timestamp. As in zod, a precision of -1 means no seconds, and without a precision, seconds
 * and fractions are optional.
 */
function seconds(precision: number | undefined): Piece {
  const whole = sequence([text(':'), times(2, DIGIT)]);
  if (precision === undefined)
    return either(nothing, sequence([whole, either(nothing, sequence([text('.'), many(DIGIT)]))]));
  if (precision < 0) return nothing;
  return precision === 0 ? whole : sequence([whole, text('.'), times(precision, DIGIT)]);
}

/**
 * A ULID consists of digits, and of letters except I, L, O and U. The first character is at most 7, because a greater
 * character would overflow the 48-bit timestamp.
 */
const ulid: Piece = sequence([
  one(range('0', '7')),
  times(
    25,
    union(
      DIGIT,
      ...['AH', 'JK', 'MN', 'PT', 'VZ', 'ah', 'jk', 'mn', 'pt', 'vz'].map(([from, to]) =>
        range(from as string, to as string),
      ),
    ),
  ),
]);

const uuid: Piece = sequence(
  [8, 4, 4, 4, 12].flatMap((count, i) => (i === 0 ? [times(count, HEX)] : [text('-'), times(count, HEX)])),
);
