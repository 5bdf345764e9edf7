import { attributeAt, attributeNames, namesWithin } from '../../../lib/blueprint/attributes/facts';
import type { Schema } from '../../../lib/blueprint/attributes/schema';
import { objectOf } from '../../../lib/blueprint/attributes/unions';
import { tablesAcross } from '../../../lib/blueprint/shares';
import { isEveryShard, shownPart } from '../../../lib/blueprint/template-parts';
import type { SystemPattern } from '../../../lib/design/across';
import { shardsOf } from '../../../lib/design/formats';
import type { KeyCondition, PatternDesign, Write } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { EntityDesign, IndexDesign, TableDesign } from '../../../lib/design/table';
import { type Part, template } from '../../../lib/design/template';
import { changed } from '../../support/changed';

/** A system with one broken part. */
export interface Mutant {
  /** The broken part, before and after the change: `blog.entities.Post.keys.PK: 'POST#<postId>' → 'POST#<title>'`. */
  readonly name: string;
  readonly system: SystemDesign;
  readonly table: string;
  /** The entity or pattern that contains the broken part, if any. */
  readonly entity?: string;
  readonly pattern?: string;
}

type Change = Pick<Mutant, 'entity' | 'pattern'> & { readonly path: readonly string[]; readonly to: unknown };

/** Yields a mutant for every way to break one key, index, projection, template or pattern of a system. */
export function* mutantsOf(system: SystemDesign): Iterable<Mutant> {
  for (const [pattern, design] of Object.entries(system.patterns ?? {})) {
    const [table = ''] = tablesAcross(design);
    for (const { path, to } of acrossChanges(['patterns', pattern], design)) {
      const name = `${path.join('.')}: ${show(at(system, path))} → ${show(to)}`;
      yield { name, table, pattern, system: changed(system, path, to) };
    }
  }
  for (const [table, design] of Object.entries(system.tables)) {
    const seen = new Set<string>();
    for (const { path, to, ...about } of changesOf(design)) {
      const name = `${table}.${path.join('.')}: ${show(at(design, path))} → ${show(to)}`;
      if (seen.has(name)) continue;
      seen.add(name);
      yield { name, table, ...about, system: changed(system, ['tables', table, ...path], to) };
    }
  }
}

function* acrossChanges(path: readonly string[], design: SystemPattern): Iterable<Omit<Change, 'pattern'>> {
  if (design.op === 'transaction') {
    for (const [step, write] of Object.entries(design.steps)) {
      yield { path: [...path, 'steps', step], to: undefined };
      if (write.op !== 'release') yield* writeChanges([...path, 'steps', step], write);
    }
    return;
  }
  for (const [read, { where }] of Object.entries(design.reads)) {
    yield { path: [...path, 'reads', read], to: undefined };
    yield* whereChanges([...path, 'reads', read, 'where'], where);
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value);
}

function show(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value).replaceAll('"', "'");
}

function* changesOf(design: TableDesign): Iterable<Change> {
  for (const [entity, { keys = {}, ...rest }] of Object.entries(design.entities)) {
    for (const [key, text] of Object.entries(keys)) {
      const path = ['entities', entity, 'keys', key];
      yield { entity, path, to: undefined };
      for (const to of brokenKeys(text, { keys, ...rest })) yield { entity, path, to };
    }
    for (const [name, { owner }] of Object.entries(rest.unique ?? {})) {
      const path = ['entities', entity, 'unique', name];
      yield { entity, path, to: undefined };
      if (owner !== undefined) yield { entity, path: [...path, 'owner'], to: undefined };
    }
    yield* writtenChanges(entity, rest);
    for (const [index, { while: tests }] of Object.entries(rest.indexes ?? {})) {
      yield { entity, path: ['entities', entity, 'indexes', index], to: undefined };
      for (const [attribute, values] of Object.entries(tests)) {
        const path = ['entities', entity, 'indexes', index, 'while', attribute];
        for (const left of values)
          if (values.length > 1) yield { entity, path, to: values.filter((one) => one !== left) };
      }
    }
  }
  yield* keyChanges(['key'], design.key);
  for (const [name, index] of Object.entries(design.indexes ?? {})) {
    yield { path: ['indexes', name], to: undefined };
    yield* keyChanges(['indexes', name], index);
    if (index.local) yield { path: ['indexes', name, 'local'], to: undefined };
    for (const to of otherProjections(index.projection)) yield { path: ['indexes', name, 'projection'], to };
  }
  if (design.ttl !== undefined) for (const to of [undefined, `${design.ttl}2`]) yield { path: ['ttl'], to };
  for (const [pattern, broken] of Object.entries(design.patterns ?? {})) {
    for (const change of patternChanges(design, ['patterns', pattern], broken)) yield { pattern, ...change };
  }
}

/**
 * Yields changes that break the attributes that the library writes itself. Each change leaves one attribute out,
 * renames it, or computes a different value.
 */
function* writtenChanges(
  entity: string,
  { version, timestamps = {}, computed = {}, stored = {} }: Omit<EntityDesign, 'keys'>,
): Iterable<Change> {
  const path = ['entities', entity];
  for (const [name, short] of Object.entries(stored)) {
    yield { entity, path: [...path, 'stored', name], to: undefined };
    yield { entity, path: [...path, 'stored', name], to: `${short}2` };
  }
  if (version !== undefined) yield { entity, path: [...path, 'version'], to: undefined };
  for (const field of Object.keys(timestamps)) yield { entity, path: [...path, 'timestamps', field], to: undefined };
  for (const [name, made] of Object.entries(computed)) {
    yield { entity, path: [...path, 'computed', name], to: undefined };
    if (typeof made === 'string') yield { entity, path: [...path, 'computed', name], to: `${made}!` };
    else yield { entity, path: [...path, 'computed', name], to: made.sorted.join(made.separator ?? '#') };
  }
}

function* keyChanges(path: readonly string[], key: IndexDesign): Iterable<Change> {
  for (const side of ['partition', 'sort'] as const) {
    const names = key[side];
    if (names === undefined || typeof names === 'string') continue;
    yield { path: [...path, side], to: names.toReversed() };
    for (const left of names) yield { path: [...path, side], to: names.filter((name) => name !== left) };
  }
  if (key.sort === undefined) return;
  yield { path, to: { ...key, partition: key.sort, sort: key.partition } };
  yield { path: [...path, 'sort'], to: undefined };
}

function* otherProjections(projection: 'all' | 'keys' | readonly string[] = 'all'): Iterable<unknown> {
  if (projection !== 'keys') yield 'keys';
  if (projection !== 'all') yield 'all';
  if (typeof projection === 'string') yield ['createdAt'];
  else for (const left of projection) yield projection.filter((attribute) => attribute !== left);
}

/**
 * Yields variants of a template. In each variant, one literal or part is changed or dropped, one part loses its format,
 * or two parts are swapped.
 */
function* brokenKeys(text: string, entity: EntityDesign): Iterable<string> {
  const { pieces } = template(text);
  const texts = pieces.map((part) => (typeof part === 'string' ? part : written(part)));
  const but = (i: number, to: string) => texts.with(i, to).join('');
  for (const [i, part] of pieces.entries()) {
    if (typeof part === 'string') {
      yield but(i, otherLiteral(part));
      if (pieces.length > 1) yield but(i, '');
      continue;
    }
    for (const name of alternatives(entity, part)) yield but(i, written({ ...part, name }));
    for (const other of otherShards(part)) yield but(i, other);
    for (const format of otherFormats(part)) yield but(i, written({ ...part, format }));
    if (part.format !== undefined) yield but(i, `<${part.name}>`);
    if (pieces.length > 1) yield but(i, '').replace(/##|^#|#$/, (found) => (found === '##' ? '#' : ''));
    for (const [j, other] of pieces.entries()) {
      if (j > i && typeof other === 'object') yield texts.with(i, written(other)).with(j, written(part)).join('');
    }
  }
}

/** Returns the opposite letter case, or a bucket of twice the length. */
function otherFormats({ format }: Part): readonly Part['format'][] {
  if (format === 'lower' || format === 'upper') return [format === 'lower' ? 'upper' : 'lower'];
  const [, length, unit] = /^bucket\((\d+)(.)\)$/.exec(`${format}`) ?? [];
  return length === undefined ? [] : [`bucket(${2 * Number(length)}${unit})` as Part['format']];
}

/** Returns the part with one more shard than the design has. */
function otherShards(part: Part): readonly string[] {
  const shards = shardsOf(part);
  if (shards === undefined) return [];
  return [shownPart({ ...part, format: `${isEveryShard(part) ? 'every' : 'shard'}:${shards + 1}` as Part['format'] })];
}

function written({ name, format, optional }: Pick<Part, 'name' | 'format' | 'optional'>): string {
  if (shardsOf({ format }) !== undefined) return shownPart({ name, format });
  return `<${name}${format === undefined ? '' : `:${format}`}${optional ? '?' : ''}>`;
}

/** Changes the first letter of a literal, or appends to a literal without letters. */
function otherLiteral(text: string): string {
  const other = text.replace(/\p{L}/u, (letter) => (letter === 'Z' ? 'Y' : 'Z'));
  return other === text ? `${text}Z#` : other;
}

/**
 * Returns the attributes that could replace a part. Prefers attributes of the same kind and format, then of the same
 * kind, then any others.
 */
function alternatives({ attributes }: EntityDesign, part: Part): readonly string[] {
  const facts = (name: string) => attributeAt(attributes, name.split('.'));
  const { kind, format } = facts(part.name) ?? {};
  const others = namesIn(attributes).filter((name) => name !== part.name);
  const ofKind = others.filter((name) => facts(name)?.kind === kind);
  const ofForm = ofKind.filter((name) => facts(name)?.format === format);
  return [ofForm, ofKind, others].find((names) => names.length > 0) ?? [];
}

/** Returns all attributes that can be in a key, including attributes inside maps. */
function namesIn(attributes: EntityDesign['attributes']): readonly string[] {
  const schema = objectOf(attributes as unknown as Schema);
  return attributeNames(schema).flatMap((name) => {
    const kind = attributeAt(schema, [name])?.kind;
    if (kind === 'string' || kind === 'number') return [name];
    const inner = kind === 'map' ? namesWithin(schema, [name]) : [];
    return inner
      .map((step) => `${name}.${step}`)
      .filter((path) => ['string', 'number'].includes(attributeAt(schema, path.split('.'))?.kind ?? ''));
  });
}

function* patternChanges(
  design: TableDesign,
  path: readonly string[],
  pattern: PatternDesign,
): Iterable<Omit<Change, 'pattern'>> {
  switch (pattern.op) {
    case 'get':
      yield* whereChanges([...path, 'where'], pattern.where);
      break;
    case 'batchGet':
    case 'transactGet':
      for (const [key, where] of Object.entries(pattern.keys)) {
        yield { path: [...path, 'keys', key], to: undefined };
        yield* whereChanges([...path, 'keys', key], where);
      }
      break;
    case 'query':
      yield* whereChanges([...path, 'where'], pattern.where);
      yield { path: [...path, 'order'], to: pattern.order === 'descending' ? 'ascending' : 'descending' };
      if (pattern.each !== undefined) yield { path: [...path, 'merge'], to: pattern.merge === true ? undefined : true };
      for (const index of [undefined, ...Object.keys(design.indexes ?? {})]) {
        if (index !== pattern.index) yield { path: [...path, 'index'], to: index };
      }
      yield* testChanges([...path, 'filter'], pattern.filter);
      for (const [list, entity] of Object.entries(pattern.group ?? {})) {
        yield { path: [...path, 'group', list], to: undefined };
        for (const to of pattern.returns) if (to !== entity) yield { path: [...path, 'group', list], to };
      }
      for (const left of pattern.select ?? []) {
        yield { path: [...path, 'select'], to: pattern.select?.filter((attribute) => attribute !== left) };
      }
      if (pattern.select !== undefined) yield { path: [...path, 'select'], to: undefined };
      break;
    case 'scan':
      for (const index of [undefined, ...Object.keys(design.indexes ?? {})]) {
        if (index !== pattern.index) yield { path: [...path, 'index'], to: index };
      }
      yield* testChanges([...path, 'filter'], pattern.filter);
      break;
    case 'find':
    case 'release':
      break;
    case 'transaction':
    case 'batchWrite':
      for (const [step, write] of Object.entries(pattern.steps)) {
        yield { path: [...path, 'steps', step], to: undefined };
        if (write.op !== 'release') yield* writeChanges([...path, 'steps', step], write);
      }
      break;
    default:
      yield* writeChanges(path, pattern);
  }
}

function* writeChanges(path: readonly string[], write: Write): Iterable<Change> {
  if ('where' in write) yield* whereChanges([...path, 'where'], write.where);
  yield* testChanges([...path, 'condition'], write.condition);
  for (const field of ['set', 'add', 'subtract', 'item'] as const) {
    const assigned = (write as { readonly [F in typeof field]?: object })[field] ?? {};
    for (const [name, value] of Object.entries(assigned)) {
      yield { path: [...path, field, name], to: undefined };
      for (const to of typeof value === 'object' && value !== null ? otherAssignments(value) : [])
        yield { path: [...path, field, name], to };
    }
  }
  yield* turnedRound(path, write);
  for (const field of ['set', 'add', 'subtract', 'condition'] as const) {
    const fields = (write as { readonly [F in typeof field]?: Readonly<Record<string, unknown>> })[field] ?? {};
    for (const [name, value] of Object.entries(fields)) {
      const { [name]: _, ...others } = fields;
      for (const other of otherPositions(name)) yield { path: [...path, field], to: { ...others, [other]: value } };
    }
  }
  const { remove = [] } = write as { readonly remove?: readonly string[] };
  for (const left of remove) yield { path: [...path, 'remove'], to: remove.filter((name) => name !== left) };
  for (const [i, name] of remove.entries()) {
    for (const other of otherPositions(name)) yield { path: [...path, 'remove'], to: remove.with(i, other) };
  }
  // `replace` and `upsert` decide the implicit condition of a put or an update.
  if (write.op === 'put') yield { path: [...path, 'replace'], to: !write.replace };
  if (write.op === 'update') yield { path: [...path, 'upsert'], to: !write.upsert };
  if ('unchanged' in write) yield { path: [...path, 'unchanged'], to: undefined };
}

/** Turns `add` into `subtract`, and vice versa. */
function* turnedRound(path: readonly string[], write: Write): Iterable<Change> {
  if (write.op !== 'update') return;
  for (const [from, to] of [
    ['add', 'subtract'],
    ['subtract', 'add'],
  ] as const) {
    for (const [name, value] of Object.entries(write[from] ?? {})) {
      const { [name]: _, ...left } = write[from] ?? {};
      const { [from]: __, ...rest } = write;
      const kept = Object.keys(left).length === 0 ? {} : { [from]: left };
      yield { path, to: { ...rest, ...kept, [to]: { ...write[to], [name]: value } } };
    }
  }
}

/** Replaces the list position in a path: a number with the next number, and a parameter with 0. */
function otherPositions(path: string): readonly string[] {
  const other = path.replace(/\[(\d+|<[^<>]*>)\]/, (_, at: string) => `[${at.startsWith('<') ? 0 : Number(at) + 1}]`);
  return other === path ? [] : [other];
}

function* otherAssignments(value: object): Iterable<unknown> {
  if ('append' in value) yield { prepend: value.append };
  if ('prepend' in value) yield { append: value.prepend };
  if ('ifMissing' in value) {
    yield value.ifMissing;
    const { ifMissing: said } = value;
    yield {
      ifMissing: typeof said === 'number' ? said + 1 : typeof said === 'boolean' ? !said : otherLiteral(String(said)),
    };
  }
}

function* testChanges(path: readonly string[], tests: object | undefined): Iterable<Change> {
  for (const name of Object.keys(tests ?? {})) {
    const { [name]: _, ...others } = tests as Record<string, unknown>;
    yield { path, to: Object.keys(others).length === 0 ? undefined : others };
    const { [name]: said } = tests as Record<string, unknown>;
    if (Array.isArray(said)) {
      yield { path, to: { ...others, [name === 'any' ? 'none' : 'any']: said } };
      for (const left of said)
        if (said.length > 1) yield { path: [...path, name], to: said.filter((one) => one !== left) };
      for (const [i, one] of said.entries()) yield* testChanges([...path, name, String(i)], one as object);
    }
  }
}

function* whereChanges(path: readonly string[], where: Readonly<Record<string, KeyCondition>>): Iterable<Change> {
  for (const [attribute, condition] of Object.entries(where)) {
    const place = [...path, attribute];
    if (typeof condition === 'string') {
      for (const to of brokenLiterals(condition)) yield { path: place, to };
      continue;
    }
    yield { path: place, to: undefined };
    for (const [comparison, bound] of Object.entries(condition) as [string, string | readonly string[]][]) {
      if (typeof bound === 'string') {
        for (const to of brokenLiterals(bound)) yield { path: place, to: { [comparison]: to } };
        yield { path: place, to: bound };
      } else {
        for (const [i, one] of bound.entries()) {
          for (const to of brokenLiterals(one)) yield { path: place, to: { [comparison]: bound.with(i, to) } };
        }
        yield { path: place, to: { [comparison]: bound.toReversed() } };
      }
    }
  }
}

function* brokenLiterals(text: string): Iterable<string> {
  const { pieces } = template(text);
  const texts = pieces.map((part) => (typeof part === 'string' ? part : written(part)));
  for (const [i, part] of pieces.entries()) {
    if (typeof part === 'string') yield texts.with(i, otherLiteral(part)).join('');
    else for (const other of otherShards(part)) yield texts.with(i, other).join('');
  }
}
