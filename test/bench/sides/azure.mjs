// The same shop on Azure Tables, implemented twice: with the equivalents of a DynamoDB design, and with handwritten
// calls to the Azure SDK.
import { TableClient } from '@azure/data-tables';
import { defineSystem, defineTable } from 'tablewright';
import { azureTableNames, equivalents } from 'tablewright/azure-tables/equivalents';
import { storage } from 'tablewright/azure-tables/sdk';
import { system } from 'tablewright/dynamodb';
import { z } from 'zod';

const account = (id) => ({ PK: `ACCOUNT#<${id}>`, SK: 'ACCOUNT' });
const update = (from) => ({ op: 'update', entity: 'Account', where: account(from) });
const order = { PK: 'ACCOUNT#<account>', SK: 'ORDER#<id>' };

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byStatus: { partition: 'status', sort: 'SK' }, byId: { partition: 'id' } },
  entities: {
    Account: { attributes: z.object({ owner: z.string(), balance: z.int() }), keys: account('owner') },
    Order: {
      attributes: z.object({ account: z.string(), id: z.string(), status: z.string(), total: z.int() }),
      keys: order,
    },
  },
  patterns: {
    getAccount: { op: 'get', where: account('owner'), returns: ['Account'] },
    open: { op: 'put', entity: 'Account' },
    getOrder: { op: 'get', where: order, returns: ['Order'] },
    ordersIn: { op: 'query', index: 'byStatus', where: { status: '<status>' }, returns: ['Order'], pageSize: 100 },
    orderById: { op: 'query', index: 'byId', where: { id: '<id>' }, returns: ['Order'] },
    place: { op: 'put', entity: 'Order' },
    price: { op: 'update', entity: 'Order', where: order, set: { total: '<total>' } },
    openTwo: {
      op: 'transaction',
      steps: { one: { op: 'put', entity: 'Account' }, two: { op: 'put', entity: 'Account' } },
    },
    transfer: {
      op: 'transaction',
      steps: {
        from: { ...update('from'), subtract: { balance: '<amount>' }, condition: { balance: { atLeast: '<amount>' } } },
        to: { ...update('to'), add: { balance: '<amount>' } },
      },
    },
  },
});
const design = defineSystem({ name: 'shop', cloud: 'aws', tables: { shop } });

const HAND = ['hand', 'handByStatus', 'handById'];
/** The tables of both sides. */
export const TABLES = [...azureTableNames(design), ...HAND];

export function byEquivalents(connection) {
  let sent = 0;
  const send = storage(connection);
  const counted = (table, call) => {
    sent++;
    return send(table, call);
  };
  const client = system(design, { environment: 'bench' }, equivalents(design, counted));
  return {
    sent: () => sent,
    open: (owner, balance) => client.open({ owner, balance }),
    balance: async (owner) => (await client.getAccount({ owner })).balance,
    get: ({ account, id }) => client.getOrder({ account, id }),
    query: async ({ status }) => (await client.ordersIn({ status })).items,
    put: (order) => client.place(order),
    update: ({ account, id, total }) => client.price({ account, id, total }),
    'put of two': (one, two) => client.openTwo({ one: { owner: one, balance: 0 }, two: { owner: two, balance: 0 } }),
    transfer: (from, to, amount) => client.transfer({ from, to, amount }),
  };
}

/**
 * The code that a careful colleague would write: it uses ETags for every change, but does not finish interrupted work
 * after a crash.
 */
export function byHand(connection) {
  let sent = 0;
  const [base, byStatus, byId] = HAND.map((table) => {
    const client = TableClient.fromConnectionString(connection, table, { allowInsecureConnection: true });
    return (method, ...args) => {
      sent++;
      return client[method](...args);
    };
  });
  const accountOf = (owner) => ({ partitionKey: `ACCOUNT-${owner}`, rowKey: 'ACCOUNT' });
  const keysOf = ({ account, id }) => ({ partitionKey: `ACCOUNT-${account}`, rowKey: `ORDER-${id}` });
  const rowsOf = (order) => {
    const { partitionKey, rowKey } = keysOf(order);
    return [
      [byStatus, { ...order, partitionKey: order.status, rowKey: `${rowKey} ${partitionKey}` }],
      [byId, { ...order, partitionKey: order.id, rowKey: partitionKey }],
    ];
  };
  const orderIn = ({ account, id, status, total }) => ({ account, id, status, total });
  const open = (owner, balance) => base('createEntity', { ...accountOf(owner), owner, balance });
  const accountAt = (owner) => base('getEntity', accountOf(owner).partitionKey, 'ACCOUNT');
  const add = (row, amount) =>
    base('updateEntity', { ...accountOf(row.owner), balance: row.balance + amount }, 'Merge', { etag: row.etag });
  return {
    sent: () => sent,
    open,
    balance: async (owner) => (await accountAt(owner)).balance,
    async get(order) {
      const { partitionKey, rowKey } = keysOf(order);
      return orderIn(await base('getEntity', partitionKey, rowKey));
    },
    async query({ status }) {
      const filter = `PartitionKey eq '${status}'`;
      const pages = byStatus('listEntities', { queryOptions: { filter } }).byPage({ maxPageSize: 100 });
      const { value } = await pages.next();
      return value.map(orderIn);
    },
    async put(order) {
      await base('createEntity', { ...keysOf(order), ...order });
      await Promise.all(rowsOf(order).map(([table, row]) => table('upsertEntity', row, 'Replace')));
    },
    async update({ total, ...order }) {
      const keys = keysOf(order);
      const row = await base('getEntity', keys.partitionKey, keys.rowKey);
      await base('updateEntity', { ...keys, total }, 'Merge', { etag: row.etag });
      const next = { ...orderIn(row), total };
      await Promise.all(rowsOf(next).map(([table, own]) => table('upsertEntity', own, 'Replace')));
    },
    'put of two': (one, two) => Promise.all([open(one, 0), open(two, 0)]),
    async transfer(from, to, amount) {
      const [one, two] = await Promise.all([accountAt(from), accountAt(to)]);
      if (one.balance < amount) throw new Error('not enough');
      await add(one, -amount);
      await add(two, amount);
    },
  };
}
