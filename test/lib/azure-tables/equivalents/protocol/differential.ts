import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import fc from 'fast-check';
import { SystemStack } from '../../../../../constructs/aws';
import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { client } from '../../../../../lib/dynamodb';
import type { Database } from '../../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../../../lib/dynamodb/template/tables';
import type { Item } from '../../../../../lib/items/item';
import { bazaar } from './bazaar';
import { account, emptied, FEATURES, faultsIn, itemsIn, NAME, onAzure, outcomeOf, type Runs, swept } from './sides';

const accountId = fc.constantFrom('a', 'b', 'c#/?', 'é');
const plain = fc.constantFrom('a', 'b', 'é');
const orderId = fc.constantFrom('1', '10', '2', '3/4', 'x');
const status = fc.constantFrom('open', 'paid', 'shipped');
const amount = fc.constantFrom(1, 7, 60, 1000);
const own = { accountId: plain };
const email = fc.constantFrom('a@x', 'b@x', 'é@x', 'other@x');
const orders = fc
  .record({
    accountId: plain,
    orderId,
    status,
    total: fc.constantFrom(1, 2.5, 10),
    note: fc.constantFrom(undefined, 'n'),
  })
  .map(({ note, ...rest }) => (note === undefined ? rest : { ...rest, note }));

const productId = fc.constantFrom('p', 'q', 'é/1');
const name = fc.constantFrom('Chair', 'table', 'Öl', 'zebra');
const maker = fc.constantFrom('m', 'a');
const seller = fc.constantFrom('s', 'r', 'm');
const tag = fc.constantFrom('x', 'y', 'z', 'é');
const size = fc.integer({ min: 1, max: 4 });
const rev = fc.constantFrom(undefined, 1, 2, 3, 4);
const createdAt = fc.constantFrom(undefined, '2020-02-03T04:05:06.007Z');
const products = {
  productId,
  name,
  maker,
  seller,
  sizes: fc.uniqueArray(size, { minLength: 1 }).map((all) => new Set(all)),
};

/** Leaves out undefined values, as callers do. */
const defined = (values: object) => Object.fromEntries(Object.entries(values).filter(([, one]) => one !== undefined));

const workId = fc.constantFrom('w', 'x', 'é');
const studio = fc.constantFrom('s', 't');
const shared = { workId, title: name, price: amount, author: fc.constantFrom(undefined, 'm', 'é') };
const works = fc
  .oneof(
    fc.record({ ...shared, kind: fc.constant('book'), pages: size, isbn: fc.constantFrom(undefined, 'i') }),
    fc.record({ ...shared, kind: fc.constant('film'), minutes: size, studio }),
    fc.record({ ...shared, kind: fc.constant('poster') }),
    // Invalid: no member has both this kind and `pages`.
    fc.record({ ...shared, kind: fc.constant('poster'), pages: size }),
  )
  .map((work) => defined(work));

/** Any pattern, with values from a small set, so that collisions are frequent. */
const operations: fc.Arbitrary<readonly [string, object]> = fc.oneof(
  ...Object.entries({
    getAccount: fc.record({ accountId }),
    openAccount: fc
      .record({ accountId: plain, email, plan: fc.constantFrom('free', 'pro'), balance: amount })
      .map((some) => account(some.accountId, some)),
    accountByEmail: fc.record({ email }),
    changePlan: fc.record({ ...own, plan: fc.constantFrom('free', 'pro'), least: amount }),
    deposit: fc.record({ ...own, amount, percent: fc.constantFrom(0.1, 0.2, -0.3) }),
    annotate: fc.record({
      ...own,
      note: fc.constantFrom('x', 'y'),
      city: fc.constantFrom('Ulm', 'Rio'),
      more: fc.constant(['t']),
    }),
    closeAccount: fc.record({ ...own, email }),
    saveOrder: orders,
    createOrder: orders,
    dropNote: fc.record({ ...own, orderId }),
    ship: fc.record({ ...own, orderId, status, before: status }),
    deleteOrder: fc.record({ ...own, orderId }),
    ordersOf: fc.record(own),
    ordersFrom: fc.record({ ...own, from: orderId, to: orderId, most: amount }),
    openOrders: fc.record(own),
    latestOpen: fc.record({ ...own, orderId }),
    ordersIn: fc.record({ status }),
    accountsOn: fc.record({ plan: fc.constantFrom('free', 'pro') }),
    liveAccounts: fc.record({ plan: fc.constantFrom('free', 'pro') }),
    bothAccounts: fc.constantFrom({ one: 'a', other: 'b' }, { one: 'é', other: 'a' }),
    someOrders: fc.record({ orders: fc.array(fc.record({ ...own, orderId }), { maxLength: 3 }) }),
    saveOrders: fc.record({
      orders: fc.uniqueArray(orders, { maxLength: 3, selector: (one) => `${one.accountId} ${one.orderId}` }),
    }),
    transfer: fc.record({ from: plain, to: plain, amount }),
    placeOrder: fc.record({ order: orders, amount, sponsor: plain }),
    swap: fc.record({ ...own, orderId, order: orders }),
    changeEmail: fc.record({ ...own, email, former: email }),
    getProduct: fc.record({ productId }),
    productsByName: fc.record({ from: name }),
    productsOfPair: fc.record({ pair: fc.constantFrom('m~s', 'm~r', 'a~m', 'a~s') }),
    addProduct: fc.record(products),
    saveProduct: fc.record({ ...products, rev, createdAt }).map(defined),
    rename: fc.record({ productId, name, rev }).map(defined),
    tag: fc.record({ productId, tag, rev }).map(defined),
    tagAll: fc.record({ productId, more: fc.uniqueArray(tag, { minLength: 1 }).map((tags) => new Set(tags)) }),
    stock: fc.record({ productId, size }),
    resize: fc.record({ productId, size, tag }),
    resell: fc.record({ ...own, productId, size, seller, maker, product: fc.record({ rev }).map(defined) }),
    dropProduct: fc.record({ productId }),
    getWork: fc.record({ workId }),
    addWork: works,
    saveWork: works,
    reprice: fc.record({ workId, price: amount }),
    shorten: fc.record({ workId, minutes: size }),
    bind: fc.record({ workId, pages: size }),
    worksOf: fc.record({ studio }),
    worksBy: fc.record({ author: fc.constantFrom('m', 'é') }),
    sellWork: fc.record({ ...own, workId, price: amount }),
    dropWork: fc.record({ workId }),
  }).map(([name, values]) => (values as fc.Arbitrary<object>).map((given) => [name, given] as const)),
);

/** Runs random operations on both clouds. Both must return the same results and end up with the same items. */
export function describeDifferential(count: number, seed: number): void {
  describe(`${count} random operations with seed ${seed}`, () => {
    let [azure, aws] = [] as unknown as [AzureDatabase, Database];
    beforeAll(async () => {
      [azure, aws] = await Promise.all([azuriteEngine(), embeddedEngine()]);
      const stack = new SystemStack(new App(), 'bazaar', { design: bazaar, environment: 'dev' });
      await aws.provision(Template.fromStack(stack).toJSON() as TemplateJson);
      await emptied(azure);
    });
    afterAll(async () => {
      await azure?.stop();
      await aws?.stop();
    });

    test('returns the same results and stores the same items on DynamoDB and Azure Tables', async () => {
      const there = client(bazaar.tables.shop, NAME, aws.send, FEATURES) as unknown as Runs;
      const here = onAzure(azure);
      console.info(`differential test with seed ${seed}`);
      for (const [name, values] of fc.sample(operations, { seed, numRuns: count })) {
        const limit = { limit: 1 + (JSON.stringify(values).length % 3) };
        const options = /Of$|From$|open|latest|ByName$/.test(name) && name !== 'openAccount' ? limit : {};
        const [expected, got] = await Promise.all(
          [there, here].map((runs) => outcomeOf((runs[name] as Runs[string])(values, options))),
        );
        expect({ name, values, outcome: normal(name, got) }).toEqual({ name, values, outcome: normal(name, expected) });
        await sameRest(name, values, options, expected, there, here);
      }
      const items = new Map<string, Item>();
      for await (const item of aws.scan(NAME)) items.set(`${item.PK} ${item.SK}`, item);
      await swept(azure);
      expect(await itemsIn(azure)).toEqual(items);
      expect(await faultsIn(azure)).toEqual([]);
    });
  });
}

/** Compares the remaining pages, because cursors must lead to the same pages on both clouds. */
async function sameRest(name: string, values: object, options: object, first: unknown, there: Runs, here: Runs) {
  let cursor = (first as { result?: { cursor?: string } }).result?.cursor;
  while (cursor !== undefined) {
    const [expected, got] = (await Promise.all(
      [there, here].map((runs) => outcomeOf((runs[name] as Runs[string])(values, { ...options, cursor }))),
    )) as [{ result?: { cursor?: string } }, unknown];
    expect({ name, values, cursor, outcome: got }).toEqual({ name, values, cursor, outcome: expected });
    cursor = expected.result?.cursor;
  }
}

/** Sorts the items of a batch read, whose order is undefined. */
function normal(name: string, outcome: unknown): unknown {
  const { result } = outcome as { result?: { items: object[] } };
  if (name !== 'someOrders' || result === undefined) return outcome;
  return { result: { ...result, items: result.items.map((item) => JSON.stringify(item)).sort() } };
}
