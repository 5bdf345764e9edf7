import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { attributeAt } from '../../blueprint/attributes/facts';
import { samplesOf as samplesOfSchema } from '../../blueprint/attributes/samples';
import { isOpen, type Schema, schemaAt } from '../../blueprint/attributes/schema';
import { discriminatorsOf, has, membersOf, writtenSchema } from '../../blueprint/attributes/unions';
import { keyOf } from '../../blueprint/outline';
import { partsOfKey } from '../../blueprint/template-parts';
import { type Item, makeItem } from '../../items/item';
import { identity, type Known, type Logical, type Model } from './model';
import { asRead, parsedIn } from './reading';
import { withComputed } from './stamps';

type Side = 'old' | 'now';

/**
 * Returns sample items of every entity in one of the two designs: one for each union member, and one for each set of
 * indexes that can contain an item of the entity in either design. Writing the samples makes items enter and leave
 * every index.
 * @param isAlone whether the old design has no readers left; if so, the samples include an item for each value that
 * only the new design accepts
 */
export function samplesOf({ items }: Model, side: Side, isAlone = false): readonly Known[] {
  const found = new Map<string, Known>();
  for (const item of items) {
    const known = item[side];
    if (known === undefined) continue;
    for (const values of [known.values, ...toggled(item, known, isAlone)]) {
      const sample = { ...known, values };
      const place = JSON.stringify([
        known.table.name,
        known.entity.name,
        memberOf(sample),
        indexesOf(sample),
        indexesOfOther(item, side, values),
      ]);
      if (!found.has(place)) found.set(place, sample);
    }
    for (const [name, values] of isAlone ? newIn(item) : []) {
      const place = JSON.stringify([known.table.name, known.entity.name, name]);
      if (!found.has(place)) found.set(place, { ...known, values });
    }
  }
  return [...found.values()];
}

/**
 * Returns the attributes that decide, in either design, whether an index contains an item. Each attribute comes with
 * the values for which the index contains the item.
 */
export function decisive(item: Logical): ReadonlyMap<string, readonly unknown[]> {
  const listed = new Map<string, readonly unknown[]>();
  for (const known of [item.old, item.now]) {
    for (const { while: tests } of Object.values(known?.entity.design.indexes ?? {})) {
      for (const [name, values] of Object.entries(tests)) listed.set(name, [...(listed.get(name) ?? []), ...values]);
    }
  }
  return listed;
}

/**
 * Returns variants of an item's values, one for each value of each decisive attribute. Leaves out variants that the
 * schema refuses.
 */
function toggled(item: Logical, known: Known, isAlone: boolean): readonly Item[] {
  const { entity, values } = known;
  return [...decisive(item)].flatMap(([name, listed]) =>
    listed
      .filter((value) => isAlone || isReadable(item, known, name, value))
      .map((value) => ({ ...values, [name]: value }))
      .filter((made) => entity.schema.safeParse(made).success),
  );
}

/**
 * Whether the old design accepts a value that a new release writes. If a plan widens a schema, it first deploys a
 * release that can read the new values.
 */
export function isReadable(item: Logical, known: Known, name: string, value: unknown): boolean {
  if (item.old === undefined || known === item.old || known.entity === item.old.entity) return true;
  const former = Object.entries(item.renamed ?? {}).find(([, now]) => now === name)?.[0] ?? name;
  const schema = schemaAt(item.old.entity.schema, [former]);
  return !schema || schema.safeParse(value).success;
}

/**
 * Returns values that the new schema accepts and the old schema refuses or would read incompletely, each with the
 * attribute or union member responsible.
 */
function newIn({ old, now }: Logical): readonly (readonly [what: string, Item])[] {
  if (old === undefined || now === undefined) return [];
  const isNew = (made: Item, before: Known) =>
    accepts({ ...now, values: made }) && !accepts(before) && attempted(() => makeItem(now.table, now.entity, made));
  const shared = now.entity.attributes.filter((name) => old.entity.attributes.includes(name));
  const ofAttributes = shared.flatMap((name) => {
    const made = candidatesFor(now, name).map((value) => ({ known: withValue(now, name, value), value }));
    const found = made.find(({ known, value }) => {
      const stored = known.values[name] ?? value;
      return isNew(known.values, withValue(old, name, stored)) || (accepts(known) && isCut(old, name, stored));
    });
    return found === undefined ? [] : [[name, found.known.values] as const];
  });
  const ofMembers = membersOf(writtenSchema(now.entity.schema)).flatMap((member, i) => {
    const made = asMember(now, member);
    return made !== undefined && isNew(made, { ...old, values: made }) ? [[`member ${i}`, made] as const] : [];
  });
  const isOpened = isOpen(now.entity.schema) && !isOpen(old.entity.schema);
  return [
    ...ofAttributes,
    ...ofMembers,
    ...(isOpened ? [['undeclared', { ...now.values, undeclared: 'x' }] as const] : []),
  ];
}

/** Values to try for an attribute: undefined, null, the listed values, and values derived from the schema. */
function candidatesFor({ entity }: Known, name: string): readonly unknown[] {
  const { values = [] } = attributeAt(entity.design.attributes, [name]) ?? {};
  const schema = schemaAt(entity.schema, [name]);
  return [undefined, null, ...values, ...(schema ? samplesOfSchema(schema).map(({ given }) => given) : [])];
}

/**
 * An item of a given union member. Keeps the given item's values for the attributes that the member also declares,
 * except discriminators.
 */
function asMember({ entity, values }: Known, member: Schema): Item | undefined {
  const decisive = discriminatorsOf(entity.schema);
  const [sample] = samplesOfSchema(member);
  const kept = Object.entries(values).filter(([name]) => has(member, name) && !decisive.includes(name));
  return sample && { ...(sample.stored as Item), ...Object.fromEntries(kept) };
}

function withValue(known: Known, name: string, value: unknown): Known {
  const { [name]: _, ...rest } = known.values;
  const values = value === undefined ? rest : { ...rest, [name]: value };
  // Parsing fills an omitted value with its default.
  return { ...known, values: parsedIn(known.entity.schema, values) };
}

function accepts({ entity, values }: Known): boolean {
  return entity.schema.safeParse(values).success;
}

/** Whether this schema drops part of a value that a newer release stores in an attribute. */
function isCut({ entity, values }: Known, name: string, value: unknown): boolean {
  const { [name]: read } = asRead(entity.schema, { ...values, [name]: value });
  return read !== undefined && !isDeepStrictEqual(read, value);
}

/** The values that identify the union member that an item belongs to. */
function memberOf({ entity, values }: Known): readonly unknown[] {
  return discriminatorsOf(entity.schema).map((name) => values[name]);
}

/** The names of the indexes that contain an item. */
function indexesOf({ table, entity, values }: Known): readonly string[] {
  const stored = attempted(() => makeItem(table, entity, values)) ?? {};
  return table.indexes
    .filter((index) => keyOf(index).every(({ name }) => stored[name] !== undefined))
    .map(({ name }) => name);
}

function indexesOfOther(item: Logical, side: Side, values: Item): readonly string[] {
  const other = item[side === 'old' ? 'now' : 'old'];
  return other === undefined ? [] : indexesOf({ ...other, values: { ...other.values, ...values } });
}

/**
 * Returns the values of another item of the same entity, under a key that no item has yet. Returns undefined if the
 * schema accepts no such values.
 */
export function variant(model: Model, { table, entity, values }: Known, tag: string): Item | undefined {
  const inKey = keyOf(table.key).flatMap(({ name }) => partsOfKey(entity, name));
  const names = [...new Set(inKey.map(({ path: [name = ''] }) => name))];
  // Changes the last part of the key first, so that the new item stays in the same partition if possible.
  const others = names
    .reverse()
    .flatMap((name) => othersLike(values[name], tag).map((other) => ({ name, other })))
    .filter(({ name, other }) => model.isKeepable({ table, entity, values }, name, other));
  const uniques = model.uniquesOf(entity);
  const free = othersOf(
    model,
    { table, entity, values },
    new Set(uniques.flat().filter((name) => !names.includes(name))),
    tag,
  );
  for (const { name, other } of others) {
    const made = withComputed({ table, entity, values: { ...values, ...free, [name]: other } });
    const item = entity.schema.safeParse(made).success ? attempted(() => makeItem(table, entity, made)) : undefined;
    if (item === undefined) continue;
    const id = identity(table, item);
    const isTaken = [...model.items, ...model.deleted].some(({ old, now }) =>
      [old, now].some((other) => {
        if (other?.table !== table) return false;
        // A release of the other design may store values that the schema of this design refuses.
        const stored = attempted(() => makeItem(table, other.entity, other.values));
        return (
          (stored !== undefined && identity(table, stored) === id) ||
          (other.entity === entity && isRival(uniques, other.values, made))
        );
      }),
    );
    if (!isTaken) return made;
  }
  return undefined;
}

/** Whether two items of an entity claim the same guard. */
function isRival(uniques: ReturnType<Model['uniquesOf']>, one: Item, other: Item): boolean {
  return uniques.some((names) =>
    names.every((name) => one[name] !== undefined && told(one[name]) === told(other[name])),
  );
}

/**
 * Other values for the attributes that must be unique in either design, so that the new item claims no guard that an
 * existing item holds.
 */
function othersOf(model: Model, { entity, values }: Known, names: ReadonlySet<string>, tag: string): Item {
  const others: Item = {};
  for (const name of names) {
    if (values[name] === undefined) continue;
    const taken = new Set(
      [...model.items, ...model.deleted].flatMap(({ old, now }) =>
        [old, now].map((known) => told(known?.values[name])),
      ),
    );
    const candidates = Array.from({ length: 9 }, (_, i) => othersLike(values[name], `${tag}${i || ''}`)).flat();
    others[name] = candidates.find(
      (value) => !taken.has(told(value)) && entity.schema.safeParse({ ...values, ...others, [name]: value }).success,
    );
  }
  return others;
}

/** Converts a value to lower case, because its guard may store it that way. */
function told(value: unknown): string {
  return String(value).toLowerCase();
}

/** Values of the same kind as the given one, but different from it; equal tags produce equal values. */
export function othersLike(value: unknown, tag: string): readonly unknown[] {
  const digits = Number.parseInt(createHash('sha256').update(tag).digest('hex').slice(0, 6), 16);
  if (typeof value === 'number') return [value + 1 + (digits % 1000), value + 1];
  if (typeof value !== 'string') return [];
  const text = `${value.split(' ~')[0]}`;
  const time = /^\d{4}-\d\d-\d\dT.*Z$/.test(value) ? Date.parse(value) : Number.NaN;
  const later = Number.isNaN(time) ? [] : laterThan(time, value, digits);
  const short = `${text.slice(0, 2)}${digits.toString(36)}`;
  return [...later, `${text}-${tag}`, text.replace('@', `-${tag}@`), uuidOf(`${text}-${tag}`), short];
}

/**
 * Returns later timestamps. The first timestamp has the same precision as the given one, because a database may
 * reformat a timestamp of another precision.
 */
function laterThan(time: number, text: string, seconds: number): readonly string[] {
  const later = new Date(time + 1000 * (1 + seconds)).toISOString();
  const fraction = /:\d\d:\d\d(.*)$/.exec(text)?.[1];
  return [...(fraction === undefined ? [] : [`${later.slice(0, 19)}${fraction}`]), later];
}

/** A UUID derived from a string, for schemas that accept nothing else; equal strings produce equal UUIDs. */
function uuidOf(text: string): string {
  const [a, b, c, d, e] =
    createHash('sha256')
      .update(text)
      .digest('hex')
      .match(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})/)
      ?.slice(1) ?? [];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

function attempted(make: () => Item): Item | undefined {
  try {
    return make();
  } catch {
    // Skips values that cannot be part of a key.
    return undefined;
  }
}
