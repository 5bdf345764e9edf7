import { createHash } from 'node:crypto';
import { etagOf } from '../../azure-tables/etag';
import { keyOf, type PatternBlueprint } from '../../blueprint/outline';
import { partsOfKey } from '../../blueprint/template-parts';
import { isInside } from '../../blueprint/updates';
import type { PutPattern, UpdatePattern } from '../../design/pattern';
import { loneHole, match, template } from '../../design/template';
import { type Item, makeItem } from '../../items/item';
import { identity, type Known, type Logical, type Model } from './model';
import { type Call, waysTo } from './reach';

/** A running release: its patterns, and which of the two designs it has. */
export interface Release {
  readonly name: string;
  readonly side: 'old' | 'now';
  readonly calls: Readonly<Record<string, Call>>;
  /** Whether it may call a pattern: a new one has to wait for the switch. */
  may(pattern: string): boolean;
}

/** How many writes a release sent, and the first that failed. */
export interface Written {
  readonly count: number;
  readonly failure?: string;
}

/**
 * Lets a release work: it puts a new item of every entity that it can put, and sends every update it can, to that item and to
 * one that was there before.
 */
export async function work(release: Release, model: Model, tag: string): Promise<Written> {
  const { side, calls } = release;
  let count = 0;
  const attempt = async (
    name: string,
    values: object,
    label: string,
    unchanged?: Known,
  ): Promise<string | undefined> => {
    count++;
    try {
      await (calls[name] as Call)(values, unchanged && (await etagFor(release, unchanged)));
      return undefined;
    } catch (error) {
      return `${label}: ${name}(${JSON.stringify(values)}) of ${release.name} fails: ${(error as Error).name}: ${(error as Error).message}`;
    }
  };
  for (const known of samplesOf(model, side)) {
    const { table, entity } = known;
    const own = table.patterns.filter(({ name }) => release.may(name));
    const put = own.find(({ design }) => design.op === 'put' && design.entity === entity.name && isPlain(design));
    const values = put && variant(model, known, tag);
    if (put === undefined || values === undefined) continue;
    const failure = await attempt(put.name, values, `a new ${entity.name}`);
    if (failure !== undefined) return { count, failure };
    const label = `${entity.name} that ${release.name} put in ${tag}`;
    const written =
      side === 'old'
        ? model.addOld(table.name, entity.name, values, label)
        : model.addNew(table.name, entity.name, values, label);
    const there = model.items.filter((item) => item !== written && !item.isSeed && item[side]?.entity === entity);
    for (const update of own.filter(({ design }) => design.op === 'update' && design.entity === entity.name)) {
      for (const item of [written, there[0]].filter((candidate) => candidate !== undefined)) {
        const call = updating(update, item[side] as Known, tag);
        if (call === undefined) continue;
        const isUnchanged = (update.design as UpdatePattern).unchanged === true;
        const failed = await attempt(update.name, call.values, item.label, isUnchanged ? item[side] : undefined);
        if (failed !== undefined) return { count, failure: failed };
        model.set(item, side, call.set);
      }
    }
  }
  return { count };
}

/** One item of every entity of a side. */
function samplesOf({ items }: Model, side: Release['side']): readonly Known[] {
  const found = new Map<unknown, Known>();
  for (const item of items) {
    const known = (item as Logical)[side];
    if (known !== undefined && !found.has(known.entity)) found.set(known.entity, known);
  }
  return [...found.values()];
}

function isPlain({ item, condition, unchanged }: PutPattern): boolean {
  return item === undefined && condition === undefined && unchanged !== true;
}

/** The ETag of an item as a release reads it, for a write that needs the item to be unchanged. */
async function etagFor({ calls, may }: Release, known: Known): Promise<{ readonly etag?: string }> {
  const gets = known.table.patterns.flatMap(({ name, design }) => (design.op === 'get' && may(name) ? [name] : []));
  const way = waysTo(known).find(({ pattern }) => gets.includes(pattern));
  const etag = way && etagOf((await (calls[way.pattern] as Call)(way.values)) as Item | undefined);
  return etag === undefined ? {} : { etag };
}

/** The values of another item of the same entity, with a key that is free; undefined if the schema accepts none. */
function variant(model: Model, { table, entity, values }: Known, tag: string): Item | undefined {
  const inKey = keyOf(table.key).flatMap(({ name }) => partsOfKey(entity, name));
  const names = [...new Set(inKey.map(({ path: [name = ''] }) => name))];
  // Change the last part of the key first, so that the item stays in its partition among others, if it can.
  const others = names
    .reverse()
    .flatMap((name) => [`${values[name]}-${tag}`, uuidOf(`${values[name]}-${tag}`)].map((other) => ({ name, other })));
  for (const { name, other } of others) {
    const made = { ...values, [name]: other };
    if (typeof values[name] !== 'string' || !entity.schema.safeParse(made).success) continue;
    const id = identity(table, makeItem(table, entity, made));
    const isTaken = model.items.some(({ old, now }) =>
      [old, now].some(
        (other) => other?.table === table && identity(table, makeItem(table, other.entity, other.values)) === id,
      ),
    );
    if (!isTaken) return made;
  }
  return undefined;
}

/** A UUID made from a text, for schemas that accept nothing else; equal texts give equal UUIDs. */
function uuidOf(text: string): string {
  const [a, b, c, d, e] =
    createHash('sha256')
      .update(text)
      .digest('hex')
      .match(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})/)
      ?.slice(1) ?? [];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

/** The values to call an update of an item with, and the attributes it sets; undefined if they are not known. */
function updating(
  { design }: PatternBlueprint,
  { table, entity, values }: Known,
  tag: string,
): { readonly values: Item; readonly set: Item } | undefined {
  const { where, set = {}, condition, add, subtract, remove } = design as UpdatePattern;
  if ([condition, add, subtract, remove].some((part) => part !== undefined)) return undefined;
  const stored = makeItem(table, entity, values);
  const given: Item = {};
  for (const [name, text] of Object.entries(where)) {
    const own = match(template(text), String(stored[name]), table.separator);
    if (own === undefined) return undefined;
    Object.assign(given, own);
  }
  const changed: Item = {};
  for (const [attribute, text] of Object.entries(set)) {
    const hole = typeof text === 'string' ? loneHole(template(text)) : undefined;
    if (hole === undefined || isInside(attribute) || typeof values[attribute] !== 'string') return undefined;
    const next = `${String(values[attribute]).split(' ~')[0]} ~${tag}`;
    changed[attribute] = entity.schema.safeParse({ ...values, [attribute]: next }).success ? next : values[attribute];
    given[hole.name] = changed[attribute];
  }
  // Changing a part of the primary key would move the item.
  const isMoving = keyOf(table.key).some(({ name }) =>
    partsOfKey(entity, name).some(({ path: [part = ''] }) => Object.hasOwn(changed, part)),
  );
  return isMoving ? undefined : { values: given, set: changed };
}
