import type { SystemDesign } from '../../../design/system';
import type { Asked, AskedWrite } from '../../../items/asked';
import { assertSend, assertSystem } from '../../../items/given';
import { type Item, ItemError } from '../../../items/item';
import { sideBySide } from '../../../items/side-by-side';
import type { Send } from '../../sender';
import { rowsOf } from './outbox';
import { itemAt, itemsAt, query, scan, snapshot } from './reads';
import { cancelled, conditionFailed, conflict, inDynamoDbNames, type Reason } from './refusals';
import { type EquivalentsOptions, type Store, storeOf } from './store';
import { commit, type Effect, Refused } from './transactions';

/*
 * This protocol upholds DynamoDB's guarantees on Azure Tables. One request to Azure Tables can change one row, or several rows of one
 * partition, on the condition that their ETags are unchanged. docs/guides/azure-equivalents.md shows why a crash at any point is safe.
 *
 * ROWS. An item is stored as a row of its table. Its rows in indexes and in mirrors (for descending order) are its following rows.
 * Every row has the columns `_state`, `_version`, `_lock` and `_outbox`; the other columns are the item's attributes (values.ts).
 *
 *   _state  _version  _lock  the row
 *   item    v         -      represents an item
 *   gone    v         -      is a tombstone, which keeps the version of a deleted item
 *   item    v         T      represents an item that transaction T is about to change
 *   gone    v         T      is a tombstone that T is about to replace
 *   new     0         T      is a placeholder for an item that T is about to create, or that must not exist
 *
 * ONE WRITE (changes.ts, outbox.ts). The client first writes the item's row, on the condition that its ETag is
 * unchanged; `_outbox` lists the keys of all following rows that must change. The client then writes each following
 * row, unless the row already has this version or a later one. Finally, if the item's row is still unchanged, the
 * client empties the row's outbox. If a client crashes before that, the next writer of the item takes over the outbox's
 * entries. A following row is never deleted but becomes a tombstone, so that a stalled client cannot restore a row that
 * a later version removed. The row of a deleted item also becomes a tombstone if the item may have had following rows,
 * so that a new item gets a later version than the tombstones of those rows.
 *
 * SEVERAL PARTITIONS (transactions.ts, locks.ts, record.ts). The client writes a record to the table `Transactions`, with the new
 * content of each row. The client then locks every row by writing the record's id to `_lock`. A single write changes the record from
 * pending to committed, which commits the transaction. The client finally writes the new content of the rows, which unlocks them.
 * Removing a pending record aborts its transaction.
 *
 *   record     locks of T mean
 *   missing    T was aborted, and any client that finds a lock removes it
 *   pending    T is running, or its client has died; after the deadline, any client may remove the record
 *   committed  T is committed: readers take the content from the record. A writer first writes the record's content to the
 *              locked rows of its own partition. It may lack access to the other rows, so the sweeper writes those.
 *
 * ETags make Azure refuse a write if a row that the write depends on has changed, so no guarantee depends on time. Only
 * the sweeper (sweep.ts) relies on clocks: it keeps tombstones and records for an hour. The sweeper assumes that no client
 * stalls for an hour between two requests of one write, and that no two clocks differ by an hour. Clocks matter because
 * the version of a new item without a tombstone is the current time.
 */

/** A `send` for the clients from `tablewright/dynamodb`. */
export type EquivalentsSend = (command: string, input: Item, asked?: Asked) => Promise<Item>;

/**
 * Creates a `send` that runs the clients of a DynamoDB system on Azure Tables: pass it to `client` or `system` from
 * `tablewright/dynamodb` in place of `dynamo(…)`.
 */
export function equivalents(system: SystemDesign, send: Send, options: EquivalentsOptions = {}): EquivalentsSend {
  assertSystem(system);
  assertSend(system.name, send, 'storage(account, credential) from tablewright/azure-tables/sdk');
  if (system.cloud === 'azure')
    throw new Error(
      `equivalents: system '${system.name}' is designed for Azure; use system(…) from tablewright/azure-tables`,
    );
  const store = storeOf(system, send, options);
  return async (command, input, asked) => {
    if (asked === undefined)
      throw new ItemError(
        `${command}: Azure has no DynamoDB expressions, so only a tablewright client can send this command; use client(…) or system(…) from tablewright/dynamodb`,
      );
    try {
      return await answer(store, command, input, asked);
    } catch (error) {
      throw inDynamoDbNames(error);
    }
  };
}

interface Key {
  readonly Key: Item;
}

async function answer(store: Store, command: string, input: Item, asked: Asked): Promise<Item> {
  const { table, writes = [] } = asked;
  switch (command) {
    case 'Get':
      return itemOutput(await itemAt(store, store.places.of(table), input.Key as Item));
    case 'Query':
      return (await query(store, input, asked)) as unknown as Item;
    case 'Scan':
      return (await scan(store, input, asked)) as unknown as Item;
    case 'BatchGet': {
      const [[name, { Keys }] = ['', { Keys: [] }]] = Object.entries(
        input.RequestItems as Record<string, { Keys: readonly Item[] }>,
      );
      return { Responses: { [name]: await itemsAt(store, store.places.of(table), Keys) } };
    }
    case 'TransactGet': {
      const gets = input.TransactItems as readonly { readonly Get: Key }[];
      const place = (i: number) => store.places.of(asked.tables?.[i] ?? table);
      const items = await snapshot(
        store,
        gets.map(({ Get }, i) => ({ place: place(i), key: Get.Key })),
      );
      if (items === undefined) throw conflict();
      return { Responses: items.map(itemOutput) };
    }
    case 'BatchWrite':
      // Before the first write, refuses values that Azure cannot store.
      for (const write of writes)
        if (write.part === 'Put') rowsOf(store.places.of(write.table), write.input.Item as Item, 0);
      await sideBySide(writes, (write) => commit(store, [write]), 8);
      return {};
    case 'TransactWrite':
      await commit(store, writes, asked.token).catch((error: unknown) => {
        throw error instanceof Refused ? cancelled(reasonsIn(error, input)) : error;
      });
      return {};
    default: {
      const [write] = writes as readonly [AskedWrite];
      const [effect] = await commit(store, [write]).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error;
        throw error.kinds[0] === 'conflict' ? conflict() : conditionFailed(shownBy(input) ? error.items[0] : undefined);
      });
      return returnedBy(input, effect as Effect);
    }
  }
}

function itemOutput(item: Item | undefined): Item {
  return item === undefined ? {} : { Item: item };
}

function shownBy(input: Item): boolean {
  return input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
}

const CODES = { none: 'None', condition: 'ConditionalCheckFailed', conflict: 'TransactionConflict' } as const;

function reasonsIn({ kinds, items }: Refused, input: Item): readonly Reason[] {
  const writes = input.TransactItems as readonly Readonly<Record<string, Item>>[];
  return kinds.map((kind, i) => {
    const [write = {}] = Object.values(writes[i] ?? {});
    const item = kind === 'condition' && shownBy(write) ? items[i] : undefined;
    return { Code: CODES[kind], ...(item && { Item: item }) };
  });
}

function returnedBy({ ReturnValues }: Item, { before, after }: Effect): Item {
  const item = ReturnValues === 'ALL_NEW' ? after : ReturnValues === 'ALL_OLD' ? before : undefined;
  return item === undefined ? {} : { Attributes: item };
}
