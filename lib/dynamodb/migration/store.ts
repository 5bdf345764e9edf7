import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { BATCH_ITEMS, TRANSACTION_ITEMS } from '../../blueprint/clouds';
import { keyOf, type TableOutline } from '../../blueprint/outline';
import type { Made, Migration, Move, Update } from '../../evolve';
import { EvolutionError } from '../../evolve/lock/read';
import { duplicateOf, isForeign, isMade } from '../../evolve/migration/outcome';
import type { Act, Done, Lacking, Page, Read, Store, Units } from '../../evolve/migration/run/store';
import { type Item, ItemError, showKey } from '../../items/item';
import { plainItem } from '../attribute-values';
import { unitsOf } from '../commands';
import type { Exact } from '../engine/database';
import { absent, asRead, updateAsRead } from './conditions';
import { keptKey, keyFrom, type StoredItem, storedItem } from './stored';

export interface DynamoStoreOptions {
  /** The database. If the database has no `describe`, the number of items is unknown. */
  readonly database: Pick<Exact, 'name' | 'sendExact'> & Partial<Exact>;
  readonly migration: Pick<Migration, 'sides'>;
  /** The deployed names of tables, keyed by their names in the system. @default - the names in the system */
  readonly names?: Readonly<Record<string, string>>;
  /**
   * The maximum number of items per page. Each segment keeps two pages in memory, and reads both pages again after a
   * crash.
   * @default 100
   */
  readonly pageSize?: number;
  /**
   * Whether requests report the capacity that they consume. Only a run with a limit needs these reports, and they slow
   * requests down.
   * @default false
   */
  readonly isMeasured?: boolean;
}

/** DynamoDB limits the number of operators in an expression, and every attribute needs two operators. */
const MOST_ATTRIBUTES = 149;

/**
 * Reads and changes the items of a migration in DynamoDB. Items stay in DynamoDB's own format, so that no digit of a
 * number is lost.
 */
export function dynamoStore({
  database,
  migration,
  names = {},
  pageSize = 100,
  isMeasured = false,
}: DynamoStoreOptions): Store {
  const { sendExact: send } = database;
  const counted = isMeasured ? { ReturnConsumedCapacity: 'TOTAL' } : {};
  const unitsIn = ({ ConsumedCapacity }: Item): Units => (isMeasured ? unitsOf(ConsumedCapacity) : undefined);
  const nameOf = (table: string) => (Object.hasOwn(names, table) ? (names[table] as string) : table);
  const outlineOf = (table: string): TableOutline => {
    const { before, after } = migration.sides(table);
    const found = before ?? after;
    if (found === undefined) throw new Error(`neither design has a table '${table}'`);
    return found;
  };
  const keys = new Map<string, readonly string[]>();
  const keyIn = (table: string): readonly string[] => {
    const known = keys.get(table) ?? keyOf(outlineOf(table).key).map(({ name }) => name);
    keys.set(table, known);
    return known;
  };
  const at = (table: string, stored: StoredItem) => {
    const Key: StoredItem = {};
    for (const name of keyIn(table)) Key[name] = stored[name] as AttributeValue;
    return { TableName: nameOf(table), Key };
  };
  const missing =
    (table: string) =>
    (error: Error): never => {
      if (error.name !== 'ResourceNotFoundException') throw error;
      throw new EvolutionError(
        `table '${nameOf(table)}' does not exist at ${database.name}; pass the deployed name of '${table}': --table ${table}=<its name>`,
      );
    };
  const get = async (table: string, stored: StoredItem) => {
    const output = await send('Get', { ...at(table, stored), ConsistentRead: true, ...counted });
    return { stored: output.Item as StoredItem | undefined, consumed: unitsIn(output) };
  };
  const placeOf = (table: string, stored: StoredItem) => JSON.stringify([table, keptKey(at(table, stored).Key)]);

  /** Reads the current state of many items, with as few requests as possible. */
  async function getAll(made: readonly Made[]) {
    const there = new Map<string, StoredItem>();
    const wanted = new Map(
      made.map(({ table, item }) => [placeOf(table, storedItem(item)), at(table, storedItem(item))]),
    );
    let left = [...wanted.values()];
    let consumed = 0;
    while (left.length > 0) {
      const batch = left.slice(0, BATCH_ITEMS.batchGet);
      const RequestItems: Record<string, { Keys: StoredItem[]; ConsistentRead: true }> = {};
      for (const { TableName, Key } of batch) {
        RequestItems[TableName] ??= { Keys: [], ConsistentRead: true };
        RequestItems[TableName].Keys.push(Key);
      }
      const output = await send('BatchGet', { RequestItems, ...counted });
      consumed += unitsOf(output.ConsumedCapacity);
      for (const { table } of made) {
        const found = (output.Responses as Record<string, StoredItem[]> | undefined)?.[nameOf(table)] ?? [];
        for (const stored of found) there.set(placeOf(table, stored), stored);
      }
      const undone = Object.entries((output.UnprocessedKeys ?? {}) as Record<string, { Keys: StoredItem[] }>);
      left = [
        ...left.slice(batch.length),
        ...undone.flatMap(([TableName, { Keys }]) => Keys.map((Key) => ({ TableName, Key }))),
      ];
    }
    return { there, consumed };
  }

  /** Returns the attributes that must not have changed since the item was read. */
  const pinnedIn = (table: string, stored: StoredItem, names: readonly string[]): readonly string[] => {
    const key = keyIn(table);
    const isOther = (name: string) => !key.includes(name);
    const there = Object.keys(stored).filter(isOther);
    const missing = names.filter((name, i) => stored[name] === undefined && isOther(name) && names.indexOf(name) === i);
    // The key needs a test only if the item has no other attributes: a condition on any other attribute already implies
    // that the item exists.
    const all = [...(there.length > 0 ? there : key), ...missing];
    if (all.length > MOST_ATTRIBUTES) {
      throw new ItemError(
        `the item has ${all.length} attributes, but a DynamoDB condition is limited to ${MOST_ATTRIBUTES}`,
      );
    }
    return all;
  };
  const putOf = (table: string, Item: StoredItem) => ({
    Put: { TableName: nameOf(table), Item, ...absent(outlineOf(table).key.partitionBy[0].name) },
  });

  function updateFor(table: string, { version }: Read, act: Update, names: readonly string[]) {
    const stored = version as StoredItem;
    return { ...at(table, stored), ...updateAsRead(stored, pinnedIn(table, stored, names), act) };
  }

  /** Sends an update of a single item, which is the most common write of a run. */
  async function alone(table: string, read: Read, act: Update, names: readonly string[]): Promise<Done> {
    try {
      const input = updateFor(table, read, act, names);
      return await settled(send('Update', isMeasured ? { ...input, ...counted } : input), unitsIn);
    } catch (error) {
      return refused(error as Error);
    }
  }

  /** Returns the one or two writes that an act requires. */
  function writesOf(table: string, read: Read, act: Act, names: readonly string[]): readonly Record<string, object>[] {
    if (act.kind === 'update') return [{ Update: updateFor(table, read, act, names) }];
    const stored = read.version as StoredItem;
    const key = at(table, stored);
    const condition = asRead(stored, pinnedIn(table, stored, names));
    switch (act.kind) {
      case 'move':
        // Both writes are in one transaction, so that the item always exists under exactly one key.
        return [putOf(act.table, moved(read, act.item)), { Delete: { ...key, ...condition } }];
      case 'delete':
        return [{ Delete: { ...key, ...condition } }];
      case 'unchanged':
        return [{ ConditionCheck: { ...key, ...condition } }];
    }
  }

  /**
   * Returns the write that stores an item derived from another item. If the derived item already exists, it keeps its
   * other attributes.
   */
  function making({ made: { table, item }, there }: Lacking): Record<string, object> {
    if (there === undefined) return putOf(table, storedItem(item));
    const set = Object.fromEntries(
      Object.entries(item).filter(([name, value]) => !isDeepStrictEqual(there.item[name], value)),
    );
    const stored = there.version as StoredItem;
    return { Update: { ...at(table, stored), ...updateAsRead(stored, Object.keys(item), { set, removed: [] }) } };
  }

  /** Sends all writes in one transaction. */
  async function together(writes: readonly Record<string, object>[], act: Act): Promise<Done | 'taken'> {
    if (writes.length > TRANSACTION_ITEMS)
      throw new ItemError(
        `${writes.length} items must be written at once, but a DynamoDB transaction accepts at most ${TRANSACTION_ITEMS}`,
      );
    try {
      const output = await send('TransactWrite', { TransactItems: writes, ...counted });
      return { kind: 'done', consumed: unitsIn(output) };
    } catch (error) {
      const { name, CancellationReasons: reasons = [] } = error as {
        name?: string;
        CancellationReasons?: { Code?: string }[];
      };
      if (name === 'TransactionInProgressException') return CONFLICT;
      if (name !== 'TransactionCanceledException') throw error;
      const [put, gone] = reasons;
      const isFailed = (reason: { Code?: string } | undefined) => reason?.Code === 'ConditionalCheckFailed';
      if (act.kind === 'move' && isFailed(put) && !isFailed(gone)) return 'taken';
      if (reasons.every(({ Code = 'None' }) => PASSING.has(Code))) return CONFLICT;
      throw error;
    }
  }

  /**
   * Handles a move to a key that is already taken: either the item has already moved, or a different item has the key.
   */
  async function taken(act: Move, writes: readonly Record<string, object>[]): Promise<Done> {
    const [put, ...rest] = writes as [{ Put: { Item: StoredItem } }, ...Record<string, object>[]];
    const { Item } = put.Put;
    const { stored: twin } = await get(act.table, Item);
    if (twin === undefined) return CONFLICT;
    if (isDeepStrictEqual(plainItem(twin as never), plainItem(Item as never))) {
      // The item has already been copied to its new key, so only the old item must be deleted.
      const done = await together(rest, { kind: 'delete', entity: act.entity });
      return done === 'taken' ? CONFLICT : done;
    }
    return refusedAt(outlineOf(act.table), act.item);
  }

  return {
    nameOf,
    async page({ table, segment, segments }, from, { consistent }): Promise<Page> {
      const output = await send('Scan', {
        TableName: nameOf(table),
        Limit: pageSize,
        ConsistentRead: consistent,
        ...counted,
        // Some engines return wrong results for segment 0 of 1.
        ...(segments > 1 ? { Segment: segment, TotalSegments: segments } : {}),
        ...(from === undefined ? {} : { ExclusiveStartKey: keyFrom(from) }),
      }).catch(missing(table));
      const items = ((output.Items ?? []) as StoredItem[]).map(readOf);
      const next = output.LastEvaluatedKey as StoredItem | undefined;
      return {
        items,
        ...(next === undefined ? {} : { next: keptKey(next) }),
        consumed: unitsIn(output),
      };
    },
    async again(table, read) {
      const { stored, consumed } = await get(table, read.version as StoredItem);
      return stored === undefined ? { consumed } : { read: readOf(stored), consumed };
    },
    async find(table, key) {
      const { stored, consumed } = await get(table, storedItem(key));
      return stored === undefined ? { consumed } : { read: readOf(stored), consumed };
    },
    async lacking(made) {
      const { there, consumed } = await getAll(made);
      const lacking = made.flatMap((wanted): Lacking[] => {
        const stored = there.get(placeOf(wanted.table, storedItem(wanted.item)));
        if (stored === undefined) return [{ made: wanted }];
        const read = readOf(stored);
        return isMade(read.item, wanted.item) ? [] : [{ made: wanted, there: read }];
      });
      return { lacking, consumed };
    },
    async act(table, read, act, names, lacking = []) {
      if (act.kind === 'update' && lacking.length === 0) return alone(table, read, act, names);
      const foreign = lacking.find(({ made, there }) => isForeign(outlineOf(made.table), there?.item, made.item));
      const duplicate = lacking.map(duplicateOf).find((why) => why !== undefined);
      if (duplicate !== undefined) return { kind: 'refused', consumed: 1, why: duplicate };
      if (foreign !== undefined) return refusedAt(outlineOf(foreign.made.table), foreign.made.item);
      try {
        const writes = [...writesOf(table, read, act, names), ...lacking.map(making)];
        const [only] = writes.length === 1 ? Object.entries(writes[0] as object) : [];
        if (only !== undefined)
          return await settled(send(only[0] as 'Update' | 'Delete', { ...(only[1] as Item), ...counted }), unitsIn);
        const done = await together(writes, act);
        return done === 'taken' ? await taken(act as Move, writes) : done;
      } catch (error) {
        return refused(error as Error);
      }
    },
    async estimate(table) {
      const { items } = (await database.describe?.(nameOf(table)).catch(() => undefined)) ?? {};
      return items;
    },
    shown: (table, item) => showKey(outlineOf(table), item),
  };
}

const CONFLICT: Done = { kind: 'conflict', consumed: 2 };

/** The cancellation reasons that a retry can resolve. */
const PASSING: ReadonlySet<string> = new Set([
  'None',
  'ConditionalCheckFailed',
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function refusedAt(table: TableOutline, item: Item): Done {
  const why = `the item should move to ${showKey(table, item)}, but a different item is already stored there; remove one of the two items`;
  return { kind: 'refused', consumed: 3, why };
}

/**
 * Turns an error about one item, such as a key that is too long, into a refusal of that item, so that the migration
 * continues with the other items. Throws any other error.
 */
function refused(error: Error): Done {
  if (error instanceof ItemError || error.name === 'ValidationException')
    return { kind: 'refused', consumed: 1, why: error.message };
  throw error;
}

async function settled(sent: Promise<Item>, unitsIn: (output: Item) => Units): Promise<Done> {
  try {
    return { kind: 'done', consumed: unitsIn(await sent) };
  } catch (error) {
    const { name } = error as Error;
    if (name === 'ConditionalCheckFailedException' || name === 'TransactionConflictException')
      return { kind: 'conflict', consumed: 1 };
    throw error;
  }
}

function readOf(stored: StoredItem): Read {
  return { item: plainItem(stored as never), version: stored };
}

/** Returns the item to store under the new key. Unchanged attributes keep their stored values exactly. */
function moved({ item, version }: Read, next: Item): StoredItem {
  const stored = version as StoredItem;
  const made: StoredItem = {};
  for (const [name, value] of Object.entries(next)) {
    const old = stored[name];
    const isKept = old !== undefined && isDeepStrictEqual(item[name], value);
    if (isKept) made[name] = old;
    else Object.assign(made, storedItem({ [name]: value }));
  }
  return made;
}
