import type { Item } from '../items/item';

/**
 * A place with tables: embedded, behind an endpoint, or the cloud itself. Each cloud has its own kind of template, which
 * describes tables, and of requests (`Send`). Items are as the cloud stores them; only a design knows what they mean.
 */
export interface DatabaseOf<Template, Send> {
  /** A name for people to read, without secrets. */
  readonly name: string;
  /** Makes the tables of a template, all or none, and returns their names; a name that is taken is an error. */
  provision(template: Template): Promise<readonly string[]>;
  /** Removes a table and everything in it. */
  drop(tableName: string): Promise<void>;
  /** Reads every item of a table. */
  scan(tableName: string): AsyncIterable<Item>;
  /** Reads the item with the key that these attributes contain; undefined if no item has it. */
  get(tableName: string, key: Item): Promise<Item | undefined>;
  /** Puts items as they are; an item replaces another with the same key. */
  put(tableName: string, items: readonly Item[]): Promise<void>;
  /** Removes the items with the keys that these contain; succeeds if an item is already gone. */
  remove(tableName: string, keys: readonly Item[]): Promise<void>;
  /** Makes a table hold these items and no others; only writes what differs. */
  restore(tableName: string, items: readonly Item[]): Promise<void>;
  /** Sends one request. */
  readonly send: Send;
  /** Ends the requests under way, and the engine if it is embedded. The engine also ends with its process, however that ends. */
  stop(): Promise<void>;
}

/** What must be put and removed so that a table holds the wanted items, given what it holds now. */
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
