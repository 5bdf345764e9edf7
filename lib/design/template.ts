/** Key templates: read once, rendered and matched often. */

/** How a part is written: a number padded to a width, or a piece of an ISO timestamp. */
export type Format = number | 'date' | 'year' | 'month';

/** A part that a value fills: `<name>`, `<map.name>`, `<name:4>`, `<name:date>`, `<name?>`. */
export interface Hole {
  readonly name: string;
  readonly path: readonly string[];
  readonly format?: Format;
  readonly optional: boolean;
}

export interface Template {
  readonly text: string;
  /** Literal text and holes, in order. */
  readonly parts: readonly (string | Hole)[];
  readonly holes: readonly Hole[];
  /** What is wrong with the text; a template with faults is not rendered. */
  readonly faults: readonly TemplateFault[];
}

/** One thing that keeps a template from being read, and the sentence that says so. */
export interface TemplateFault {
  readonly cause: 'empty' | 'unopened' | 'unclosed' | 'name' | 'format';
  readonly message: string;
}

/** The longest keys that DynamoDB takes, in bytes. */
export const KEY_BYTES = { partition: 2048, sort: 1024 } as const;

/** What keeps the keys of a table apart and within its cloud's limits. */
export interface KeyRules {
  readonly separator: string;
  readonly maxBytes: number;
}

/** Raised when values cannot become a key. */
export class KeyError extends Error {
  public override readonly name = 'KeyError';
  /** The attribute that is at fault. */
  public readonly attribute: string;

  public constructor(attribute: string, message: string) {
    super(message);
    this.attribute = attribute;
  }
}

const readBefore = new Map<string, Template>();

/** Reads a template; the same text is read only once. */
export function template(text: string): Template {
  let read = readBefore.get(text);
  if (read === undefined) {
    read = readTemplate(text);
    readBefore.set(text, read);
  }
  return read;
}

/**
 * The key that `values` make; the template may be given as text. Throws a KeyError for values that would make it empty,
 * ambiguous or too long.
 */
export function render(given: Template | string, values: object, rules: KeyRules = PARTITION): string {
  const read = typeof given === 'string' ? template(given) : given;
  return renderWith(read, ({ path }) => valueAt(values, path), rules);
}

/** The same with values by hole, wherever they come from. */
export function renderWith(read: Template, valueFor: (hole: Hole) => unknown, rules: KeyRules): string {
  if (read.faults.length > 0) {
    throw new KeyError(read.text, `${read.text}: ${read.faults.map(({ message }) => message).join('; ')}`);
  }
  let key = '';
  for (const part of read.parts) {
    key += typeof part === 'string' ? part : renderHole(read, part, valueFor(part), rules.separator);
  }
  // A UTF-16 unit takes at most three bytes, so that most keys need no counting.
  if (key.length * 3 > rules.maxBytes) refuseTooLong(read, key, valueFor, rules);
  return key;
}

/** Whatever is made of each part, in order: of literal text, and of the holes between. */
export function mapParts<T, H>(
  { parts }: Template,
  ofText: (text: string) => T,
  ofHole: (hole: Hole) => H,
): readonly (T | H)[] {
  return parts.map((part) => (typeof part === 'string' ? ofText(part) : ofHole(part)));
}

/** The same template with other holes in the place of its own. */
export function withHoles(read: Template, other: (hole: Hole) => Hole): Template {
  const parts = read.parts.map((part) => (typeof part === 'string' ? part : other(part)));
  return { ...read, parts, holes: parts.filter((part) => typeof part !== 'string') };
}

/** The literal text that every key of a template begins with. */
export function headOf({ parts }: Template): string {
  return typeof parts[0] === 'string' ? parts[0] : '';
}

/** The one hole that a template is, where it is no more than that and passes its value on as it is. */
export function loneHole({ parts, faults }: Template): Hole | undefined {
  const [part] = parts;
  const isLone = parts.length === 1 && faults.length === 0 && typeof part === 'object' && part.format === undefined;
  return isLone ? part : undefined;
}

/** The rules of a partition key in a table that says nothing else. */
const PARTITION: KeyRules = { separator: '#', maxBytes: KEY_BYTES.partition };

/** What a key tells of one part; a number only where it is padded, and a bigint where a number could not hold it. */
export type PartValue = string | number | bigint;

/**
 * The values that `key` was rendered from, by name (pieces of a timestamp by their part, such as `at:date`), or
 * undefined where the key is not of this template.
 */
export function match(template: Template, key: string, separator: string): Record<string, PartValue> | undefined {
  // A map, since an attribute may be named `constructor`.
  const values = new Map<string, PartValue>();
  let at = 0;
  for (const [i, part] of template.parts.entries()) {
    if (typeof part === 'string') {
      if (!key.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    const end = endOfHole(template.parts, i, key, at);
    const value = readHole(part, key.slice(at, end), separator);
    const slot = typeof part.format === 'string' ? `${part.name}:${part.format}` : part.name;
    if (value === undefined) return undefined;
    // The same number may be there padded and plain.
    const before = values.get(slot) ?? value;
    if (String(before) !== String(value)) return undefined;
    values.set(slot, typeof before === 'string' ? value : before);
    at = end;
  }
  return at === key.length ? Object.fromEntries(values) : undefined;
}

/** How many characters a hole always takes, if that is fixed. */
export function widthOf(hole: Hole): number | undefined {
  if (hole.format === undefined) return undefined;
  return typeof hole.format === 'number' ? hole.format : PIECES[hole.format].length;
}

/** The value at a path of nested maps. */
export function valueAt(values: object, path: readonly string[]): unknown {
  let value: unknown = values;
  for (const step of path) {
    // What every object has by birth is nothing that was given.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

const PIECES = {
  date: { start: 0, length: 10, form: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/ },
  year: { start: 0, length: 4, form: /^\d{4}$/ },
  month: { start: 5, length: 2, form: /^(0[1-9]|1[0-2])$/ },
} as const;

const TIMESTAMP = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(T|$)/;

function readTemplate(text: string): Template {
  const parts: (string | Hole)[] = [];
  const faults: TemplateFault[] = [];
  for (const [, literal = '', part, end] of text.matchAll(/([^<]*)(?:<([^<>]*)(>?)|$)/g)) {
    if (literal.includes('>')) faults.push({ cause: 'unopened', message: `a '>' without its '<'` });
    if (literal !== '') parts.push(literal);
    if (end === '') faults.push({ cause: 'unclosed', message: `a '<' without its '>'` });
    if (part !== undefined) parts.push(readPart(part, faults));
  }
  if (text === '') faults.push({ cause: 'empty', message: 'it is empty' });
  return { text, parts, holes: parts.filter((part) => typeof part !== 'string'), faults: faults.filter(isFirst) };
}

/** What is wrong twice is told once. */
function isFirst({ message }: TemplateFault, i: number, faults: readonly TemplateFault[]): boolean {
  return faults.findIndex((other) => other.message === message) === i;
}

function readPart(part: string, faults: TemplateFault[]): Hole {
  const [, name = '', format, optional] = /^([^:?]*)(?::([^?]*))?(\?)?$/.exec(part) ?? [];
  const path = name.split('.');
  if (path.some((step) => !/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(step))) {
    const message = `<${part}> is not an attribute name; write it as <name>, <map.name>, <number:4> or <timestamp:date>`;
    faults.push({ cause: 'name', message });
  }
  return {
    name,
    path,
    optional: optional !== undefined,
    ...readFormat(part, format, faults),
  };
}

function readFormat(part: string, format: string | undefined, faults: TemplateFault[]): Pick<Hole, 'format'> {
  if (format === undefined) return {};
  if (Object.hasOwn(PIECES, format)) return { format: format as keyof typeof PIECES };
  if (/^[1-9]\d?$/.test(format)) return { format: Number(format) };
  const message = `<${part}> has an unknown format; write a width from 1 to 99, date, year or month after the colon`;
  faults.push({ cause: 'format', message });
  return {};
}

/** A part as text: as its format says, or else the value as it is. Unlike in a key, anything may be in it. */
export function renderText(template: Template, hole: Hole, value: unknown): string {
  if (typeof hole.format === 'number') return renderPadded(template, hole, hole.format, value);
  if (typeof hole.format === 'string') return renderPiece(template, hole, hole.format, value);
  if (typeof value === 'object') throw refusal(template, hole, value, 'give a string or a number');
  return String(value);
}

function renderHole(template: Template, hole: Hole, value: unknown, separator: string): string {
  if (hole.format !== undefined) return renderText(template, hole, value);
  const text = Number.isFinite(value) || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') throw refusal(template, hole, value, 'give a string or a number');
  if (text === '') throw refusal(template, hole, value, 'an empty value would make two keys alike; give a value');
  if (text.includes(separator)) {
    const why = `it holds the separator '${separator}', so that two different keys could become the same`;
    throw refusal(template, hole, value, `${why}; give a value without it, or encode it first`);
  }
  if (!text.isWellFormed()) {
    throw refusal(
      template,
      hole,
      value,
      'it holds half a surrogate pair, which is lost when stored; give whole characters',
    );
  }
  return text;
}

function renderPadded(template: Template, hole: Hole, width: number, value: unknown): string {
  const whole = typeof value === 'bigint' ? value >= 0n : Number.isSafeInteger(value) && (value as number) >= 0;
  const digits = whole ? String(value) : '';
  if (digits === '' || digits.length > width) {
    throw refusal(template, hole, value, `give a whole number of at most ${width} digits`);
  }
  return digits.padStart(width, '0');
}

function renderPiece(template: Template, hole: Hole, piece: keyof typeof PIECES, value: unknown): string {
  const { start, length, form } = PIECES[piece];
  if (typeof value === 'string') {
    if (TIMESTAMP.test(value)) return value.slice(start, start + length);
    if (form.test(value)) return value;
  }
  throw refusal(template, hole, value, `give an ISO timestamp (2026-01-31T12:00:00Z), or the ${piece} alone`);
}

function endOfHole(parts: Template['parts'], i: number, key: string, at: number): number {
  const width = widthOf(parts[i] as Hole);
  if (width !== undefined) return Math.min(at + width, key.length);
  const next = parts[i + 1];
  if (typeof next !== 'string') return key.length;
  // After the last part comes nothing but this text, which the value may hold as well.
  if (i + 2 === parts.length) return Math.max(at, key.length - next.length);
  const found = key.indexOf(next, at);
  return found === -1 ? key.length : found;
}

function readHole(hole: Hole, text: string, separator: string): PartValue | undefined {
  if (typeof hole.format === 'number') {
    if (text.length !== hole.format || !/^\d+$/.test(text)) return undefined;
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text);
  }
  if (hole.format !== undefined) return PIECES[hole.format].form.test(text) ? text : undefined;
  return text === '' || text.includes(separator) ? undefined : text;
}

function refusal(template: Template, hole: Hole, value: unknown, advice: string): KeyError {
  const got = value === undefined ? 'missing' : show(value);
  return new KeyError(hole.name, `${template.text}: <${hole.name}> is ${got}; ${advice}`);
}

/** A value as a reader would recognise it, in one short piece. */
export function show(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function refuseTooLong(template: Template, key: string, valueFor: (hole: Hole) => unknown, rules: KeyRules): void {
  const bytes = utf8Length(key);
  if (bytes <= rules.maxBytes) return;
  const size = (hole: Hole) => widthOf(hole) ?? utf8Length(String(valueFor(hole)));
  const longest = [...template.holes].sort((a, b) => size(b) - size(a))[0];
  const advice = longest === undefined ? 'shorten the template' : `shorten <${longest.name}> (${size(longest)} bytes)`;
  throw new KeyError(
    longest?.name ?? template.text,
    `${template.text}: the key comes to ${bytes} bytes, and at most ${rules.maxBytes} are allowed; ${advice}`,
  );
}

function utf8Length(text: string): number {
  return new TextEncoder().encode(text).length;
}
