import { type Part, type PartValue, refusal, renderPadded, type Template, textOf } from './template';

/**
 * The code for formats that few designs use. Code that needs these formats registers them with `useFormats`, so that
 * other bundles do not contain them.
 */
export interface Formats {
  /** The number of characters that a part takes; undefined if it depends on the value. */
  width(part: Part): number | undefined;
  render(template: Template, part: Part, value: unknown, separator: string): string;
  /**
   * Decodes the text of an `encoded` part, and returns any other part's text unchanged. Returns undefined if no value
   * renders to this text.
   */
  read(part: Part, text: string, separator: string): PartValue | undefined;
}

/** The code for `<n:down:4>`, `<shard(a, 16)>`, `<t:bucket(15m)>` and `<a:encoded>`. */
export const formats: Formats = {
  width(part) {
    const shards = shardsOf(part);
    const [, down, bucket] = /^(?:down:(.*)|bucket.*(.)\))$/.exec(`${part.format}`) ?? [];
    if (shards !== undefined) return String(shards - 1).length;
    return down === undefined ? UNITS[bucket as keyof typeof UNITS]?.width : Number(down);
  },
  render(template, part, value, separator) {
    const bucket = bucketOf(part);
    const shards = shardsOf(part);
    const width = formats.width(part) ?? 0;
    if (bucket !== undefined) return renderBucket(template, part, bucket, value);
    if (shards !== undefined) return String(renderShard(template, part, shards, value)).padStart(width, '0');
    // The largest number of this width, minus the given number.
    if (width > 0) return renderPadded(template, part, width, value).replace(/./g, (digit) => `${9 - Number(digit)}`);
    return encoded(value === '' ? value : textOf(template, part, value), separator);
  },
  read(part, text, separator) {
    const bucket = bucketOf(part);
    if (bucket !== undefined) return text.length === bucket.width && TIME.test(text) ? text : undefined;
    const width = formats.width(part);
    if (width === undefined) return decoded(text, separator);
    const isNumber = text.length === width && /^\d+$/.test(text);
    return isNumber && Number(text) < (shardsOf(part) ?? Infinity) ? text : undefined;
  },
};

/** Returns the number of shards over which a part spreads its values, or undefined for a part without shards. */
export function shardsOf({ format }: Pick<Part, 'format'>): number | undefined {
  return Number(/^(?:shard|every):(.*)/.exec(`${format}`)?.[1]) || undefined;
}

/** The shard of a value: 32-bit FNV-1a of its UTF-8 bytes, folded to 16 bits, modulo the number of shards. */
export function shardOf(value: string, shards: number): number {
  const hash = fnv1a(value);
  return ((hash >>> 16) ^ (hash & 0xffff)) % shards;
}

export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function renderShard(template: Template, part: Part, shards: number, value: unknown): number {
  if (part.format === `every:${shards}`) {
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) < shards) return value as number;
    throw refusal(template, part, value, `pass a number from 0 to ${shards - 1}, or use a client`);
  }
  return shardOf(textOf(template, part, value), shards);
}

/**
 * For each unit of a bucket's length: how many characters of a timestamp identify the start of a bucket, and the unit's
 * length in milliseconds.
 */
const UNITS = {
  s: { width: 19, length: 1000 },
  m: { width: 16, length: 60_000 },
  h: { width: 13, length: 3_600_000 },
  d: { width: 10, length: 86_400_000 },
};

interface Bucket {
  readonly width: number;
  /** In milliseconds. */
  readonly length: number;
}

/** A date, or a timestamp that is precise to the hour, minute or second, without fractions. */
const TIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3])(:[0-5]\d){0,2})?$/;

function bucketOf({ format }: Part): Bucket | undefined {
  const [, count, unit] = /^bucket\((\d+)(.)\)$/.exec(`${format}`) ?? [];
  if (count === undefined) return undefined;
  const { width, length } = UNITS[unit as keyof typeof UNITS];
  return { width, length: Number(count) * length };
}

function renderBucket(template: Template, part: Part, bucket: Bucket, value: unknown): string {
  const start = typeof value === 'string' ? startOf(bucket, value) : undefined;
  if (start !== undefined) return start;
  throw refusal(template, part, value, 'give an ISO timestamp (2026-01-31T12:00:00Z)');
}

/**
 * Returns the start of the bucket that contains a timestamp, in the timestamp's time zone. Buckets are aligned to the
 * start of 1970, so a 15-minute bucket starts on a quarter hour.
 */
function startOf({ width, length }: Bucket, time: string): string | undefined {
  const clock = time.replace(/(:\d\d)([.Z+-].*)$/, '$1');
  if (!TIME.test(clock)) return undefined;
  const at = Date.parse(`${clock}${'0000-00-00T00:00:00Z'.slice(clock.length)}`);
  const start = new Date(Math.floor(at / length) * length);
  return start.getUTCFullYear() >= 0 ? start.toISOString().slice(0, width) : undefined;
}

/**
 * Encodes any string so that a key can contain it on either cloud. A character that either cloud forbids in keys is
 * replaced by the nearest allowed character that sorts before it, followed by a mark. Where that allowed character
 * itself occurs in the string, it is also followed by a mark, so that strings keep their order and shared prefixes.
 * Only control characters, the empty string and lone surrogates lose their place: they sort right after the space.
 */
function encoded(text: string, separator: string): string {
  const { codes, marks, empty, half } = codeFor(separator);
  const written = Array.from(text, (character) => {
    const unit = character.charCodeAt(0);
    if (character.isWellFormed()) return codes.get(character) ?? character;
    return half + [12, 8, 4, 0].map((bits) => marks[(unit >> bits) & 15]).join('');
  });
  return written.join('') || empty;
}

/** Decodes a string that `encoded` produced. Returns undefined for any other string. */
function decoded(text: string, separator: string): string | undefined {
  const { texts, marks, empty, half } = codeFor(separator);
  const characters = Array.from(text);
  let value = '';
  for (let i = 0; i < characters.length && text !== empty; i++) {
    const [character = '', mark = ''] = characters.slice(i);
    const code = character + mark;
    if (code === half) {
      const digits = characters.slice(i + 2, i + 6).map((digit) => marks.indexOf(digit));
      value += String.fromCharCode(digits.reduce((unit, digit) => unit * 16 + digit, 0));
      i += 5;
    } else {
      value += texts.get(code) ?? character;
      if (texts.has(code)) i++;
    }
  }
  return encoded(value, separator) === text ? value : undefined;
}

/** The encoding of characters that a key must not contain, for tables with a given separator. */
interface Code {
  /** The code of each escaped character. */
  readonly codes: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
  /** The characters that can follow an allowed character in a code, in sort order. */
  readonly marks: string;
  readonly empty: string;
  /** The beginning of the code for a lone surrogate; four marks follow. */
  readonly half: string;
}

const codesMade = new Map<string, Code>();

function codeFor(separator: string): Code {
  let code = codesMade.get(separator);
  if (code === undefined) {
    code = makeCode(separator.codePointAt(0) ?? -1);
    codesMade.set(separator, code);
  }
  return code;
}

function makeCode(separator: number): Code {
  const isControl = (point: number) => point < 0x20 || (point >= 0x7f && point <= 0x9f);
  const isSurrogate = (point: number) => point >= 0xd800 && point <= 0xdfff;
  const isIllegal = (point: number) => point === separator || isControl(point) || '#/?\\'.includes(at(point));
  const marks = MARKS.replace(at(separator), '');
  const first = separator === 0x21 ? '"' : '!';
  const homeOf = (point: number) => {
    let home = point;
    while (home >= 0x20 && (isIllegal(home) || isSurrogate(home))) home--;
    return home < 0x20 ? first : at(home);
  };
  const illegal = [...Array(0xa0).keys(), ...(separator > 0x9f ? [separator] : [])].filter(isIllegal);
  const homes = new Map([[first, [first]]]);
  for (const point of illegal) {
    const home = homeOf(point);
    homes.set(home, [...(homes.get(home) ?? [home]), at(point)]);
  }
  const texts = new Map<string, string>();
  for (const [home, characters] of homes) {
    // After `first`, two marks are reserved: one for the empty string and one for lone surrogates.
    const marked = home === first ? 2 : 0;
    for (const [i, character] of characters.sort().entries()) texts.set(home + marks[i + marked], character);
  }
  const [empty, half] = [first + marks[0], first + marks[1]] as const;
  return { codes: new Map(Array.from(texts, ([code, character]) => [character, code])), texts, marks, empty, half };
}

const MARKS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const at = (point: number) => (point < 0 ? '' : String.fromCodePoint(point));
