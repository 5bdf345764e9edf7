import { AZURE_TABLES } from '../blueprint/clouds';
import type { EntityOutline, TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { partsOf } from '../blueprint/template-parts';
import { holdsWhole, KeyError, match } from '../design/template';
import { type Item, ItemError, readItem } from '../items/item';
import {
  columnsOf,
  type Entity,
  fromProperty,
  isNullWhenMissing,
  type Property,
  type RawEntity,
  toProperty,
  valueIn,
} from './edm';

const { partition: PARTITION, sort: ROW } = AZURE_TABLES.key;

/** The entity that stores an item; throws if Azure Tables would refuse the entity. */
export function entityOfItem(entity: EntityOutline, item: Item): Entity {
  const made = { ...keysOf(item) } as Entity;
  const columns = columnsOf(entity);
  for (const [name, value] of Object.entries(item)) {
    if (name === PARTITION || name === ROW) continue;
    const column = columns.get(name);
    const property = column === undefined ? (value as Property) : toProperty(column, value);
    if (property !== undefined) made[name] = property;
  }
  refuseTooLarge(entity.name, made);
  return made;
}

/** The item in a stored entity, without `etag` and the other properties that the service adds. */
export function itemOfEntity(table: TableOutline, raw: RawEntity): Item {
  return typed(table, { [PARTITION]: raw.partitionKey, [ROW]: raw.rowKey, ...Object.fromEntries(propertiesIn(raw)) });
}

/** The properties of an entity, without its keys and the properties that the service adds. */
export function propertiesIn(entity: object): [string, unknown][] {
  const reserved: readonly string[] = AZURE_TABLES.reservedNames;
  return Object.entries(entity).filter(([name]) => !name.startsWith('odata.') && !reserved.includes(name));
}

/**
 * Converts each property with the first entity that declares it, because all entities that declare a property agree on
 * its type.
 */
function typed(table: TableOutline, item: Item): Item {
  const read: Item = {};
  for (const [name, property] of Object.entries(item)) {
    const owner = table.entities.find((entity) => columnsOf(entity).has(name));
    const column = owner && columnsOf(owner).get(name);
    // The type attribute belongs to the table, so it is not a column of any entity.
    const plain = name === table.typeAttribute ? valueIn(property) : property;
    read[name] = owner === undefined || column === undefined ? plain : fromProperty(owner, column, property);
  }
  return read;
}

/** The values of a stored item, converted to the design's types. */
export function readEntity(table: TableOutline, entity: EntityOutline, raw: Item, selected?: readonly string[]): Item {
  const item = naming.read(entity, raw);
  const missing = entity.attributes.filter(
    (name) => !Object.hasOwn(item, name) && !entity.design.keyOnly?.includes(name) && isNullWhenMissing(entity, name),
  );
  const whole = missing.length === 0 ? item : { ...item, ...Object.fromEntries(missing.map((name) => [name, null])) };
  return readItem(table, entity, asInKeys(table, entity, whole), selected);
}

/** If the schema allows several precisions, takes the exact text of a time from the item's key. */
function asInKeys({ separator }: TableOutline, entity: EntityOutline, item: Item): Item {
  const read = { ...item };
  for (const { name, precisions } of columnsOf(entity).values()) {
    if (precisions.length < 2 || !Object.hasOwn(item, name)) continue;
    for (const { attribute, template, natural } of entity.keys.values()) {
      const isWhole = !natural && partsOf(template).some((part) => part.name === name && holdsWhole(part));
      const text = isWhole ? match(template, String(item[attribute]), separator)?.[name] : undefined;
      if (typeof text === 'string' && Date.parse(text) === Date.parse(String(item[name]))) read[name] = text;
    }
  }
  return read;
}

/** The PartitionKey and the RowKey of an item, under the SDK's names. */
export function keysOf(item: Item): { partitionKey: string; rowKey: string } {
  return { partitionKey: legalKey(PARTITION, item[PARTITION]), rowKey: legalKey(ROW, item[ROW]) };
}

/** Returns the value if Azure Tables accepts it as a key; throws otherwise. */
export function legalKey(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new KeyError(name, `${name} must be a string, got: ${String(value)}`);
  const illegal = AZURE_TABLES.illegalInKeys.exec(value)?.[0];
  if (illegal !== undefined) {
    throw new KeyError(
      name,
      `${name} ${JSON.stringify(shortened(value))} contains ${JSON.stringify(illegal)}, which Azure Tables refuses in a key (/ \\ # ? and control characters); remove the character, or write <…:encoded>`,
    );
  }
  if (value.length > AZURE_TABLES.keyLength) {
    throw new KeyError(
      name,
      `${name} ${JSON.stringify(shortened(value))} has ${value.length} characters, but Azure Tables allows at most ${AZURE_TABLES.keyLength} (1 KiB) in a key; shorten the key`,
    );
  }
  return value;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

/** Refuses an entity that is too large for the service, even if an emulator would accept it. */
export function refuseTooLarge(name: string, entity: Entity): void {
  const { properties, propertyBytes, entityBytes } = AZURE_TABLES;
  const { partitionKey, rowKey, ...rest } = entity;
  const place = `${name} (${partitionKey}, ${rowKey})`;
  const names = Object.keys(rest);
  if (names.length > properties) {
    throw new ItemError(
      `${place}: ${names.length} properties, but an Azure entity has at most ${properties}; group some attributes in a map, which is stored as one property`,
    );
  }
  for (const [property, value] of Object.entries(rest)) {
    const bytes = contentBytes(value);
    if (bytes > propertyBytes) {
      throw new ItemError(
        `${place}: ${property} takes ${bytes} bytes, but an Azure property is limited to ${propertyBytes} (32,768 characters); split the value, or store it in a blob and keep only its address`,
      );
    }
  }
  const size = sizeOf(entity);
  if (size > entityBytes) {
    throw new ItemError(
      `${place}: the item takes ${size} bytes, but an Azure entity is limited to ${entityBytes}; split the item, or store its large parts in a blob`,
    );
  }
}

/** The size of an entity in bytes, as Azure counts it. */
export function sizeOf({ partitionKey, rowKey, ...properties }: Entity): number {
  let bytes = 4 + (partitionKey.length + rowKey.length) * 2;
  for (const [name, value] of Object.entries(properties)) bytes += 8 + name.length * 2 + contentBytes(value);
  return bytes;
}

function contentBytes(value: Property): number {
  if (typeof value === 'string') return value.length * 2;
  if (value instanceof Uint8Array) return value.length;
  return 8;
}
