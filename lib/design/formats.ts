import { type Part, type PartValue, refusal, renderPadded, type Template, textOf } from './template';

/**
 * The formats that few designs use. Code that renders keys passes them to `useFormats`, so that only bundles that need
 * them contain them.
 */
export interface Formats {
  /** How many characters a part takes; undefined if that depends on its value. */
  width(part: Part): number | undefined;
  render(template: Template, part: Part, value: unknown, separator: string): string;
  /** The value that was rendered to a string; undefined if no value renders to it. A time in a bucket, and a shard, stay text. */
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
    // The largest number of that width, minus this one.
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

/** How many shards a part spreads its values over; undefined for a part without shards. */
export function shardsOf({ format }: Pick<Part, 'format'>): number | undefined {
  return Number(/^(?:shard|every):(.*)/.exec(`${format}`)?.[1]) || undefined;
}

/** The shard that a value is in: 32-bit FNV-1a over its UTF-8, folded to 16 bits, modulo the number of shards. */
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
    throw refusal(template, part, value, `give a number from 0 to ${shards - 1}; a client asks every shard`);
  }
  return shardOf(textOf(template, part, value), shards);
}

/** How much of a timestamp identifies the start of a bucket, by the unit of its length, and that unit in milliseconds. */
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

/** A date, or a time with at most the precision of a second. */
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
 * When the bucket of a time begins, in the time's own zone, like every piece of a timestamp. Buckets are counted from
 * 1970, so that buckets of 15 minutes begin with the hour.
 */
function startOf({ width, length }: Bucket, time: string): string | undefined {
  const clock = time.replace(/(:\d\d)([.Z+-].*)$/, '$1');
  if (!TIME.test(clock)) return undefined;
  const at = Date.parse(`${clock}${'0000-00-00T00:00:00Z'.slice(clock.length)}`);
  const start = new Date(Math.floor(at / length) * length);
  return start.getUTCFullYear() >= 0 ? start.toISOString().slice(0, width) : undefined;
}

/**
 * Any text, in a form that a key can contain on either cloud. A character that some key must not contain becomes its
 * nearest legal neighbor below plus a mark, and that neighbor gets a mark of its own: strings keep their order and
 * shared prefixes. Only control characters, the empty string and halves of surrogate pairs sort elsewhere, right after
 * the space.
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

/** The text that was encoded; undefined if the code is invalid. */
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

/** How tables with a given separator encode characters that a key must not contain. */
interface Code {
  /** The code of each escaped character. */
  readonly codes: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, string>;
  /** In sort order. */
  readonly marks: string;
  readonly empty: string;
  /** The first character for half a surrogate pair; four marks follow. */
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
    // The first two marks are for the empty string and for halves of surrogate pairs.
    const marked = home === first ? 2 : 0;
    for (const [i, character] of characters.sort().entries()) texts.set(home + marks[i + marked], character);
  }
  const [empty, half] = [first + marks[0], first + marks[1]] as const;
  return { codes: new Map(Array.from(texts, ([code, character]) => [character, code])), texts, marks, empty, half };
}

const MARKS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const at = (point: number) => (point < 0 ? '' : String.fromCodePoint(point));
