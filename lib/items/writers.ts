import { contentsOf } from '../blueprint/attributes/contents';
import { type QuickTest, quickTest } from '../blueprint/attributes/quick';
import { isOpen, isPlainObject, mayLack, type Schema, shapeOf } from '../blueprint/attributes/schema';
import { isMember } from '../blueprint/membership';
import {
  type EntityOutline,
  type IndexBlueprint,
  type KeySource,
  keysIn,
  type Membership,
  membershipIn,
  rulesOf,
  type TableOutline,
} from '../blueprint/outline';
import { KeyError, valueAt } from '../design/template';
import type { Item } from './item';
import { renderer } from './renderer';

/** How items of an entity are written, prepared once. */
export interface EntityWriter {
  readonly primary: readonly KeyWriter[];
  /** The indexes that items of this entity can be in. */
  readonly indexes: readonly IndexWriter[];
  readonly keyOnly: ReadonlySet<string>;
  /** The attributes that hold others, whose names zod would drop without a word where it does not know them. */
  readonly maps: readonly string[];
  /** Whether an item may have attributes that the design does not name. */
  readonly isOpen: boolean;
  /** Of an entity whose attributes are all strings that can be told at once, as most are: how its items are made. */
  readonly quick?: QuickWriter;
}

interface IndexWriter {
  readonly keys: readonly KeyWriter[];
  /** Whether an item with these attributes is in it. */
  holds(attributes: object): boolean;
}

/** What it takes to make an item that lacks nothing without asking zod, which would take most of the time. */
interface QuickWriter {
  /** What tells of each attribute that its schema takes it, in the order of the design. */
  readonly tests: readonly QuickTest[];
  /**
   * An item with every attribute and every key, none of them filled in but the type: to copy it and fill it in takes half the
   * time that it takes to add them one by one.
   */
  readonly blank: Item;
}

/** Makes one key of an item. */
export interface KeyWriter {
  readonly name: string;
  /** The key that the attributes make. */
  write(attributes: object): unknown;
  readonly maxBytes: number;
  /** A key before it that is made by the same template, and so is the same. */
  readonly twin?: string;
}

const made = new WeakMap<EntityOutline, EntityWriter>();

export function writerOf(table: TableOutline, entity: EntityOutline): EntityWriter {
  let writer = made.get(entity);
  if (writer === undefined) {
    writer = makeWriter(table, entity);
    made.set(entity, writer);
  }
  return writer;
}

/** A natural key may hold anything but nothing. */
export function naturalKey(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') {
    throw new KeyError(name, `${name} is ${value === '' ? 'empty' : 'missing'}, and it is a key; give it a value`);
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new KeyError(name, `${name} holds half a surrogate pair, which would be lost; give whole characters`);
  }
  return value;
}

/** Makes a key of an item from its attributes. */
export function keyWriter(
  table: TableOutline,
  { attribute, natural, template }: KeySource,
): (attributes: object) => unknown {
  if (natural) return (attributes) => naturalKey(attribute, (attributes as Item)[attribute]);
  return renderer(template, rulesOf(table, attribute));
}

function makeWriter(table: TableOutline, entity: EntityOutline): EntityWriter {
  const { keys, schema, design } = entity;
  const twinOf = ({ attribute, natural, template }: KeySource) => {
    const first = Array.from(keys.values()).find((other) => other.template === template && !other.natural)?.attribute;
    // What is at the name of an attribute may be the attribute.
    return natural || first === attribute || entity.attributes.includes(first ?? '') ? undefined : first;
  };
  const writers = (sources: readonly KeySource[]) =>
    sources.map((source): KeyWriter => {
      const twin = twinOf(source);
      const { maxBytes } = rulesOf(table, source.attribute);
      const write = keyWriter(table, source);
      return { name: source.attribute, write, maxBytes, ...(twin === undefined ? {} : { twin }) };
    });
  const primary = writers(keysIn(entity, table.key) ?? []);
  const indexes = Array.from(indexesByTest(table, entity).values(), (indexes): IndexWriter => {
    const sources = indexes.flatMap((index) => keysIn(entity, index) ?? []);
    return { keys: writers(sources), holds: holder(entity, sources, membershipIn(entity, indexes[0])) };
  });
  const keyOnly = new Set(design.keyOnly);
  // The type is the table's, even where an attribute has its name.
  const isUsual = keyOnly.size === 0 && !entity.attributes.includes(table.typeAttribute ?? '') && isPlainObject(schema);
  const tests = isUsual ? Object.values(shapeOf(schema)).map(quickTest) : [undefined];
  const written = [...primary, ...indexes.flatMap((index) => index.keys)].map(({ name }) => name);
  return {
    primary,
    indexes,
    keyOnly,
    maps: Object.entries(shapeOf(schema)).flatMap(([name, part]) => (holdsMaps(part) ? [name] : [])),
    isOpen: isOpen(schema),
    ...(tests.every((test) => test !== undefined) ? { quick: { tests, blank: blankOf(table, entity, written) } } : {}),
  };
}

/** The indexes that an entity can be in, those together that an item is in for the same reason: it is looked at once. */
function indexesByTest({ indexes }: TableOutline, entity: EntityOutline): ReadonlyMap<string, Indexes> {
  const byTest = new Map<string, Indexes>();
  for (const index of indexes) {
    const sources = keysIn(entity, index);
    if (sources === undefined) continue;
    const test = JSON.stringify([lackingIn(entity, sources), membershipIn(entity, index)]);
    byTest.set(test, [...(byTest.get(test) ?? []), index] as unknown as Indexes);
  }
  return byTest;
}

type Indexes = readonly [IndexBlueprint, ...IndexBlueprint[]];

/** By way of JSON: of objects that grow name by name, the engine keeps only small ones in a form that is fast. */
function blankOf({ typeAttribute }: TableOutline, { attributes, type }: EntityOutline, keys: readonly string[]): Item {
  const names = new Set([...attributes, ...keys]);
  const fields = Array.from(names, (name) => `${JSON.stringify(name)}:null`);
  if (typeAttribute !== undefined) fields.push(`${JSON.stringify(typeAttribute)}:${JSON.stringify(type)}`);
  return JSON.parse(`{${fields.join()}}`);
}

function holdsMaps(schema: Schema): boolean {
  for (const { type } of contentsOf(schema)) if (type === 'object' || type === 'record') return true;
  return false;
}

/** Most keys are made of what every item has: only the others are looked at. */
function holder(
  entity: EntityOutline,
  sources: readonly KeySource[],
  membership: Membership,
): (attributes: object) => boolean {
  const lacking = lackingIn(entity, sources);
  return (attributes) => {
    for (let i = 0; i < lacking.length; i++) {
      if ((valueAt(attributes, lacking[i] as readonly string[]) ?? undefined) === undefined) return false;
    }
    return membership.length === 0 || isMember(membership, attributes);
  };
}

/** What keys are made of and an item may be without. */
function lackingIn({ schema }: EntityOutline, sources: readonly KeySource[]): readonly (readonly string[])[] {
  return sources.flatMap(({ template, optional }) =>
    optional ? template.holes.map(({ path }) => path).filter((path) => mayLack(schema, path)) : [],
  );
}
