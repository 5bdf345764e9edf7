import { z } from 'zod';
import { check } from '../../../lib/check';
import { type Draft, draftOf, type TableDraft } from '../../../lib/draft/draft';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { defineSystem, defineTable, type SystemDesign } from '../../../lib/index';
import type { SystemCases } from '../../../lib/proof';
import { market } from '../../fixtures/sound/market';
import { proofs, templateOf } from '../proof/notes';
import { supportDesk } from '../proof/support';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Drafts cases for a system, and proves them. */
async function drafted(system: SystemDesign): Promise<{ readonly draft: Draft; readonly failures: object }> {
  const template = templateOf(system);
  const none = { system, tables: {} } as unknown as SystemCases;
  const draft = await draftOf(engine, { system, cases: none, template, environment: 'dev' });
  const cases = { system, tables: draft.tables, patterns: draft.patterns } as unknown as SystemCases;
  const found = await proofs(engine, { system, cases, template });
  const failed = found.filter(({ name, failure }) => failure !== undefined && !Object.hasOwn(draft.open, name));
  return { draft, failures: Object.fromEntries(failed.map(({ name, failure }) => [name, failure])) };
}

const time = z.iso.datetime({ precision: 3 });
const line = { orderId: z.string(), sku: z.string(), units: z.int() };
const common = { productId: z.string(), title: z.string(), sortTitle: z.string() };
const kinds = ['book', 'film', 'game', 'toy', 'record', 'map', 'poster', 'ticket'] as const;
const LINE = { PK: 'ORDER#<orderId>', SK: 'LINE#<sku>' };

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'products by title' } },
  typeAttribute: 'type',
  entities: {
    Product: {
      attributes: z.discriminatedUnion('kind', [
        z.object({ ...common, kind: z.literal('book'), author: z.string() }),
        ...kinds.slice(1).map((kind) => z.object({ ...common, kind: z.literal(kind) })),
      ] as never) as unknown as z.ZodObject<typeof common>,
      keys: { PK: 'PRODUCT#<productId>', SK: 'PRODUCT', GSI1PK: 'PRODUCTS', GSI1SK: '<sortTitle>#<productId>' },
      computed: { sortTitle: '<title:lower>' },
    },
    Order: {
      attributes: z.object({
        orderId: z.string(),
        from: z.string(),
        to: z.string(),
        pair: z.string(),
        rev: z.int(),
        placedAt: time,
        changedAt: time,
      }),
      keys: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
      version: 'rev',
      timestamps: { created: 'placedAt', updated: 'changedAt' },
      computed: { pair: { sorted: ['<from>', '<to>'], separator: '~' } },
    },
    Line: { attributes: z.object(line), keys: LINE },
  },
  patterns: {
    product: { op: 'get', where: { PK: 'PRODUCT#<productId>', SK: 'PRODUCT' }, returns: ['Product'] },
    products: { op: 'query', index: 'GSI1', where: { GSI1PK: 'PRODUCTS' }, returns: ['Product'], pageSize: 20 },
    addProduct: { op: 'put', entity: 'Product' },
    order: { op: 'get', where: { PK: 'ORDER#<orderId>', SK: 'ORDER' }, returns: ['Order'] },
    line: { op: 'get', where: LINE, returns: ['Line'] },
    lines: {
      op: 'query',
      where: { PK: 'ORDER#<orderId>', SK: { beginsWith: 'LINE#' } },
      returns: ['Line'],
      pageSize: 20,
    },
    productsOf: {
      op: 'batchGet',
      each: 'productIds',
      keys: { product: { PK: 'PRODUCT#<productIds>', SK: 'PRODUCT' } },
      returns: ['Product'],
    },
    linesOf: {
      op: 'query',
      each: 'orderIds',
      where: { PK: 'ORDER#<orderIds>', SK: { beginsWith: 'LINE#' } },
      returns: ['Line'],
    },
    place: {
      op: 'transaction',
      steps: { order: { op: 'put', entity: 'Order' }, lines: { op: 'put', entity: 'Line', each: 'lines' } },
    },
    recount: {
      op: 'transaction',
      steps: {
        counted: {
          op: 'update',
          entity: 'Line',
          each: 'counts',
          where: { PK: 'ORDER#<orderId>', SK: 'LINE#<counts.sku>' },
          set: { units: '<counts.units>' },
        },
      },
    },
    dropLines: {
      op: 'batchWrite',
      steps: {
        dropped: { op: 'delete', entity: 'Line', each: 'gone', where: { PK: 'ORDER#<orderId>', SK: 'LINE#<gone>' } },
      },
    },
    reship: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
      set: { to: '<to>' },
      condition: { from: '<from>' },
    },
  },
});
const system = defineSystem({ name: 'shop', cloud: 'aws', tables: { shop } });

test('drafts cases that cover lists, computed attributes and every union member, and that all pass their proofs', async () => {
  expect(check(system).filter(({ severity }) => severity === 'error')).toEqual([]);
  const { draft, failures } = await drafted(system);
  expect(draft.open).toEqual({});
  expect(failures).toEqual({});
  const { items, patterns } = draft.tables.shop as TableDraft;
  const valuesOf = (entity: string) => Object.values(items).flatMap(([of, values]) => (of === entity ? [values] : []));
  expect(new Set(valuesOf('Product').map((values) => (values as { kind?: string }).kind))).toEqual(new Set(kinds));
  expect(valuesOf('Order')[0]).toMatchObject({ from: 'From 1', to: 'To 1', pair: 'From 1~To 1' });
  const given = (name: string) => patterns[name]?.values;
  expect(given('productsOf')).toEqual({ productIds: ['product-1', 'product-2'] });
  expect(given('recount')).toEqual({
    orderId: 'order-1',
    counts: [
      { sku: 'Sku 1', units: 90 },
      { sku: 'Sku 2', units: 290 },
    ],
  });
  expect(given('dropLines')).toEqual({ orderId: 'order-1', gone: ['Sku 1', 'Sku 2'] });
  expect(Object.keys((given('place') as { order: object }).order)).toEqual(['orderId', 'from', 'to']);
});

test.each([
  ['a shop', market as SystemDesign, 6],
  ['a support desk', supportDesk.system, 6],
])('drafts almost all cases for %s', async (_, design, most) => {
  const { draft, failures } = await drafted(design);
  expect(Object.keys(draft.open).length).toBeLessThanOrEqual(most);
  // A drafted case may return too few items to prove paging, which needs at least two.
  const others = Object.values(failures).filter((failure) => !`${failure}`.startsWith('expected at least two items'));
  expect(others).toEqual([]);
});
