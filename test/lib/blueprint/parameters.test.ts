import { z } from 'zod';
import { outline } from '../../../lib/blueprint/outline';
import { parametersOf } from '../../../lib/blueprint/parameters';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { cases } from '../../../lib/systems/cases';

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Order: {
      attributes: z.object({
        orderId: z.string(),
        at: z.iso.datetime({ precision: 3 }),
        status: z.enum(['OPEN', 'SENT']),
        total: z.number().optional(),
        marks: z.set(z.int()).optional(),
      }),
      keys: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
    },
    Line: {
      attributes: z.object({ orderId: z.string(), sku: z.string() }),
      keys: { PK: 'ORDER#<orderId>', SK: '<sku>' },
    },
  },
  patterns: {
    getOrder: { op: 'get', where: { PK: 'ORDER#<orderId>', SK: 'ORDER' }, returns: ['Order'] },
    place: { op: 'put', entity: 'Order' },
    charge: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
      set: { total: '<amount>', at: '<at?>' },
      condition: { status: '<expected>', total: { not: { attribute: '<not-one>' } } },
    },
    move: {
      op: 'delete',
      entity: 'Line',
      where: { PK: 'ORDER#<source:8>', SK: '<sku>' },
    },
    mark: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'ORDER#<orderId>', SK: 'ORDER' },
      add: { marks: ['<mark>'] },
    },
    placeWith: {
      op: 'transaction',
      steps: {
        order: { op: 'put', entity: 'Order' },
        lines: { op: 'delete', entity: 'Line', each: 'skus', where: { PK: 'ORDER#<order.orderId>', SK: '<skus>' } },
      },
    },
  },
});

const table = outline(shop);
const of = (pattern: string) => parametersOf(table, table.patterns.find(({ name }) => name === pattern) as never);

test('a parameter in a key has the type of the attribute with the same name', () => {
  expect(of('getOrder')).toEqual([expect.objectContaining({ name: 'orderId', kind: 'string', optional: false })]);
});

test('the parameters of a put are the attributes of its entity, each with a sample value', () => {
  expect(of('place')).toEqual([
    expect.objectContaining({ name: 'orderId', kind: 'string' }),
    expect.objectContaining({ name: 'at', format: 'datetime', sample: '2026-01-31T12:00:00.000Z' }),
    expect.objectContaining({ name: 'status', values: ['OPEN', 'SENT'], sample: 'OPEN' }),
    expect.objectContaining({ name: 'total', kind: 'number', optional: true }),
    expect.objectContaining({ name: 'marks', optional: true }),
  ]);
});

test('a lone parameter has the type of the attribute that it is assigned to or compared with', () => {
  expect(of('charge').map(({ name, kind, optional, values }) => [name, kind, optional, values])).toEqual([
    ['orderId', 'string', false, undefined],
    ['amount', 'number', false, undefined],
    ['at', 'string', true, undefined],
    ['expected', 'string', false, ['OPEN', 'SENT']],
  ]);
});

test('a parameter with padding is a number, even if no attribute has the same name', () => {
  expect(of('move').map(({ name, kind, integer }) => [name, kind, integer])).toEqual([
    ['source', 'number', true],
    ['sku', 'string', undefined],
  ]);
});

test("a parameter in a list that is added to a set has the set's element type", () => {
  expect(of('mark')).toContainEqual(expect.objectContaining({ name: 'mark', kind: 'number', integer: true }));
});

test('in a transaction, a whole item or list is a single parameter, and references to values in the item are not parameters', () => {
  expect(of('placeWith').map(({ name, kind }) => [name, kind])).toEqual([
    ['order', 'map'],
    ['skus', 'list'],
  ]);
});

/** Whether a pattern puts a whole item of an open entity, which accepts any attribute. */
function isOpenPut(design: TableDesign, name: string): boolean {
  const pattern = design.patterns?.[name];
  if (pattern?.op !== 'put' || pattern.item !== undefined) return false;
  const attributes = design.entities[pattern.entity]?.attributes as z.ZodObject | undefined;
  return attributes?.def.catchall instanceof z.ZodUnknown;
}

test('the proof cases of the five systems have a value for every required parameter, and none for an unknown parameter', () => {
  const wrong = Object.values(cases).flatMap(({ system, tables }) =>
    Object.entries(system.tables).flatMap(([name, design]) =>
      outline(design).patterns.flatMap((pattern) => {
        const given = Object.keys(tables[name]?.patterns[pattern.name]?.values ?? {});
        const parameters = parametersOf(outline(design), pattern);
        const missing = parameters.filter((one) => !one.optional && !given.includes(one.name)).map((one) => one.name);
        const unknown = given.filter(
          (one) => !isOpenPut(design, pattern.name) && !parameters.some((parameter) => parameter.name === one),
        );
        return missing.length + unknown.length === 0
          ? []
          : [{ system: system.name, pattern: pattern.name, missing, unknown }];
      }),
    ),
  );
  expect(wrong).toEqual([]);
});
