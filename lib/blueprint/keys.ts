import { type Hole, KeyError, type Template, template, valueAt } from '../design/template';
import type { KeyAttribute, KeyBlueprint } from './outline';

/** The part of another template that stands where a parameter does, if both read the same up to there. */
export function counterpartOf({ parts }: Template, hole: Hole, other: Template): Hole | undefined {
  for (const [i, part] of parts.entries()) {
    const there = other.parts[i];
    if (part === hole) return typeof there === 'object' ? there : undefined;
    if (typeof part === 'string' ? part !== there : typeof there !== 'object') return undefined;
  }
  return undefined;
}

/** The parameters of a key that a caller may leave out, and then asks for nothing. */
export function optionalIn(where: Readonly<Record<string, string>>): readonly Hole[] {
  return Object.values(where).flatMap((text) => template(text).holes.filter(({ optional }) => optional));
}

/** What a beginning with optional parts can be, the shortest first: it ends before a part that is left out, or is whole. */
export function beginningsOf({ text }: Template): readonly Template[] {
  const ends = Array.from(text.matchAll(/<[^<>]*\?>/g), ({ index }) => index);
  return [...ends, text.length].map((end) => template(text.slice(0, end)));
}

/** As much of a beginning as values are given for: its optional parts are left out from the right. */
export function givenOf(asked: Template, values: object): Template {
  const isLeftOut = (part: string | Hole) =>
    typeof part === 'object' && part.optional && (valueAt(values, part.path) ?? undefined) === undefined;
  const end = asked.parts.findIndex(isLeftOut);
  if (end === -1) return asked;
  const stray = asked.parts.slice(end).find((part) => typeof part === 'object' && !isLeftOut(part)) as Hole | undefined;
  if (stray === undefined) return { ...asked, parts: asked.parts.slice(0, end) };
  const { name } = asked.parts[end] as Hole;
  throw new KeyError(stray.name, `${asked.text}: <${stray.name}> is given without <${name}>; give both, or none`);
}

/** A key that is written as one attribute for each side, or as a list of several. */
export interface KeySides {
  readonly partition: KeyAttribute | readonly KeyAttribute[];
  readonly sort?: KeyAttribute | readonly KeyAttribute[] | undefined;
}

export function keyOfSides({ partition, sort = [] }: KeySides): KeyBlueprint {
  return { partitionBy: [partition].flat() as [KeyAttribute], sortBy: [sort].flat() };
}
