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
 * How a DynamoDB system keeps its promises on Azure Tables, which change one row, or rows of one partition, at once, if their
 * ETags have not changed since they were read. docs/guides/azure-equivalents.md adds the arguments for every crash point.
 *
 * ROWS. An item is a row of its table. Rows of indexes and mirrors (for descending order) follow it. Every row has `_state`,
 * `_version`, `_lock` and `_outbox`; the other columns are the item's attributes (values.ts).
 *
 *   _state  _version  _lock  the row
 *   item    v         -      stands for an item
 *   gone    v         -      is a tombstone: the item is deleted, but its version is remembered
 *   item    v         T      stands for an item that transaction T is about to change
 *   gone    v         T      is a tombstone that T is about to replace
 *   new     0         T      holds the place of an item that T is about to make, or requires not to exist
 *
 * ONE WRITE (changes.ts, outbox.ts). The row is written first, under its ETag, with the keys of all following rows that must
 * change in its `_outbox`; then each following row, unless it has this version or a later one; then the outbox is emptied, under
 * the ETag of the first write. Whoever writes the item next takes over what is left in the outbox. Following rows are never
 * deleted but become tombstones, so that a client that stalled cannot bring back what a later version took away; so does the
 * row of a deleted item that rows may have followed, so that a new item gets a later version than their tombstones.
 *
 * SEVERAL PARTITIONS (transactions.ts, locks.ts, record.ts). A record in the table `Transactions` says what each row is to hold;
 * then every row is locked with the id of the record; then one write turns the record from pending to committed, and the
 * transaction has happened; then the rows get their content, which ends their locks. To remove a pending record is to abort.
 *
 *   record     locks of T mean
 *   missing    T was aborted: whoever finds a lock frees the row
 *   pending    T is at work, or its client is gone: after the deadline, anyone may remove the record
 *   committed  T has happened: readers take the content from the record; writers write it first, in their own partition and
 *              without its following rows, for which they may lack the right; the sweeper writes all of it
 *
 * Writes that a row depends on are refused by its ETag, so no guard is a matter of time. Only the sweeper (sweep.ts) relies on
 * clocks: it keeps tombstones and records for an hour, longer than a client can stall between two requests of one write, and
 * longer than two clocks differ, because the version of an item without a tombstone is a time.
 */

/** A `send` for the clients of `tablewright/dynamodb`. */
export type EquivalentsSend = (command: string, input: Item, asked?: Asked) => Promise<Item>;

/**
 * A `send` with which the clients of a DynamoDB system run on Azure Tables: give it to `client` or `system` of
 * `tablewright/dynamodb` instead of `dynamo(…)`.
 */
export function equivalents(system: SystemDesign, send: Send, options: EquivalentsOptions = {}): EquivalentsSend {
  assertSystem(system);
  assertSend(system.name, send, 'storage(account, credential) of tablewright/azure-tables/sdk');
  if (system.cloud === 'azure')
    throw new Error(
      `equivalents: system '${system.name}' is designed for Azure; use system(…) of tablewright/azure-tables`,
    );
  const store = storeOf(system, send, options);
  return async (command, input, asked) => {
    if (asked === undefined)
      throw new ItemError(
        `${command}: only a client of tablewright can send to Azure, because Azure has no such expressions; use client(…) or system(…) of tablewright/dynamodb`,
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
      // Refuses values that Azure cannot store, before it writes any item.
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
