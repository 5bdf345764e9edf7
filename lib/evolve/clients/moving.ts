import { isDeepStrictEqual } from 'node:util';
import { isRead } from '../../blueprint/accesses';
import { type EntityOutline, entityNamed, keyOf, outline, type TableOutline } from '../../blueprint/outline';
import type { PatternDesign, QueryPattern, ScanPattern } from '../../design/pattern';
import { type ClientOptions, client } from '../../dynamodb/client';
import { serviceThrough } from '../../dynamodb/migration/service';
import { dynamoStore } from '../../dynamodb/migration/store';
import { storedItem } from '../../dynamodb/migration/stored';
import { requests } from '../../dynamodb/requests';
import { keyText } from '../../items/cursor';
import { type Item, makeItem } from '../../items/item';
import { paged } from '../../items/pages';
import type { Page } from '../../items/result';
import { EvolutionError } from '../lock/read';
import { bring } from '../migration/run/pass';
import { type Place, sendingIn } from './sending';

type Call = ((values: object, options?: { cursor?: string }) => Promise<unknown>) & object;
type Calls = Readonly<Record<string, Call>>;
type Requests = Readonly<Record<string, (values: object) => Item>>;

/**
 * The client of a table whose items move from one key, or one table, to another. Items only ever move from the old place to
 * the new one: who looks at the old place first, and then at the new one, misses none.
 */
export function movingClient(
  target: TableOutline,
  former: Place,
  now: Place,
  writesOld: boolean,
  options: ClientOptions,
): Calls {
  const [old, next] = [former, now].map((one) =>
    client(one.form, one.tableName, sendingIn(one), options),
  ) as unknown as [Calls, Calls];
  const [oldRequests, nextRequests] = [former, now].map(
    (one) => requests(one.form, one.tableName).patterns,
  ) as unknown as [Requests, Requests];
  const isThere = async (place: Place, keys: readonly Item[]) => {
    const found = await Promise.all(keys.map((key) => itemAt(place, key)));
    return found.filter((item) => item !== undefined);
  };
  const calls = target.patterns.map(({ name, design }) => {
    const [inOld, inNext] = [old[name] as Call, next[name] as Call];
    if (isRead(design)) return [name, reader(target, former, now, design, inOld, inNext)];
    const write: Call = async (values, given) => {
      const keysIn = (place: Place, all: Requests) => keysOf(place, (all[name] as Requests[string])(values ?? {}));
      // Another release may have moved it already, which is not undone.
      if (writesOld && (await isThere(now, keysIn(now, nextRequests))).length === 0) return inOld(values, given);
      for (const item of await isThere(former, keysIn(former, oldRequests))) await move(former, now, item);
      return inNext(values, given);
    };
    return [name, Object.assign(write, methodsOf(writesOld ? inOld : inNext))];
  });
  return Object.fromEntries(calls);
}

/** What a call has beside being called, such as the step of a transaction. */
function methodsOf(call: Call): object {
  return Object.fromEntries(Object.entries(call));
}

function reader(
  target: TableOutline,
  former: Place,
  now: Place,
  design: PatternDesign,
  inOld: Call,
  inNext: Call,
): Call {
  const [was, is] = [former, now].map(({ form }) => form.patterns?.[nameOf(target, design)]);
  const isSame = former.tableName === now.tableName && isDeepStrictEqual(was, is);
  // An index has items of both forms.
  if (isSame) return inNext;
  if (design.op === 'get') return async (values, given) => (await inOld(values, given)) ?? inNext(values, given);
  const read: Call = async (values, { cursor, ...given } = {}) => {
    const isOld = cursor === undefined || cursor.startsWith(OLD);
    const first = isOld ? ((await inOld(values, at(given, cursor, OLD))) as Page<Item>) : undefined;
    if (first?.cursor !== undefined) return { ...first, cursor: `${OLD}${first.cursor}` };
    const second = (await inNext(values, at(given, isOld ? undefined : cursor, NEXT))) as Page<Item>;
    const items = merged(target, design, first?.items ?? [], second.items);
    const unknown = (first?.unknown ?? 0) + (second.unknown ?? 0);
    return {
      items,
      ...(unknown === 0 ? {} : { unknown }),
      ...(second.cursor === undefined ? {} : { cursor: `${NEXT}${second.cursor}` }),
    };
  };
  return design.op === 'query' || design.op === 'scan'
    ? Object.assign(read, paged(read as never, isSieved(design)))
    : read;
}

function isSieved({ op, filter, unexpired }: QueryPattern | ScanPattern): boolean {
  return op === 'scan' || filter !== undefined || unexpired === true;
}

/** Which place a cursor goes on in. */
const OLD = 'o.';
const NEXT = 'n.';

function at(given: object, cursor: string | undefined, place: string): object {
  return cursor === undefined ? given : { ...given, cursor: cursor.slice(place.length) };
}

function nameOf({ patterns }: TableOutline, design: PatternDesign): string {
  return patterns.find((one) => one.design === design)?.name as string;
}

/** Each item once, in the order of its new sort key. */
function merged(
  target: TableOutline,
  design: PatternDesign,
  old: readonly Item[],
  next: readonly Item[],
): readonly Item[] {
  const { index, order } = design as QueryPattern;
  const key = target.indexes.find(({ name }) => name === index) ?? target.key;
  const keyed = [...next, ...old].map((item) => ({ item, stored: storedOf(target, design, item) }));
  const seen = new Set<string>();
  const once = keyed.filter(({ stored }) => {
    if (stored === undefined) return true;
    const text = keyText(Object.fromEntries(keyOf(target.key).map(({ name }) => [name, stored[name]])));
    return !seen.has(text) && seen.add(text);
  });
  if (key.sortBy.length === 0 || design.op !== 'query') return once.map(({ item }) => item);
  const direction = order === 'descending' ? -1 : 1;
  const value = ({ stored }: (typeof once)[number], name: string) => stored?.[name] as string | number;
  once.sort((a, b) => {
    const other = key.sortBy.find(({ name }) => value(a, name) !== value(b, name))?.name;
    return other === undefined ? 0 : value(a, other) < value(b, other) ? -direction : direction;
  });
  return once.map(({ item }) => item);
}

/** The item that some values are stored as; undefined where they do not tell. */
function storedOf(target: TableOutline, design: PatternDesign, item: Item): Item | undefined {
  const { returns } = design as QueryPattern;
  const { typeAttribute } = target;
  const type = typeAttribute === undefined ? undefined : item[typeAttribute];
  const known = target.entities.filter(({ name }) => returns.includes(name));
  const entity = known.length === 1 ? known[0] : known.find((one) => one.type === type);
  if (entity === undefined) return undefined;
  const { [typeAttribute ?? '']: _, ...values } = item;
  try {
    return makeItem(target, entityNamed(target, entity.name) as EntityOutline, values);
  } catch {
    // A selection is less than an item.
    return undefined;
  }
}

/** The keys of all items of a table that a request writes. */
function keysOf({ form, tableName }: Place, input: Item): readonly Item[] {
  const key = keyOf(outline(form).key);
  const { RequestItems = {}, TransactItems = [] } = input as {
    RequestItems?: Record<string, Record<string, Item>[]>;
    TransactItems?: Record<string, Item>[];
  };
  const writes = [
    ...(input.TableName === undefined ? [] : [input]),
    ...TransactItems.flatMap((one) => Object.values(one)).filter((one) => one.TableName === tableName),
    ...(RequestItems[tableName] ?? []).flatMap((one) => Object.values(one)),
  ];
  return writes.map((write) => {
    const { Key, Item: item } = write as { Key?: Item; Item?: Item };
    return Object.fromEntries(key.map(({ name }) => [name, (Key ?? item)?.[name]]));
  });
}

async function itemAt({ send, tableName }: Place, Key: Item): Promise<Item | undefined> {
  return (await send('Get', { TableName: tableName, Key, ConsistentRead: true })).Item as Item | undefined;
}

/** Moves an item as a migration does: whole, and only if it is still as it was read. */
async function move({ migration, send, table, tableName }: Place, now: Place, item: Item): Promise<void> {
  const names = { [table]: tableName, [now.table]: now.tableName };
  const store = dynamoStore({ service: serviceThrough(send, tableName), migration, names });
  const failure = await bring({ store, migration }, table, { item, version: storedItem(item) });
  if (failure !== undefined)
    throw new EvolutionError(`an item of ${table} cannot be brought to the new form: ${failure}`);
}
