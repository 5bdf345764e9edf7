import { entitiesNamed, type TableOutline } from '../blueprint/outline';
import { placed } from './calls';
import { entityOf, type Item, ItemError, type readItem, showKey } from './item';
import type { Page, UnknownPolicy } from './result';
import type { Clock } from './stamps';

/** The options of a read pattern that affect its result. */
interface Returning {
  readonly op: string;
  readonly returns: readonly string[];
  readonly group?: Readonly<Record<string, string>>;
  readonly select?: readonly string[];
  readonly unexpired?: boolean;
}

/** The pattern that reads the items. */
export interface Reader {
  readonly tableName: string;
  readonly name: string;
  /** The clock that decides which items have expired. @default Date.now */
  readonly clock?: Clock | undefined;
}

/**
 * Reads stored items. If the design does not know an item, or the pattern does not return it, the read counts the item,
 * passes it to the policy, and goes on. A `get` throws instead, because `undefined` would mean a missing item. The
 * policy applies equally to every kind of read: pages, `all`, `first` and `count`.
 */
export function readItems(
  table: TableOutline,
  { tableName, name, clock = Date.now }: Reader,
  { op, returns, select, unexpired, group = {} }: Returning,
  items: Iterable<Item>,
  read: typeof readItem,
  policy?: UnknownPolicy,
): Page<Item> {
  const entities = entitiesNamed(table, returns);
  const found: Item[] = [];
  const groups: Record<string, Item[]> = {};
  for (const name in group) groups[name] = [];
  let unknown = 0;
  for (const item of items) {
    if (unexpired && hasExpired(table, item, clock)) continue;
    try {
      const entity = entityOf(table, item, entities);
      // A scan also reads items of entities that the pattern does not return.
      if (entity === undefined && op === 'scan' && entityOf(table, item, table.entities) !== undefined) continue;
      if (entity === undefined) throw unknownItem(table, item, returns);
      const one = read(table, entity, item, select);
      found.push(one);
      for (const list in group) if (group[list] === entity.name) groups[list]?.push(one);
    } catch (error) {
      const reason = placed(tableName, name, error);
      if (!(reason instanceof ItemError) || op === 'get' || policy === 'throw') throw reason;
      unknown++;
      policy?.(item, reason);
    }
  }
  return unknown === 0 ? { items: found, ...groups } : { items: found, ...groups, unknown };
}

/** Whether an item has expired. DynamoDB may take days to delete an expired item. */
function hasExpired({ ttl }: TableOutline, item: Item, clock: Clock): boolean {
  const until = item[ttl ?? ''];
  return (typeof until === 'number' || typeof until === 'bigint') && Number(until) <= clock() / 1000;
}

function unknownItem(table: TableOutline, item: Item, returns: readonly string[]): ItemError {
  const known = entityOf(table, item, table.entities);
  const what = known === undefined ? 'is unknown to the design' : `is a ${known.name}`;
  return new ItemError(`the item ${showKey(table, item)} ${what}, but the pattern returns ${returns.join(', ')}`);
}
