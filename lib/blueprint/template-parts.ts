import { shardsOf } from '../design/formats';
import type { PatternDesign } from '../design/pattern';
import {
  type Format,
  mapParts,
  type Part,
  type Template,
  type TemplateFault,
  template,
  widthOf,
} from '../design/template';

/** Takes key templates apart for code that reasons about keys. */

/** Returns the parts of a template, in order. */
export function partsOf({ parts }: Template): readonly Part[] {
  return parts;
}

/** Returns the literals of a template, in order. */
export function literalsOf({ pieces }: Template): readonly string[] {
  return pieces.filter((piece) => typeof piece === 'string');
}

/** Whether a template has parts. A template without parts renders the same text in every key. */
export function hasParts({ parts }: Template): boolean {
  return parts.length > 0;
}

export function lastPart({ parts }: Template): Part | undefined {
  return parts.at(-1);
}

/** Returns the parts of one key of an entity; empty if the entity lacks the key. */
export function partsOfKey(
  entity: { readonly keys: ReadonlyMap<string, { readonly template: Template }> } | undefined,
  attribute: string,
): readonly Part[] {
  return entity?.keys.get(attribute)?.template.parts ?? [];
}

/** Returns the part that directly follows a prefix of a template, if that part has no format. */
export function partAfter({ text, parts }: Template, beginning: string): Part | undefined {
  return parts.find(({ name }) => text.startsWith(`${beginning}<${name}>`));
}

/** A piece between two separators of a template. */
export interface Piece {
  /** The text before the first value, or the whole text if there is no value. */
  text: string;
  readonly values: Part[];
  /** The text after the first value. */
  tail: string;
}

/** Splits a template at its separators. Without a separator, the result is a single piece. */
export function piecesOf({ pieces: parts }: Template, separator: string | undefined): readonly Piece[] {
  const pieces: Piece[] = [{ text: '', values: [], tail: '' }];
  for (const part of parts) {
    const last = pieces.at(-1) as Piece;
    if (typeof part === 'object') {
      last.values.push(part);
      continue;
    }
    const [first = '', ...more] = separator === undefined ? [part] : part.split(separator);
    if (last.values.length === 0) last.text += first;
    else last.tail += first;
    for (const text of more) pieces.push({ text, values: [], tail: '' });
  }
  return pieces;
}

/**
 * Returns each part, all text before it (with other parts shown as `<>`), and the text or part directly after it, if
 * any.
 */
export function placesOf({ pieces }: Template): readonly Spot[] {
  let lead = '';
  const spots: Spot[] = [];
  for (const [i, part] of pieces.entries()) {
    if (typeof part === 'object') spots.push({ part, lead, next: pieces[i + 1] });
    lead += typeof part === 'string' ? part : '<>';
  }
  return spots;
}

/** Returns the literal text directly before a part, or an empty string. */
export function literalBefore({ pieces }: Template, part: Part): string {
  const before = pieces[pieces.indexOf(part) - 1];
  return typeof before === 'string' ? before : '';
}

export interface Spot {
  readonly part: Part;
  readonly lead: string;
  readonly next: string | Part | undefined;
}

/** Returns the text of a template, with each part replaced by the result of `written`. */
export function textWith(template: Template, written: (part: Part) => string): string {
  return mapParts(template, (text) => text, written).join('');
}

/** Describes what is wrong with a template, as a clause for a message. */
export function faultText({ cause, part = '' }: TemplateFault): string {
  if (part.startsWith('shard('))
    return `<${part}> is not a shard; write <shard(name, 16)>, with 2 to 100 shards, or <shard(16)> for every shard`;
  switch (cause) {
    case 'empty':
      return 'it is empty';
    case 'unopened':
      return `a '>' without a '<'`;
    case 'unclosed':
      return `a '<' without a '>'`;
    case 'name':
      return `<${part}> is not an attribute name; write it as <name>, <map.name>, <number:4> or <timestamp:date>`;
    default:
      return `<${part}> has an unknown format; write a width from 1 to 99, down:10, lower, upper, encoded, date, year, month, day, hour or bucket(15m) after the colon`;
  }
}

/** Whether a format extracts only a piece of a timestamp. */
export function isPieceOfTime(format: Format | undefined): format is 'date' | 'year' | 'month' | 'day' | 'hour' {
  return typeof format === 'string' && /^(date|year|month|day|hour)$/.test(format);
}

/** Whether a format rounds a timestamp down to the start of its bucket, such as `bucket(15m)`. */
export function isBucket(format: Format | undefined): boolean {
  return typeof format === 'string' && format.startsWith('bucket(');
}

/** Whether a format counts down, so that the largest number sorts first. */
export function isCountedDown({ format }: Pick<Part, 'format'>): boolean {
  return typeof format === 'string' && format.startsWith('down:');
}

/** Returns how many digits a part is padded to, counting up or down; undefined if the part is not a padded number. */
export function paddedTo(part: Part): number | undefined {
  return typeof part.format === 'number' || isCountedDown(part) ? widthOf(part) : undefined;
}

/** Formats a part the way a template writes it, with its own name or the given one. */
export function shownPart(
  { name, format, optional = false }: Pick<Part, 'name' | 'format'> & { readonly optional?: boolean },
  as = name,
): string {
  const shards = shardsOf({ format });
  if (shards !== undefined) return isEveryShard({ format }) ? `<shard(${shards})>` : `<shard(${as}, ${shards})>`;
  return `<${as}${format === undefined ? '' : `:${format}`}${optional ? '?' : ''}>`;
}

/** Whether a part represents every shard in turn, rather than the one shard of a value. */
export function isEveryShard({ format }: Pick<Part, 'format'>): boolean {
  return typeof format === 'string' && format.startsWith('every:');
}

/** How a query reads several partitions, with one request per partition. */
export interface Fan {
  /** The name of the parameter that lists the partitions. @default - the query has no such parameter */
  readonly each: string | undefined;
  /** How many shards each partition has. @default - the partitions are not sharded */
  readonly shards: number | undefined;
}

/** Returns how a pattern reads several partitions; undefined if the pattern reads a single partition. */
export function fanOf(design: PatternDesign): Fan | undefined {
  if (design.op !== 'query') return undefined;
  const partitions = Object.values(design.where).filter(
    (condition) => typeof condition === 'string' && condition.includes('<shard('),
  );
  const every = partitions.flatMap((text) => template(text as string).parts).find(isEveryShard);
  const shards = every && shardsOf(every);
  return design.each === undefined && shards === undefined ? undefined : { each: design.each, shards };
}

/** Returns a template that consists of the given part. */
export function templateOf(part: Part): Template {
  return { text: shownPart(part), pieces: [part], parts: [part], faults: [] };
}

/** Whether a template consists of one part. */
export function isOnePart({ pieces, parts }: Template): boolean {
  return pieces.length === 1 && parts.length === 1;
}

/**
 * Returns as many pieces from the beginning of the key `kept` as `asked` has, with the parts renamed to the parameters
 * in `asked`. Ends before the first parameter that is misplaced.
 */
export function leadAskedFor(
  kept: Template,
  asked: Template,
  isMisplaced: (parameter: Part, there: Part) => boolean = () => false,
): string {
  const end = asked.pieces.findIndex((parameter, i) => {
    const there = kept.pieces[i];
    return typeof parameter === 'object' && typeof there === 'object' && isMisplaced(parameter, there);
  });
  const parts = kept.pieces.slice(0, end < 0 ? asked.pieces.length : end).map((part, i) => {
    const parameter = asked.pieces[i];
    if (typeof part === 'string') return part;
    return shownPart(part, typeof parameter === 'object' ? parameter.name : part.name);
  });
  return parts.join('');
}

/**
 * Returns the digits at the end of a bound, and the width of the padded number at the same position in the key;
 * undefined if the key has no padded number at this position.
 */
export function digitsAt(bound: Template, key: Template): { digits: string; width: number } | undefined {
  const last = bound.pieces.length - 1;
  const text = bound.pieces[last];
  if (typeof text !== 'string') return undefined;
  const isSame = bound.pieces
    .slice(0, last)
    .every((part, i) => part === key.pieces[i] || (typeof part === 'object' && typeof key.pieces[i] === 'object'));
  const lead = typeof key.pieces[last] === 'string' ? key.pieces[last] : '';
  const number = key.pieces[lead === '' ? last : last + 1];
  const digits = text.slice(lead.length);
  if (!isSame || !text.startsWith(lead) || !/^\d+$/.test(digits)) return undefined;
  return typeof number === 'object' && typeof number.format === 'number' ? { digits, width: number.format } : undefined;
}
