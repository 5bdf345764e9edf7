import { isDeepStrictEqual } from 'node:util';
import { AZURE_TABLES } from '../../blueprint/clouds';
import type { TableOutline } from '../../blueprint/outline';
import { type Item, ItemError } from '../../items/item';
import { type Column, columnsOf, type Entity, type Property, type RawEntity, toProperty, valueIn } from '../edm';
import { itemOfEntity, keysOf, propertiesIn } from '../entity';

/** The property that marks an unfinished copy, and identifies the original and the copied content. */
export const MARK = 'tablewrightMove';

export interface Mark {
  /** The original: the name of its table in the system, and its keys. */
  readonly from: readonly [table: string, partitionKey: string, rowKey: string];
  /** The ETag of the original. */
  readonly etag: string;
  /** The hash of the copied properties. */
  readonly hash: string;
  /**
   * Whether the copy was verified while the original still existed. If the flag is set and the original is gone, the
   * migration deleted the original. If the flag is not set and the original is gone, the item itself was deleted, and
   * the copy must be deleted too.
   */
  readonly isSettled?: boolean;
}

/** The mark of an unfinished copy; undefined for any other entity. */
export function markIn(raw: RawEntity): Mark | undefined {
  const text = valueIn(raw[MARK]);
  try {
    return typeof text === 'string' ? (JSON.parse(text) as Mark) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the stored properties of an entity, without its mark. */
export function storedIn(raw: RawEntity): Record<string, Property> {
  const own = propertiesIn(raw).filter(([name]) => name !== MARK);
  return Object.fromEntries(own) as Record<string, Property>;
}

/** Reads an item that may fit either design: decodes each property with the design that gives it the stored type. */
export function itemBetween(before: TableOutline | undefined, after: TableOutline | undefined, raw: RawEntity): Item {
  const sides = [before, after].filter((side) => side !== undefined);
  const { [MARK]: _, ...rest } = raw;
  const keys = { partitionKey: raw.partitionKey, rowKey: raw.rowKey };
  const item = itemOfEntity(sides[0] as TableOutline, keys);
  for (const [name, property] of Object.entries(storedIn(rest))) {
    const type = (Object(property) as { type?: string }).type;
    const fits = (side: TableOutline) => columnIn(side, name)?.type === type;
    const knows = (side: TableOutline) => columnIn(side, name) !== undefined;
    const isMark = sides.some(({ typeAttribute }) => typeAttribute === name) && !sides.some(knows);
    if (isMark) {
      item[name] = valueIn(property);
      continue;
    }
    const order = [after, before, ...sides].filter(
      (side, i) => side !== undefined && (i > 1 ? knows(side) : fits(side)),
    );
    item[name] = firstOf(order as readonly TableOutline[], name, { ...keys, [name]: property }) ?? property;
  }
  return item;
}

/** Decodes the value with the first design that can read it. */
function firstOf(sides: readonly TableOutline[], name: string, raw: RawEntity): unknown {
  for (const [i, side] of sides.entries()) {
    try {
      return itemOfEntity(side, raw)[name];
    } catch (error) {
      if (!(error instanceof ItemError) || i === sides.length - 1) throw error;
    }
  }
  return undefined;
}

/**
 * The reverse of `itemBetween`: encodes each property of an item with the new design, or with the old design if the new
 * design does not have the property.
 */
export function entityBetween(before: TableOutline | undefined, after: TableOutline | undefined, item: Item): Entity {
  const sides = [after, before].filter((side) => side !== undefined);
  const properties = Object.entries(item).flatMap(([name, value]): [string, Property][] => {
    if (KEYS.includes(name)) return [];
    const column = sides.map((side) => columnIn(side, name)).find((found) => found !== undefined);
    const property = column === undefined ? (value as Property) : toProperty(column, value);
    return property === undefined || property === null ? [] : [[name, property]];
  });
  return { ...keysOf(item), ...Object.fromEntries(properties) } as Entity;
}

export const KEYS: readonly string[] = Object.values(AZURE_TABLES.key);

function columnIn({ entities }: TableOutline, name: string): Column | undefined {
  return entities.map((entity) => columnsOf(entity).get(name)).find((column) => column !== undefined);
}

/**
 * Returns an item's properties as stored: unchanged properties keep the value that was read, and the new design encodes
 * the others.
 */
export function propertiesFor(
  after: TableOutline,
  entity: string,
  next: Item,
  old: { readonly item: Item; readonly raw: RawEntity },
): Record<string, Property> {
  const columns = columnsOf(after.entities.find(({ name }) => name === entity) ?? (after.entities[0] as never));
  const made: Record<string, Property> = {};
  for (const [name, value] of Object.entries(next)) {
    if (KEYS.includes(name)) continue;
    const column = columns.get(name);
    const isKept = Object.hasOwn(old.raw, name) && isDeepStrictEqual(old.item[name], value);
    const property = isKept
      ? (old.raw[name] as Property)
      : column === undefined
        ? (value as Property)
        : toProperty(column, value);
    if (property !== undefined && property !== null) made[name] = property;
  }
  return made;
}
