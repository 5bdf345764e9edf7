import { isDeepStrictEqual } from 'node:util';
import {
  type EntityOutline,
  entityNamed,
  type KeyAttribute,
  keyOf,
  outline,
  type TableOutline,
} from '../blueprint/outline';
import type { TableDesign } from '../design/table';
import { type Item, makeItem, readItem } from '../items/item';
import type { Documented, Sample, SystemCases, TableCases } from './cases';

/** The items that a table's cases contain. */
export type Samples = Required<Pick<TableCases, 'items' | 'documented' | 'written' | 'stored'>>;

/** Returns the items that a table's cases contain. Every group is empty if the table has no cases. */
export function samplesOf(cases: SystemCases, table: string): Samples {
  const { items = {}, documented = {}, written = {}, stored = {} } = cases.tables[table] ?? {};
  return { items, documented, written, stored };
}

/**
 * Describes the attributes that the design would change, remove or add in a documented item. Returns undefined if there
 * are none. A documented item may omit its index keys.
 */
export function faultOf(design: TableDesign, { entity, item, adds = [] }: Documented): string | undefined {
  const table = outline(design);
  try {
    const named = entityOf(table, entity);
    const { [design.typeAttribute ?? '']: _, ...values } = readItem(table, named, item);
    const made = makeItem(table, named, values);
    const faults = Object.keys(item)
      .filter((key) => !isDeepStrictEqual(item[key], made[key]))
      .map((key) => (key in made ? `${key}: ${difference(item[key], made[key])}` : `'${key}' would be lost`));
    const added = Object.keys(made).filter((key) => !Object.hasOwn(item, key) && !isIndexKey(table, key));
    for (const key of added) if (!adds.includes(key)) faults.push(`'${key}' would be added`);
    for (const key of adds)
      if (!added.includes(key)) faults.push(`'${key}' would not be added, although 'adds' lists it`);
    return faults.length === 0 ? undefined : faults.join('; ');
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether an attribute is a key of an index but not of the table. */
function isIndexKey({ key, keyAttributes }: TableOutline, name: string): boolean {
  const isIn = (attributes: readonly KeyAttribute[]) => attributes.some((attribute) => attribute.name === name);
  return !isIn(keyOf(key)) && isIn(keyAttributes);
}

/**
 * Describes every attribute of a stored item that is unexpected or has the wrong value. Reports missing attributes only
 * if `isWhole` is true, because an index or a selection may leave attributes out.
 */
export function storageFaultOf(stored: Item, expected: Item, isWhole: boolean): string | undefined {
  const names = [...new Set([...Object.keys(stored), ...(isWhole ? Object.keys(expected) : [])])];
  const faults = names
    .filter((name) => !isDeepStrictEqual(stored[name], expected[name]))
    .map((name) =>
      Object.hasOwn(expected, name)
        ? `${name}: ${difference(expected[name], stored[name])}`
        : `'${name}' is stored (${JSON.stringify(stored[name])}), but not expected`,
    );
  return faults.length === 0 ? undefined : faults.join('; ');
}

/**
 * Describes each faulty key of an entity: a key that no case shows, or a key whose value is missing from `stored` or
 * differs from the value there.
 */
export function keyFaultOf(design: TableDesign, cases: Samples, entity: string): string | undefined {
  const shown = new Set(documentedOf(cases, entity).flatMap(Object.keys));
  const faults = Object.keys(cases.stored).flatMap((name) =>
    sampleOf(cases, name) === undefined ? [`'stored' has '${name}', but no item has that name`] : [],
  );
  for (const [name, expected] of storedOf(cases, entity)) {
    const item = stored(design, sampleOf(cases, name) as Sample);
    if (typeof item === 'string') return item;
    for (const [key, value] of Object.entries(expected)) {
      shown.add(key);
      if (item[key] !== value) faults.push(`${key} of '${name}': ${difference(value, item[key])}`);
    }
    for (const key of Object.keys(design.entities[entity]?.keys ?? {}))
      if (key in item && !(key in expected) && isIndexKey(outline(design), key))
        faults.push(`'${name}' has the key ${key} (${JSON.stringify(item[key])}), but 'stored' does not list it`);
  }
  const hidden = Object.keys(design.entities[entity]?.keys ?? {}).filter((key) => !shown.has(key));
  if (hidden.length > 0)
    faults.push(`the cases show no value for ${hidden.join(', ')}; add an item with these keys to 'stored'`);
  return faults.length === 0 ? undefined : faults.join('; ');
}

/** Returns the documented items of an entity. */
export function documentedOf({ documented }: Samples, entity: string): readonly Item[] {
  return Object.values(documented).flatMap((example) => (example.entity === entity ? [example.item] : []));
}

/** Returns an entity's entries under `stored`: each item's name, with its keys. */
export function storedOf(cases: Samples, entity: string) {
  return Object.entries(cases.stored).filter(([name]) => sampleOf(cases, name)?.[0] === entity);
}

/** Returns the item with this name from `items` or `written`. */
export function sampleOf({ items, written }: Samples, name: string): Sample | undefined {
  return [items, written].find((samples) => Object.hasOwn(samples, name))?.[name];
}

/** Returns the item in its stored form, or the reason why it cannot be stored. */
function stored(design: TableDesign, sample: Sample): Item | string {
  try {
    return itemOf(outline(design), sample);
  } catch (error) {
    return (error as Error).message;
  }
}

function difference(expected: unknown, got: unknown): string {
  return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got) ?? 'none'}`;
}

export function entityOf(table: TableOutline, name: string): EntityOutline {
  const entity = entityNamed(table, name);
  if (entity !== undefined) return entity;
  const known = table.entities.map((candidate) => candidate.name).join(', ');
  throw new Error(`'${name}' is not an entity of '${table.name}'; its entities are ${known}`);
}

export function itemOf(table: TableOutline, [entity, values]: Sample): Item {
  return makeItem(table, entityOf(table, entity), values as object);
}
