import { type Hole, KeyError, type Template, template, valueAt } from '../design/template';
import type { KeyAttribute, KeyBlueprint } from './outline';

/** The part of another template at a parameter's position, if both are alike up to there. */
export function counterpartOf({ parts }: Template, hole: Hole, other: Template): Hole | undefined {
  for (const [i, part] of parts.entries()) {
    const there = other.parts[i];
    if (part === hole) return typeof there === 'object' ? there : undefined;
    if (typeof part === 'string' ? part !== there : typeof there !== 'object') return undefined;
  }
  return undefined;
}

/** The parameters of a key that a caller may leave out, in which case there is nothing to ask for. */
export function optionalIn(where: Readonly<Record<string, string>>): readonly Hole[] {
  return Object.values(where).flatMap((text) => template(text).holes.filter(({ optional }) => optional));
}

/** Every form of a beginning with optional parts, the shortest first: each ends before an omitted part, and the last is whole. */
export function beginningsOf({ text }: Template): readonly Template[] {
  const ends = Array.from(text.matchAll(/<[^<>]*\?>/g), ({ index }) => index);
  return [...ends, text.length].map((end) => template(text.slice(0, end)));
}

/** The beginning up to the first optional part without a value: parts are left out from the right. */
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

/** A key with one attribute, or a list of several, on each side. */
export interface KeySides {
  readonly partition: KeyAttribute | readonly KeyAttribute[];
  readonly sort?: KeyAttribute | readonly KeyAttribute[] | undefined;
}

export function keyOfSides({ partition, sort = [] }: KeySides): KeyBlueprint {
  return { partitionBy: [partition].flat() as [KeyAttribute], sortBy: [sort].flat() };
}
