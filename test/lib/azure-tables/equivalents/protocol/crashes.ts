import type { AzureCall } from '../../../../../lib/azure-tables';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import type { Place } from '../../../../../lib/azure-tables/equivalents/protocol/places';
import { itemAt } from '../../../../../lib/azure-tables/equivalents/protocol/reads';
import { COLUMN } from '../../../../../lib/azure-tables/equivalents/protocol/row';
import { storeOf } from '../../../../../lib/azure-tables/equivalents/protocol/store';
import type { Send } from '../../../../../lib/azure-tables/sender';
import type { Item } from '../../../../../lib/items/item';
import { bazaar } from './bazaar';
import {
  account,
  emptied,
  faultsIn,
  isWrite,
  itemsIn,
  onAzure,
  order,
  product,
  type Runs,
  swept,
  type Way,
} from './sides';

/** A write that spans rows or partitions, and the writes that must precede it. */
export interface Deed {
  readonly before: readonly (readonly [string, object])[];
  readonly call: readonly [string, object];
}

const two: Deed['before'] = [
  ['openAccount', account('a')],
  ['openAccount', account('b')],
];

export const DEEDS: Readonly<Record<string, Deed>> = {
  'a put with index rows': { before: [], call: ['createOrder', order('a', '1')] },
  'an update that moves index rows': {
    before: [['createOrder', order('a', '1')]],
    call: ['ship', { accountId: 'a', orderId: '1', status: 'paid', before: 'open' }],
  },
  'a delete': { before: [['createOrder', order('a', '1')]], call: ['deleteOrder', { accountId: 'a', orderId: '1' }] },
  'a put with a unique value': { before: [], call: ['openAccount', account('a')] },
  'a transaction over two partitions': { before: two, call: ['transfer', { from: 'a', to: 'b', amount: 30 }] },
  'a transaction with a new item and a `require` step': {
    before: two,
    call: ['placeOrder', { order: order('a', '1'), amount: 5, sponsor: 'b' }],
  },
  'a change to a unique value': {
    before: two,
    call: ['changeEmail', { accountId: 'a', former: 'a@x', email: 'new@x' }],
  },
  'a delete of an item with a unique value': { before: two, call: ['closeAccount', { accountId: 'a', email: 'a@x' }] },
  'a put with a version, timestamps and computed attributes': { before: [], call: ['addProduct', product('p')] },
  'an update that increments the version and moves a computed key': {
    before: [['addProduct', product('p')]],
    call: ['rename', { productId: 'p', name: 'Armchair', rev: 1 }],
  },
  'a change to a set': {
    before: [['addProduct', product('p', { sizes: new Set([1, 2]), tags: new Set(['x']) })]],
    call: ['resize', { productId: 'p', size: 2, tag: 'x' }],
  },
  'a transaction with a set, a version and a computed key': {
    before: [...two, ['addProduct', product('p')]],
    call: ['resell', { productId: 'p', seller: 'a', maker: 'm', size: 2, accountId: 'b', product: { rev: 1 } }],
  },
};

class Killed extends Error {}

/** Kills a client at one of its calls, before the call is sent or before the response arrives. */
export function killedAt(call: number, isDone: boolean): Way & { readonly reached: () => boolean } {
  let count = 0;
  const way: Way = (send) => async (table, made) => {
    const own = count++;
    if (own > call || (own === call && !isDone)) throw new Killed();
    const output = await send(table, made);
    if (own === call) throw new Killed();
    return output;
  };
  return Object.assign(way, { reached: () => count > call });
}

async function prepared(database: AzureDatabase, deed: Deed, way?: Way): Promise<ReadonlyMap<string, Item>> {
  await emptied(database);
  const runs = onAzure(database, way);
  for (const [name, values] of deed.before) await (runs[name] as Runs[string])(values);
  return itemsIn(database);
}

/** Reads the stored version of each given item through a client, one by one. */
async function readIn(database: AzureDatabase, keys: readonly Item[]): Promise<ReadonlyMap<string, Item>> {
  const store = storeOf(bazaar, database.send);
  const found = new Map<string, Item>();
  for (const key of keys) {
    const item = await itemAt(store, store.places.all[0] as Place, key);
    if (item !== undefined) found.set(`${item.PK} ${item.SK}`, item);
  }
  return found;
}

const text = (items: ReadonlyMap<string, Item>) =>
  JSON.stringify(
    [...items].sort(([a], [b]) => (a < b ? -1 : 1)),
    (_, value) => (value instanceof Set ? [...value].sort() : value),
  );

/**
 * Repeats a deed, kills the client at a different call each time, and returns the faults that remain after the sweep. A
 * deed must be atomic, even to another client that reads before the sweep.
 * @param guard wraps every client's calls, for example to disable one of the protocol's guards
 */
export async function faultsOfKills(
  database: AzureDatabase,
  deed: Deed,
  guard: Way = (send) => send,
): Promise<readonly string[]> {
  const [name, values] = deed.call;
  const first = await prepared(database, deed, guard);
  await (onAzure(database, guard)[name] as Runs[string])(values);
  const last = await itemsIn(database);
  const [before, after, keys] = [text(first), text(last), [...new Set([...first.values(), ...last.values()])]];
  const faults: string[] = [];
  for (const isDone of [false, true]) {
    for (let call = 0; ; call++) {
      await prepared(database, deed, guard);
      const kill = killedAt(call, isDone);
      const died = await (onAzure(database, (send) => kill(guard(send)))[name] as Runs[string])(values).then(
        () => false,
        () => true,
      );
      const read = text(await readIn(database, keys));
      await swept(database, guard);
      const now = text(await itemsIn(database));
      const at = `${name} killed ${isDone ? 'after' : 'before'} call ${call}`;
      if (now !== after && (now !== before || !died)) faults.push(`${at}: half done: ${now}`);
      if (now !== read) faults.push(`${at}: a reader saw ${read}, and the sweep left ${now}`);
      faults.push(...(await faultsIn(database)).map((fault) => `${at}: ${fault}`));
      if (!kill.reached()) break;
    }
  }
  return faults;
}

/** Stalls a client at one of its calls until `letGo` is called. */
export function heldAt(call: number) {
  let count = 0;
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const way: Way = (send) => async (table, made) => {
    if (count++ === call) {
      arrive();
      await gone;
    }
    return send(table, made);
  };
  return { way, arrived, letGo: () => letGo() };
}

/**
 * Stalls a writer at each of its calls in turn, lets another writer change the same order twice in the meantime, and
 * returns the faults. What the other writer wrote and deleted must not come back, in the table or in any index.
 */
export async function faultsOfStalls(database: AzureDatabase, guard: Way = (send) => send): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let call = 0; call < 12; call++) {
    await emptied(database);
    const other = onAzure(database, guard, { deadline: 1 });
    await other.createOrder?.(order('a', '1', { status: 'paid' }));
    const { way, arrived, letGo } = heldAt(call);
    const stalled = onAzure(database, (send) => way(guard(send)), { deadline: 1 });
    const first = stalled.saveOrder?.(order('a', '1', { note: 'stalled' })).then(
      () => 'done',
      () => 'refused',
    ) as Promise<string>;
    const state = await Promise.race([arrived.then(() => 'stalled'), first]);
    if (state !== 'stalled') break;
    await other.saveOrder?.(order('a', '1', { status: 'shipped', note: 'other' }));
    await other.deleteOrder?.({ accountId: 'a', orderId: '1' });
    const isStored = (await itemsIn(database)).size;
    letGo();
    await first;
    await swept(database, guard);
    const items = [...(await itemsIn(database)).values()];
    // No item may be left after the delete, unless the stalled writer wrote its item afterwards.
    if (isStored !== 0 || (items.length > 0 && items[0]?.note !== 'stalled'))
      faults.push(`call ${call}: ${JSON.stringify(items)}`);
    faults.push(...(await faultsIn(database)).map((fault) => `stalled at call ${call}: ${fault}`));
  }
  return faults;
}

/**
 * Stalls a transaction at each of its calls in turn until other clients have aborted or finished the transaction, and
 * returns the faults.
 */
export async function faultsOfStalledTransactions(
  database: AzureDatabase,
  guard: Way = (send) => send,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (let call = 0; call < 12; call++) {
    await emptied(database);
    const other = onAzure(database, guard, { deadline: 1 });
    for (const [name, values] of two) await (other[name] as Runs[string])(values);
    const { way, arrived, letGo } = heldAt(call);
    const stalled = onAzure(database, (send) => way(guard(send)), { deadline: 1, patience: 2_000 });
    const first = stalled.transfer?.({ from: 'a', to: 'b', amount: 30 }).then(
      () => 'done',
      () => 'refused',
    ) as Promise<string>;
    if ((await Promise.race([arrived.then(() => 'stalled'), first])) !== 'stalled') break;
    await new Promise((resolve) => setTimeout(resolve, 5));
    const moved = { done: 0 };
    for (const accountId of ['a', 'b'])
      await other.deposit?.({ accountId, amount: 1, percent: 0.1 }).then(
        () => moved.done++,
        () => undefined,
      );
    letGo();
    const outcome = await first;
    await swept(database, guard);
    const balances = [...(await itemsIn(database)).values()].flatMap(({ balance }) =>
      balance === undefined ? [] : [balance as number],
    );
    const [low, high] = outcome === 'done' ? [71, 131] : [101, 101];
    if (moved.done !== 2 || JSON.stringify(balances.sort((x, y) => x - y)) !== JSON.stringify([low, high]))
      faults.push(`call ${call}: ${outcome}, ${moved.done} deposits, balances ${balances}`);
    faults.push(...(await faultsIn(database)).map((fault) => `stalled at call ${call}: ${fault}`));
  }
  return faults;
}

/** Lets many clients write to the same few items concurrently, and returns the lost, duplicate and wrong writes. */
export async function faultsOfRaces(
  database: AzureDatabase,
  writers: number,
  guard: Way = (send) => send,
): Promise<readonly string[]> {
  await emptied(database);
  const runs = onAzure(database, guard);
  for (const [name, values] of two) await (runs[name] as Runs[string])(values);
  await runs.addProduct?.(product('p', { sizes: new Set([1]) }));
  let [deposits, claims, firsts] = [0, 0, 0];
  await Promise.all(
    Array.from({ length: writers }, async (_, i) => {
      const own = onAzure(database, guard, { patience: 120_000 });
      const [from, to] = i % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
      await own.deposit?.({ accountId: from, amount: 1, percent: 0.1 }).then(() => deposits++);
      await own.transfer?.({ from, to, amount: 1 });
      await own.saveOrder?.(order('a', '1', { status: i % 2 === 0 ? 'open' : 'paid' }));
      await own.openAccount?.(account(`w${i}`, { email: 'one@x' })).then(
        () => claims++,
        () => undefined,
      );
      await own.rename?.({ productId: 'p', name: `Chair ${i}`, rev: 1 }).then(
        () => firsts++,
        () => undefined,
      );
      await own.stock?.({ productId: 'p', size: i + 2 });
    }),
  );
  await swept(database, guard);
  const faults = [...(await faultsIn(database))];
  const items = await itemsIn(database);
  const total = ['a', 'b'].reduce((sum, id) => sum + Number(items.get(`ACCOUNT#${id} ACCOUNT`)?.balance), 0);
  if (deposits !== writers || total !== 200 + writers) faults.push(`${deposits} deposits, ${total} in all`);
  const claimed = [...items.values()].filter(({ email, type }) => email === 'one@x' && type === 'Account').length;
  if (claims !== 1 || claimed !== 1) faults.push(`${claims} claims of one value, by ${claimed} accounts`);
  const { rev, sizes = new Set() } = items.get('PRODUCT#p PRODUCT') ?? {};
  if (rev !== 1 + firsts + writers || firsts > 1) faults.push(`version ${rev} after ${firsts} renames of the first`);
  if ((sizes as Set<number>).size !== 1 + writers) faults.push(`${(sizes as Set<number>).size} elements of a set`);
  return faults;
}

/** Sends every write again a moment later, because a network may duplicate requests. */
export const twice: Way = (send) => async (table, call) => {
  const output = await send(table, call);
  if (isWrite(call)) await send(table, call).catch(() => undefined);
  return output;
};

type Rewrite = (table: string, call: AzureCall) => AzureCall;

const rewriting =
  (rewrite: Rewrite): Way =>
  (send): Send =>
  (table, call) =>
    send(table, rewrite(table, call));

/**
 * Each entry disables one of the protocol's guards in every call. A test that also passes without a guard proves
 * nothing about that guard.
 */
export const WITHOUT: Readonly<Record<string, Way>> = {
  'the outbox': rewriting((_, call) => mapEntity(call, (entity) => ({ ...entity, [COLUMN.outbox]: '' }))),
  ETags: rewriting((_, call) => {
    if (call.method === 'updateEntity') return { ...call, args: [call.args[0], call.args[1], { etag: '*' }] };
    if (call.method === 'submitTransaction')
      return {
        ...call,
        args: [
          call.args[0].map((action) =>
            action[0] === 'update' ? [action[0], action[1], action[2], { etag: '*' }] : action,
          ),
        ],
      };
    return call;
  }),
  'version checks when creating index rows': rewriting((table, call) =>
    call.method === 'createEntity' && table !== 'shop' && table !== 'Transactions'
      ? { method: 'upsertEntity', args: [call.args[0], 'Replace'] }
      : call,
  ),
  tombstones: rewriting((table, call) =>
    call.method === 'updateEntity' && table !== 'shop' && call.args[0][COLUMN.state] === 'gone'
      ? { method: 'deleteEntity', args: [call.args[0].partitionKey, call.args[0].rowKey, call.args[2]] }
      : call,
  ),
  locks: rewriting((table, call) =>
    table === 'shop'
      ? mapEntity(call, (entity) => ({
          ...entity,
          ...(entity[COLUMN.lock] === undefined ? {} : { [COLUMN.lock]: '' }),
        }))
      : call,
  ),
  'the versions in existing index rows': (send) => async (table, call) => {
    const output = await send(table, call);
    const isFollowing = table !== 'shop' && table !== 'Transactions';
    return isFollowing && output.entity ? { entity: { ...output.entity, [COLUMN.version]: 0 } } : output;
  },
  'reads of the transaction record': (send) => async (table, call) =>
    table === 'Transactions' && call.method === 'getEntity' ? {} : send(table, call),
  'the write that commits': (send) => async (table, call) =>
    table === 'Transactions' && call.method === 'updateEntity' ? {} : send(table, call),
};

function mapEntity(call: AzureCall, map: (entity: Item) => object): AzureCall {
  const mapped = map as (entity: object) => never;
  switch (call.method) {
    case 'createEntity':
      return { ...call, args: [mapped(call.args[0])] };
    case 'updateEntity':
      return { ...call, args: [mapped(call.args[0]), call.args[1], call.args[2]] };
    case 'submitTransaction':
      return {
        ...call,
        args: [call.args[0].map(([kind, entity, ...rest]) => [kind, mapped(entity), ...rest] as never)],
      };
    default:
      return call;
  }
}
