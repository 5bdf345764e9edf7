import { type KeyAttribute, type KeyBlueprint, keyOf, type TableOutline } from '../blueprint/outline';
import { entityOf, type Item } from '../items/item';
import type { SystemCases } from '../proof/cases';
import { itemOf, entityOf as sampleEntity, samplesOf } from '../proof/stored';
import { renderedMarks } from './marks';
import { type Collection, type Look, rowsOf } from './rows';
import type { ItemView, PartitionView } from './view';

/** A stored item. `name` is its label in the cases. */
export interface Stored {
  readonly item: Item;
  readonly name?: string;
  /** @default - the entity is recognized from the item */
  readonly entity?: string;
}

/** Returns the items in a table's cases, and the reasons why some of them cannot be stored. */
export function itemsOf(
  table: TableOutline,
  cases: SystemCases,
  name: string,
): { readonly items: readonly Stored[]; readonly problems: readonly string[] } {
  const { items, documented } = samplesOf(cases, name);
  const problems: string[] = [];
  const found = new Map<string, Stored>();
  const add = (label: string, entity: string, make: () => Item) => {
    try {
      sampleEntity(table, entity);
      const item = make();
      const key = keyText(table, item);
      const other = found.get(key);
      if (other !== undefined)
        problems.push(`item '${label}' has the same key as '${other.name}', so '${label}' is left out`);
      else found.set(key, { item, name: label, entity });
    } catch (error) {
      problems.push(`item '${label}' cannot be stored: ${(error as Error).message}`);
    }
  };
  for (const [label, sample] of Object.entries(items)) add(label, sample[0], () => itemOf(table, sample));
  for (const [label, { entity, item }] of Object.entries(documented)) add(label, entity, () => ({ ...item }));
  return { items: [...found.values()], problems };
}

/** Formats the primary key of an item as text. */
export function keyText(table: TableOutline, item: Item): string {
  return JSON.stringify(keyOf(table.key).map(({ name }) => plain(item[name])));
}

/** All items of a table. They can be listed in the order of the table or of an index. */
export class Items {
  public readonly all: readonly ItemView[];
  private readonly collections = new Map<string, Collection>();
  private readonly byKey: ReadonlyMap<string, ItemView>;

  public constructor(
    private readonly table: TableOutline,
    /** The stored items. An item's id is its position in this list. */
    public readonly stored: readonly Stored[],
  ) {
    this.all = stored.map((item, id) => itemView(table, item, id));
    this.byKey = new Map(stored.map(({ item }, id) => [keyText(table, item), this.all[id] as ItemView]));
  }

  public get indexes(): readonly string[] {
    return this.table.indexes.map(({ name }) => name);
  }

  /** Finds the item that has the same primary key as the given one, if there is one. */
  public like(item: Item): ItemView | undefined {
    return this.byKey.get(keyText(this.table, item));
  }

  /** Returns the items of the table or, for an index, the items that have all of its keys. */
  public in(index: string | undefined): Collection {
    const known = this.collections.get(index ?? '');
    if (known !== undefined) return known;
    const key = this.table.indexes.find(({ name }) => name === index) ?? this.table.key;
    const made = collect(key, this.all);
    this.collections.set(index ?? '', made);
    return made;
  }

  /** Returns a page of items. */
  public rows(index: string | undefined, look: Look = {}) {
    return rowsOf(this.in(index), look);
  }

  /**
   * For each partition that contains any of the given items, returns a limited number of rows around the first of them.
   */
  public around(index: string | undefined, ids: ReadonlySet<number>): readonly PartitionView[] {
    const { partitions } = this.in(index);
    return partitions.flatMap(({ key, rows }) => {
      const first = rows.findIndex(({ id }) => ids.has(id));
      if (first === -1) return [];
      const from = Math.max(0, Math.min(first - 5, rows.length - AROUND));
      return [{ key, from, of: rows.length, rows: rows.slice(from, from + AROUND) }];
    });
  }
}

const AROUND = 40;

/** Converts an item to the data that the page shows. */
export function itemView(table: TableOutline, { item, name, entity }: Stored, id: number): ItemView {
  const known =
    entity === undefined ? entityOf(table, item, table.entities) : table.entities.find((e) => e.name === entity);
  const marks: Record<string, readonly number[]> = {};
  for (const [attribute, { template, natural }] of known?.keys ?? []) {
    const lengths = natural ? undefined : renderedMarks(template, item[attribute], table.separator);
    if (lengths !== undefined) marks[attribute] = lengths;
  }
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(known === undefined ? {} : { entity: known.name }),
    attributes: plain(item) as Record<string, unknown>,
    marks,
  };
}

/**
 * Groups items by partition, and sorts the items of each partition as the engine would. Leaves out items that lack any
 * of the key attributes.
 */
export function collect(key: KeyBlueprint, items: readonly ItemView[]): Collection {
  const partitions = new Map<string, { key: unknown; rows: ItemView[] }>();
  let size = 0;
  for (const item of items) {
    if (keyOf(key).some(({ name }) => (item.attributes[name] ?? null) === null)) continue;
    const values = key.partitionBy.map(({ name }) => item.attributes[name]);
    const value = values.length === 1 ? values[0] : values;
    const text = JSON.stringify(value);
    const partition = partitions.get(text) ?? { key: value, rows: [] };
    partitions.set(text, partition);
    partition.rows.push(item);
    size++;
  }
  const byKey = (a: ItemView, b: ItemView) =>
    key.sortBy.reduce((order, attribute) => order || compare(attribute, a.attributes, b.attributes), 0);
  const sorted = [...partitions.values()].map(({ key: value, rows }) => ({
    key: value,
    rows: rows.sort(byKey),
  }));
  return { partitions: sorted, size };
}

/**
 * Compares values in the sort order of DynamoDB and Azure Tables: numbers by value, strings by their UTF-8 bytes, and
 * other types by their bytes.
 */
function compare({ name, type }: KeyAttribute, a: ItemView['attributes'], b: ItemView['attributes']): number {
  if (type === 'number') return Number(a[name]) - Number(b[name]);
  const bytes = (value: unknown) => Buffer.from(String(value), type === 'binary' ? 'base64' : 'utf8');
  return Buffer.compare(bytes(a[name]), bytes(b[name]));
}

/** Converts a value for JSON: sets become lists, bytes become Base64, and large whole numbers become strings. */
export function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (value instanceof Set) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
