import type { PatternDesign } from '../design/pattern';
import {
  type Format,
  type Hole,
  mapParts,
  shardsOf,
  type Template,
  type TemplateFault,
  template,
  widthOf,
} from '../design/template';

/** Key templates taken apart, for code that reasons about keys: no other code looks into their parts. */

/** The parts of a template that values fill, in order. */
export function partsOf({ holes }: Template): readonly Hole[] {
  return holes;
}

/** Whether a template has parts; without any, it is the same text in every key. */
export function hasParts({ holes }: Template): boolean {
  return holes.length > 0;
}

export function lastPart({ holes }: Template): Hole | undefined {
  return holes.at(-1);
}

/** The parts of one key of an entity; none if it has no such key. */
export function partsOfKey(
  entity: { readonly keys: ReadonlyMap<string, { readonly template: Template }> } | undefined,
  attribute: string,
): readonly Hole[] {
  return entity?.keys.get(attribute)?.template.holes ?? [];
}

/** The part without a format that comes right after the beginning of a template. */
export function partAfter({ text, holes }: Template, beginning: string): Hole | undefined {
  return holes.find(({ name }) => text.startsWith(`${beginning}<${name}>`));
}

/** What is between two separators of a template. */
export interface Piece {
  /** The text before the first value, or all of it if there is none. */
  text: string;
  readonly values: Hole[];
  /** The text after the first value. */
  tail: string;
}

/** A template cut at its separators; without one it is a single piece. */
export function piecesOf({ parts }: Template, separator: string | undefined): readonly Piece[] {
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

/** Each hole with the text before it, in which other holes are `<>`, and with what follows it: text, a hole or the end. */
export function placesOf({ parts }: Template): readonly Spot[] {
  let lead = '';
  const spots: Spot[] = [];
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'object') spots.push({ hole: part, lead, next: parts[i + 1] });
    lead += typeof part === 'string' ? part : '<>';
  }
  return spots;
}

/** The literal text right before a part; empty if there is none. */
export function literalBefore({ parts }: Template, part: Hole): string {
  const before = parts[parts.indexOf(part) - 1];
  return typeof before === 'string' ? before : '';
}

/** Whether a part other than the last neither ends at a separator nor has a fixed width. */
export function hasOpenPart({ parts, holes }: Template, separator: string): boolean {
  for (let i = 0, left = holes.length; left > 1; i++) {
    const part = parts[i] as string | Hole;
    if (typeof part === 'string') continue;
    left--;
    const next = parts[i + 1];
    if (widthOf(part) !== undefined) continue;
    if (separator === '' || typeof next !== 'string' || !next.startsWith(separator)) return true;
  }
  return false;
}

export interface Spot {
  readonly hole: Hole;
  readonly lead: string;
  readonly next: string | Hole | undefined;
}

/** The text of a template with its holes replaced. */
export function textWith(template: Template, written: (hole: Hole) => string): string {
  return mapParts(template, (text) => text, written).join('');
}

/** What is wrong with a template, in a sentence. */
export function faultText({ cause, part = '' }: TemplateFault): string {
  if (part.startsWith('shard('))
    return `<${part}> is not a shard; write <shard(name, 16)>, with 2 to 100 of them, or <shard(16)> for every one`;
  switch (cause) {
    case 'empty':
      return 'it is empty';
    case 'unopened':
      return `a '>' without its '<'`;
    case 'unclosed':
      return `a '<' without its '>'`;
    case 'name':
      return `<${part}> is not an attribute name; write it as <name>, <map.name>, <number:4> or <timestamp:date>`;
    default:
      return `<${part}> has an unknown format; write a width from 1 to 99, down:10, lower, date, year, month, day or hour after the colon`;
  }
}

/** Whether a format takes a piece of a time, which leaves the rest of it open. */
export function isPieceOfTime(format: Format | undefined): format is 'date' | 'year' | 'month' | 'day' | 'hour' {
  return typeof format === 'string' && /^(date|year|month|day|hour)$/.test(format);
}

/** Whether a number is written so that the largest comes first. */
export function isCountedDown({ format }: Pick<Hole, 'format'>): boolean {
  return typeof format === 'string' && format.startsWith('down:');
}

/** How many digits a number is padded to, counted up or down; undefined for a part that is not a padded number. */
export function paddedTo(hole: Hole): number | undefined {
  return isPieceOfTime(hole.format) || shardsOf(hole) !== undefined ? undefined : widthOf(hole);
}

/** A hole as it is written in a template, under its own name or another. */
export function shownHole({ name, format }: Pick<Hole, 'name' | 'format'>, as = name): string {
  const shards = shardsOf({ format });
  if (shards !== undefined) return isEveryShard({ format }) ? `<shard(${shards})>` : `<shard(${as}, ${shards})>`;
  return `<${as}${format === undefined ? '' : `:${format}`}>`;
}

/** Whether a part stands for every shard in turn, not for the shard of a value. */
export function isEveryShard({ format }: Pick<Hole, 'format'>): boolean {
  return typeof format === 'string' && format.startsWith('every:');
}

/** How many shards a pattern queries, one by one; undefined if it queries one partition. */
export function fanOf(design: PatternDesign): number | undefined {
  if (design.op !== 'query') return undefined;
  const partitions = Object.values(design.where).filter(
    (condition) => typeof condition === 'string' && condition.includes('<shard('),
  );
  const every = partitions.flatMap((text) => template(text as string).holes).find(isEveryShard);
  return every && shardsOf(every);
}

/** The template that is one hole and nothing else. */
export function templateOf(hole: Hole): Template {
  return { text: shownHole(hole), parts: [hole], holes: [hole], faults: [] };
}

/** Whether a template is one hole and nothing else. */
export function isOneHole({ parts, holes }: Template): boolean {
  return parts.length === 1 && holes.length === 1;
}

/** As much of a key as a template asks for, with the names of that template's parameters. */
export function leadAskedFor(kept: Template, asked: Template): string {
  const parts = kept.parts.slice(0, asked.parts.length).map((part, i) => {
    const parameter = asked.parts[i];
    if (typeof part === 'string') return part;
    return shownHole(part, typeof parameter === 'object' ? parameter.name : part.name);
  });
  return parts.join('');
}

/** The digits at the end of a bound, if the key has a padded number there, and that number's width. */
export function digitsAt(bound: Template, key: Template): { digits: string; width: number } | undefined {
  const last = bound.parts.length - 1;
  const text = bound.parts[last];
  if (typeof text !== 'string') return undefined;
  const isSame = bound.parts
    .slice(0, last)
    .every((part, i) => part === key.parts[i] || (typeof part === 'object' && typeof key.parts[i] === 'object'));
  const lead = typeof key.parts[last] === 'string' ? key.parts[last] : '';
  const number = key.parts[lead === '' ? last : last + 1];
  const digits = text.slice(lead.length);
  if (!isSame || !text.startsWith(lead) || !/^\d+$/.test(digits)) return undefined;
  return typeof number === 'object' && typeof number.format === 'number' ? { digits, width: number.format } : undefined;
}
