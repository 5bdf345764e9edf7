import { type EntityOutline, entitiesNamed, type TableOutline } from '../blueprint/outline';
import { placed } from './calls';
import { entityOf, type Item, ItemError, showKey } from './item';
import type { Page, UnknownPolicy } from './result';

/** The options of a read pattern that affect its result. */
interface Returning {
  readonly op: string;
  readonly returns: readonly string[];
  readonly group?: Readonly<Record<string, string>>;
  readonly select?: readonly string[];
  readonly unexpired?: boolean;
}

/**
 * Reads stored items. An item that the design does not know, or that the pattern does not return, is
 * counted and passed to the policy, and the read still returns the other items. A `get` throws instead, because
 * `undefined` would mean a missing item. The policy applies equally to every kind of read: pages, `all`, `first` and
 * `count`.
 */
export function readItems(
  table: TableOutline,
  { tableName, name }: { readonly tableName: string; readonly name: string },
  { op, returns, select, unexpired, group = {} }: Returning,
  items: Iterable<Item>,
  read: (entity: EntityOutline, item: Item, select: readonly string[] | undefined) => Item,
  policy?: UnknownPolicy,
): Page<Item> {
  const entities = entitiesNamed(table, returns);
  const found: Item[] = [];
  const groups: Record<string, Item[]> = {};
  for (const name in group) groups[name] = [];
  let unknown = 0;
  for (const item of items) {
    if (unexpired && hasExpired(table, item)) continue;
    try {
      const entity = entityOf(table, item, entities);
      // A scan also reads the items of entities that it does not return.
      if (entity === undefined && op === 'scan' && entityOf(table, item, table.entities) !== undefined) continue;
      if (entity === undefined) throw unknownItem(table, item, returns);
      const one = read(entity, item, select);
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

/** Whether an item has expired, since DynamoDB may take days to delete expired items. */
function hasExpired({ ttl }: TableOutline, item: Item): boolean {
  const until = item[ttl ?? ''];
  return (typeof until === 'number' || typeof until === 'bigint') && Number(until) <= Date.now() / 1000;
}

function unknownItem(table: TableOutline, item: Item, returns: readonly string[]): ItemError {
  const known = entityOf(table, item, table.entities);
  const what = known === undefined ? 'is unknown to the design' : `is a ${known.name}`;
  return new ItemError(`the item ${showKey(table, item)} ${what}, but the pattern returns ${returns.join(', ')}`);
}
