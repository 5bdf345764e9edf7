import { contentsOf } from '../blueprint/attributes/contents';
import { isOpen, mayLack, type Schema, shapeOf } from '../blueprint/attributes/schema';
import { isMember } from '../blueprint/membership';
import {
  type EntityOutline,
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
}

interface IndexWriter {
  readonly keys: readonly KeyWriter[];
  /** Whether an item with these attributes is in it. */
  holds(attributes: object): boolean;
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
    throw new KeyError(name, `${name} holds half a surrogate pair, which is lost when stored; give whole characters`);
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
  return {
    primary: writers(keysIn(entity, table.key) ?? []),
    indexes: table.indexes.flatMap((index): readonly IndexWriter[] => {
      const sources = keysIn(entity, index);
      return sources === undefined
        ? []
        : [{ keys: writers(sources), holds: holder(entity, sources, membershipIn(entity, index)) }];
    }),
    keyOnly: new Set(design.keyOnly),
    maps: Object.entries(shapeOf(schema)).flatMap(([name, part]) => (holdsMaps(part) ? [name] : [])),
    isOpen: isOpen(schema),
  };
}

function holdsMaps(schema: Schema): boolean {
  for (const { type } of contentsOf(schema)) if (type === 'object' || type === 'record') return true;
  return false;
}

/** Most keys are made of what every item has: only the others are looked at. */
function holder(
  { schema }: EntityOutline,
  sources: readonly KeySource[],
  membership: Membership,
): (attributes: object) => boolean {
  const lacking = sources.flatMap(({ template, optional }) =>
    optional ? template.holes.map(({ path }) => path).filter((path) => mayLack(schema, path)) : [],
  );
  return (attributes) => {
    for (let i = 0; i < lacking.length; i++) {
      if ((valueAt(attributes, lacking[i] as readonly string[]) ?? undefined) === undefined) return false;
    }
    return isMember(membership, attributes);
  };
}
