import { KeyError, type Part, type Template, template, valueAt } from '../design/template';
import { type Schema, schemaAt } from './attributes/schema';
import type { EntityOutline } from './outline';

/**
 * Returns the part of `other` at the position of `ours` in the first template, if both templates have the same
 * structure up to there.
 */
export function counterpartOf({ pieces }: Template, ours: Part, other: Template): Part | undefined {
  for (const [i, part] of pieces.entries()) {
    const there = other.pieces[i];
    if (part === ours) return typeof there === 'object' ? there : undefined;
    if (typeof part === 'string' ? part !== there : typeof there !== 'object') return undefined;
  }
  return undefined;
}

/**
 * Returns what a parameter stands for in the given entities' keys: the schemas of the attributes, and the format of the
 * key part. Requests use this format if the parameter has none of its own. The format is undefined if the keys have
 * different formats in this position.
 */
export function standsFor(
  entities: readonly EntityOutline[],
  attribute: string,
  asked: Template,
  part: Part,
): { readonly schemas: readonly Schema[]; readonly format: Part['format'] } {
  const schemas: Schema[] = [];
  const formats = new Set<Part['format']>();
  for (const { keys, schema } of entities) {
    const source = keys.get(attribute);
    const counterpart = source && counterpartOf(asked, part, source.template);
    if (counterpart === undefined) continue;
    formats.add(counterpart.format);
    const at = schemaAt(schema, counterpart.path);
    if (at) schemas.push(at);
  }
  return { schemas, format: formats.size === 1 ? formats.values().next().value : undefined };
}

/** Returns the optional parameters of a key. If the caller omits any of these parameters, the read is skipped. */
export function optionalIn(where: Readonly<Record<string, string>>): readonly Part[] {
  return Object.values(where).flatMap((text) => template(text).parts.filter(({ optional }) => optional));
}

/**
 * Returns every form of a prefix with optional parts, shortest first. Each form except the last ends before an optional
 * part. The last form is the whole prefix.
 */
export function beginningsOf({ text }: Template): readonly Template[] {
  const ends = Array.from(text.matchAll(/<[^<>]*\?>/g), ({ index }) => index);
  return [...ends, text.length].map((end) => template(text.slice(0, end)));
}

/**
 * Returns the prefix up to the first optional part that has no value. Callers may omit optional parts only from the
 * right.
 */
export function givenOf(asked: Template, values: object): Template {
  const isLeftOut = (part: string | Part) =>
    typeof part === 'object' && part.optional && (valueAt(values, part.path) ?? undefined) === undefined;
  const end = asked.pieces.findIndex(isLeftOut);
  if (end === -1) return asked;
  const stray = asked.pieces.slice(end).find((part) => typeof part === 'object' && !isLeftOut(part)) as
    | Part
    | undefined;
  if (stray === undefined) return { ...asked, pieces: asked.pieces.slice(0, end) };
  const { name } = asked.pieces[end] as Part;
  throw new KeyError(stray.name, `${asked.text}: <${stray.name}> is given without <${name}>; give both or neither`);
}
