import type { Item } from '../items/item';

/**
 * Anything that stores tables: an embedded engine, an endpoint, or the cloud itself. Each cloud has its own kind of
 * template, which describes tables, and its own kind of request (`Send`). Items are in the cloud's storage format; only
 * a design says what they mean.
 */
export interface DatabaseOf<Template, Send> {
  /** A readable name of the database, without secrets. */
  readonly name: string;
  /** Creates either all tables of a template or none, and returns their names; throws if a name is taken. */
  provision(template: Template): Promise<readonly string[]>;
  /** Removes a table with all its items. */
  drop(tableName: string): Promise<void>;
  /** Reads every item of a table. */
  scan(tableName: string): AsyncIterable<Item>;
  /** Reads the item whose key these attributes contain; undefined if there is no such item. */
  get(tableName: string, key: Item): Promise<Item | undefined>;
  /** Puts items unchanged; an item replaces an existing item with the same key. */
  put(tableName: string, items: readonly Item[]): Promise<void>;
  /** Removes the items whose keys these attributes contain; a missing item is not an error. */
  remove(tableName: string, keys: readonly Item[]): Promise<void>;
  /** Makes a table contain exactly these items; writes only the differences. */
  restore(tableName: string, items: readonly Item[]): Promise<void>;
  /** Sends one request. */
  readonly send: Send;
  /**
   * Aborts the requests in flight, and stops an embedded engine. An embedded engine also stops with its process, even
   * if the process is killed.
   */
  stop(): Promise<void>;
}

/** Compares a table's current items with the wanted items, and returns the items to put and to remove. */
export async function differencesFrom(
  now: AsyncIterable<Item>,
  wanted: readonly Item[],
  keyOf: (item: Item) => string,
  isSame: (one: Item, other: Item) => boolean,
): Promise<{ readonly put: readonly Item[]; readonly remove: readonly Item[] }> {
  const put = new Map(wanted.map((item) => [keyOf(item), item]));
  const remove: Item[] = [];
  for await (const item of now) {
    const next = put.get(keyOf(item));
    if (next === undefined) remove.push(item);
    else if (isSame(next, item)) put.delete(keyOf(item));
  }
  return { put: [...put.values()], remove };
}
