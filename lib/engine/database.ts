import type { Item } from '../items/item';

/**
 * A place with tables: embedded, behind an endpoint, or the cloud itself. Each cloud has its own kind of template,
 * which describes tables, and its own kind of request (`Send`). Items have the form that the cloud stores; only a
 * design knows what they mean.
 */
export interface DatabaseOf<Template, Send> {
  /** A readable name, without secrets. */
  readonly name: string;
  /** Creates the tables of a template, all or none, and returns their names; throws if a name is taken. */
  provision(template: Template): Promise<readonly string[]>;
  /** Removes a table and everything in it. */
  drop(tableName: string): Promise<void>;
  /** Reads every item of a table. */
  scan(tableName: string): AsyncIterable<Item>;
  /** Reads the item with the key that these attributes contain; undefined if no item has it. */
  get(tableName: string, key: Item): Promise<Item | undefined>;
  /** Puts items unchanged; an item replaces an existing item with the same key. */
  put(tableName: string, items: readonly Item[]): Promise<void>;
  /** Removes the items whose keys these attributes contain; succeeds if an item is already gone. */
  remove(tableName: string, keys: readonly Item[]): Promise<void>;
  /** Makes a table contain exactly these items; writes only the differences. */
  restore(tableName: string, items: readonly Item[]): Promise<void>;
  /** Sends one request. */
  readonly send: Send;
  /**
   * Ends the requests under way, and the engine if it is embedded. The engine also ends with its process, however the
   * process ends.
   */
  stop(): Promise<void>;
}

/** The items to put and to remove so that a table contains exactly the wanted items, given its current items. */
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
