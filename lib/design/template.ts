import type { Formats } from './formats';

/**
 * The format of a part: a number padded to a width, or counted down from the largest number of this width; a piece of
 * an ISO timestamp, or the start of its bucket; a string in lower case, in upper case or encoded; the shard of a value;
 * or every shard in turn.
 */
export type Format =
  | number
  | `down:${number}`
  | keyof typeof PIECES
  | `bucket(${number}${'s' | 'm' | 'h' | 'd'})`
  | 'lower'
  | 'upper'
  | 'encoded'
  | `shard:${number}`
  | `every:${number}`;

/**
 * A part that a value fills: `<name>`, `<map.name>`, `<name:4>`, `<name:down:4>`, `<name:date>`, `<name:bucket(15m)>`,
 * `<name:lower>`, `<name:upper>`, `<name:encoded>`, `<name?>` or `<shard(name, 16)>`. `<shard(16)>` takes the number of
 * each shard in turn.
 */
export interface Part {
  readonly name: string;
  readonly path: readonly string[];
  readonly format?: Format;
  readonly optional: boolean;
}

export interface Template {
  readonly text: string;
  /** The literal text and the parts, in order. */
  readonly pieces: readonly (string | Part)[];
  readonly parts: readonly Part[];
  /** The faults in the template's text. A template with faults never renders a key. */
  readonly faults: readonly TemplateFault[];
}

/** One fault in a template's text. A fault is plain data; the check adds the message. */
export interface TemplateFault {
  readonly cause: 'empty' | 'unopened' | 'unclosed' | 'name' | 'format';
  /** The text between `<` and `>`, if this text is faulty. */
  readonly part?: string;
}

/** The maximum lengths of DynamoDB's keys, in bytes. */
export const KEY_BYTES = { partition: 2048, sort: 1024 } as const;

/** The separator between the parts of a table's keys, and the maximum length of a key. */
export interface KeyRules {
  readonly separator: string;
  readonly maxBytes: number;
}

/** Thrown when a key cannot be rendered from the given values. */
export class KeyError extends Error {
  public override readonly name = 'KeyError';
  /** The attribute whose value caused the error. */
  public readonly attribute: string;

  public constructor(attribute: string, message: string) {
    super(message);
    this.attribute = attribute;
  }
}

const readBefore = new Map<string, Template>();

/** Parses a template, or returns the cached result if it has parsed the same string before. */
export function template(text: string): Template {
  let read = readBefore.get(text);
  if (read === undefined) {
    read = readTemplate(text);
    readBefore.set(text, read);
  }
  return read;
}

let rare: Formats | undefined;

/** Makes the rarely used formats available to all templates. */
export function useFormats(code: Formats | undefined): void {
  rare ??= code;
}

/** Whether the part has one of the rarely used formats, whose code is in `formats.ts`. */
export function isRare({ format }: Part): boolean {
  return typeof format === 'string' && !isPiece(format) && !isCase(format);
}

/**
 * Renders the key for `values`. Throws a KeyError for values that would make the key empty, ambiguous or too long.
 * @param rules by default, the rules for a partition key in a table with default settings
 */
export function render(
  given: Template | string,
  values: object,
  rules: KeyRules = { separator: '#', maxBytes: KEY_BYTES.partition },
): string {
  const read = typeof given === 'string' ? template(given) : given;
  return renderWith(read, ({ path }) => valueAt(values, path), rules);
}

/** Like `render`, but calls a function to get the value of each part. */
export function renderWith(read: Template, valueFor: (part: Part) => unknown, rules: KeyRules): string {
  if (read.faults.length > 0) {
    const causes = read.faults.map(({ cause }) => cause).join(', ');
    throw new KeyError(read.text, `${read.text}: the template is invalid (${causes}): run the check`);
  }
  let key = '';
  for (const part of read.pieces) {
    key += typeof part === 'string' ? part : renderPart(read, part, valueFor(part), rules.separator);
  }
  // A UTF-16 unit takes at most three bytes in UTF-8, so the code rarely has to count the bytes of a key.
  if (key.length * 3 > rules.maxBytes) refuseTooLong(read, key, valueFor, rules);
  return key;
}

/** Maps a template's literal text with one function and its parts with another, in order. */
export function mapParts<T, H>(
  { pieces }: Template,
  ofText: (text: string) => T,
  ofPart: (part: Part) => H,
): readonly (T | H)[] {
  return pieces.map((part) => (typeof part === 'string' ? ofText(part) : ofPart(part)));
}

/** Replaces each part of a template. */
export function withParts(read: Template, other: (part: Part) => Part): Template {
  const parts = read.pieces.map((part) => (typeof part === 'string' ? part : other(part)));
  return { ...read, pieces: parts, parts: parts.filter((part) => typeof part !== 'string') };
}

/** The literal text with which every key of a template begins. */
export function headOf({ pieces }: Template): string {
  return typeof pieces[0] === 'string' ? pieces[0] : '';
}

/** The part of a template that consists only of `<name>` without a format; undefined for any other template. */
export function lonePart({ pieces, faults }: Template): Part | undefined {
  const [part] = pieces;
  const isLone = pieces.length === 1 && faults.length === 0 && typeof part === 'object' && part.format === undefined;
  return isLone ? part : undefined;
}

/**
 * The value of one part of a key: a number for a padded part (a bigint if a number would lose digits), otherwise a
 * string.
 */
export type PartValue = string | number | bigint;

/**
 * Returns the values from which `key` was rendered, keyed by name, or undefined if the key does not match. For a piece
 * of a timestamp, the name consists of the part and the piece, such as `at:date`.
 */
export function match(template: Template, key: string, separator: string): Record<string, PartValue> | undefined {
  // Unlike an object, a Map is safe for an attribute named `constructor`.
  const values = new Map<string, PartValue>();
  let at = 0;
  for (const [i, part] of template.pieces.entries()) {
    if (typeof part === 'string') {
      if (!key.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    const end = endOfPart(template.pieces, i, key, at);
    const value = readPartText(part, key.slice(at, end), separator);
    const slot = holdsWhole(part) ? part.name : `${part.name}:${part.format}`;
    if (value === undefined) return undefined;
    // A key may contain the same number twice, once padded and once plain.
    const before = values.get(slot) ?? value;
    if (String(before) !== String(value)) return undefined;
    values.set(slot, typeof before === 'string' ? value : before);
    at = end;
  }
  return at === key.length ? Object.fromEntries(values) : undefined;
}

/** Returns the number of characters that a part takes, or undefined if it is not fixed. */
export function widthOf(part: Part): number | undefined {
  const { format } = part;
  if (typeof format !== 'string') return format;
  if (isPiece(format)) return PIECES[format][1] - PIECES[format][0];
  return rare?.width(part);
}

/** Whether a key contains the whole value of a part, so that a read can recover the value. */
export function holdsWhole({ format }: Part): boolean {
  return typeof format !== 'string' || format === 'encoded';
}

function isCase(format: Format | undefined): format is 'lower' | 'upper' {
  return format === 'lower' || format === 'upper';
}

function inCase(text: string, format: Format | undefined): string {
  return format === 'lower' ? text.toLowerCase() : format ? text.toUpperCase() : text;
}

function isPiece(format: Format | string | undefined): format is keyof typeof PIECES {
  return Object.hasOwn(PIECES, format ?? '');
}

/**
 * Splits a path into its steps, which are names and list positions. For example, `lines[0].sku` has the steps `lines`,
 * `[0]` and `sku`.
 */
export function stepsOf(path: string): readonly string[] {
  return path.split(/\.|(?=\[)/);
}

/** Whether a path equals another path or lies inside it. */
export function isWithin(path: string, other: string): boolean {
  return path.startsWith(other) && /^($|[.[])/.test(path.slice(other.length));
}

/** Whether a change at one path can change the value at another path. */
export function overlaps(path: string, other: string): boolean {
  return isWithin(path, other) || isWithin(other, path);
}

/** Returns the value at a path through nested maps. */
export function valueAt(values: object, path: readonly string[]): unknown {
  let value: unknown = values;
  for (const step of path) {
    // An inherited property, such as `constructor`, is not a value that the caller gave.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

/** The start and end of each piece within a timestamp. */
const PIECES = { date: [0, 10], year: [0, 4], month: [5, 7], day: [8, 10], hour: [11, 13] } as const;

const SOME_HOUR = '2000-01-01T00';

/**
 * Whether a string can be the given piece of a timestamp. It can if a valid timestamp stays valid with this string in
 * place of the piece.
 */
function isOfPiece(piece: keyof typeof PIECES, text: string): boolean {
  const [start, end] = PIECES[piece];
  const whole = SOME_HOUR.slice(0, start) + text + SOME_HOUR.slice(end);
  return /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3])$/.test(whole);
}

function readTemplate(text: string): Template {
  const parts: (string | Part)[] = [];
  const faults: TemplateFault[] = [];
  for (const [, literal = '', part, end] of text.matchAll(/([^<]*)(?:<([^<>]*)(>?)|$)/g)) {
    if (literal.includes('>')) faults.push({ cause: 'unopened' });
    if (literal !== '') parts.push(literal);
    if (end === '') faults.push({ cause: 'unclosed' });
    if (part !== undefined) parts.push(readPart(part, faults));
  }
  if (text === '') faults.push({ cause: 'empty' });
  return { text, pieces: parts, parts: parts.filter((part) => typeof part !== 'string'), faults };
}

function readPart(part: string, faults: TemplateFault[]): Part {
  // `shard(id, 16)` is parsed like `id:shard:16`, and `shard(16)` like `shard:every:16`.
  const plain = part.replace(/^shard\((?:(.+), )?(\w+)\)$/, (_, of, shards) =>
    of ? `${of}:shard:${shards}` : `shard:every:${shards}`,
  );
  const [, name = '', format, optional] = /^([^:?]*)(?::([^?]*))?(\?)?$/.exec(plain) ?? [];
  const path = name.split('.');
  // The second expression supports every alphabet, but takes a millisecond to compile, and hardly any name needs it.
  if (path.some((step) => !/^[a-z_$][\w$-]*$/i.test(step) && !/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step))) {
    faults.push({ cause: 'name', part });
  }
  return {
    name,
    path,
    optional: optional !== undefined,
    ...readFormat(part, format, faults),
  };
}

function readFormat(part: string, format: string | undefined, faults: TemplateFault[]): Pick<Part, 'format'> {
  if (format === undefined) return {};
  if (
    isPiece(format) ||
    /^(lower|upper|encoded|bucket\([1-9]\d{0,4}[smhd]\)|(down:)?[1-9]\d?|(shard|every):([2-9]|[1-9]\d|100))$/.test(
      format,
    )
  )
    return { format: Number(format) || (format as Format) };
  faults.push({ cause: 'format', part });
  return {};
}

/**
 * Renders a part's value as text in the part's format, or unchanged if the part has no format. Unlike a key, the text
 * may contain any character.
 */
export function renderText(template: Template, part: Part, value: unknown, separator = '#'): string {
  const { format } = part;
  if (isPiece(format)) return renderPiece(template, part, format, value);
  if (typeof format === 'number') return renderPadded(template, part, format, value);
  if (isRare(part)) return (rare as Formats).render(template, part, value, separator);
  if (typeof value === 'object') throw refusal(template, part, value, 'give a string or a number');
  return inCase(String(value), format);
}

function renderPart(template: Template, part: Part, value: unknown, separator: string): string {
  const { format } = part;
  if (format !== undefined && !isCase(format)) return renderText(template, part, value, separator);
  const text = inCase(textOf(template, part, value), format);
  if (text.includes(separator)) {
    throw refusal(
      template,
      part,
      value,
      `it holds the separator '${separator}'; give a value without it, or write <${part.name}:encoded>`,
    );
  }
  if (!text.isWellFormed()) {
    throw refusal(template, part, value, 'it holds a lone surrogate; give whole characters');
  }
  return text;
}

/** Converts a value to a string for use in a key. Refuses an empty string. */
export function textOf(template: Template, part: Part, value: unknown): string {
  const text = Number.isFinite(value) || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') throw refusal(template, part, value, 'give a string or a number');
  if (text === '') throw refusal(template, part, value, 'it is empty; give a value');
  return text;
}

export function renderPadded(template: Template, part: Part, width: number, value: unknown): string {
  const whole = typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0;
  const digits = whole ? String(value) : '';
  if (digits === '' || digits.length > width) {
    throw refusal(template, part, value, `give a whole number of at most ${width} digits`);
  }
  return digits.padStart(width, '0');
}

function renderPiece(template: Template, part: Part, piece: keyof typeof PIECES, value: unknown): string {
  if (typeof value === 'string') {
    const isTimestamp = isOfPiece('date', value.slice(0, 10)) && (value[10] ?? 'T') === 'T';
    const found = isTimestamp ? value.slice(...PIECES[piece]) : value;
    if (isOfPiece(piece, found)) return found;
  }
  throw refusal(template, part, value, `give an ISO timestamp (2026-01-31T12:00:00Z), or just the ${piece}`);
}

function endOfPart(parts: Template['pieces'], i: number, key: string, at: number): number {
  const width = widthOf(parts[i] as Part);
  if (width !== undefined) return Math.min(at + width, key.length);
  const next = parts[i + 1];
  if (typeof next !== 'string') return key.length;
  // The key ends with this text, so earlier occurrences of the text belong to the value.
  if (i + 2 === parts.length) return Math.max(at, key.length - next.length);
  const found = key.indexOf(next, at);
  return found === -1 ? key.length : found;
}

function readPartText(part: Part, text: string, separator: string): PartValue | undefined {
  const { format } = part;
  if (isPiece(format)) return isOfPiece(format, text) ? text : undefined;
  if (typeof format === 'number') {
    if (text.length !== format || !/^\d+$/.test(text)) return undefined;
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  }
  if (isRare(part)) return rare?.read(part, text, separator);
  const isPlain = text !== '' && !text.includes(separator) && inCase(text, format) === text;
  return isPlain ? text : undefined;
}

export function refusal(template: Template, part: Part, value: unknown, advice: string): KeyError {
  const got = value === undefined ? 'missing' : shownValue(value);
  return new KeyError(part.name, `${template.text}: <${part.name}> is ${got}; ${advice}`);
}

/** Describes a value briefly, so that the reader of a message recognizes it. */
export function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuseTooLong(template: Template, key: string, valueFor: (part: Part) => unknown, rules: KeyRules): void {
  const bytes = utf8Length(key);
  if (bytes <= rules.maxBytes) return;
  const size = (part: Part) => utf8Length(renderText(template, part, valueFor(part), rules.separator));
  const longest = [...template.parts].sort((a, b) => size(b) - size(a))[0];
  const what = longest === undefined ? 'the template' : `<${longest.name}> (${size(longest)} bytes)`;
  throw new KeyError(
    longest?.name ?? template.text,
    `${template.text}: the key takes ${bytes} bytes, but at most ${rules.maxBytes} are allowed; shorten ${what}`,
  );
}

export function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
