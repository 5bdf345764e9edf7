import * as z from 'zod';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { toAwsModel } from '../../../lib/export/aws-model';
import { toJsonSchema } from '../../../lib/export/json-schema';
import { fromAwsModel } from '../../../lib/import/aws-model';
import { pages } from '../../fixtures/stored';

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byStatus: { partition: 'GSI1PK', sort: 'total', projection: ['note'] } },
  entities: {
    Order: {
      attributes: z.object({
        id: z.string().min(1),
        status: z.enum(['open', 'paid']),
        total: z.number(),
        note: z.string().optional(),
      }),
      keys: { PK: 'ORDER#<id>', SK: 'ORDER', GSI1PK: 'STATUS#<status>' },
    },
  },
  patterns: {
    order: { op: 'get', where: { PK: 'ORDER#<id>', SK: 'ORDER' }, returns: ['Order'], consistent: true },
    openOrders: {
      ...{ op: 'query', index: 'byStatus', where: { GSI1PK: 'STATUS#open' }, returns: ['Order'] },
      ...{ select: ['total', 'note'], pageSize: 20, purpose: 'for the warehouse' },
    },
    pay: {
      ...{ op: 'update', entity: 'Order', where: { PK: 'ORDER#<id>', SK: 'ORDER' } },
      set: { status: 'paid' },
    },
  },
}) as unknown as TableDesign;

test("the data model for AWS's tools lists the attributes that each update writes", () => {
  const model = toAwsModel(shop) as { tables: readonly object[]; access_patterns: readonly object[] };
  expect(model.tables).toMatchObject([
    {
      table_name: 'shop',
      key_schema: { partition_key: 'PK', sort_key: 'SK' },
      attribute_definitions: [
        { attribute_name: 'PK', attribute_type: 'S' },
        { attribute_name: 'SK', attribute_type: 'S' },
        { attribute_name: 'GSI1PK', attribute_type: 'S' },
        { attribute_name: 'total', attribute_type: 'N' },
      ],
      gsis: [
        { index_name: 'byStatus', partition_key: 'GSI1PK', projection: { type: 'INCLUDE', attributes: ['note'] } },
      ],
    },
  ]);
  expect(model.access_patterns).toMatchObject([
    { pattern_id: 'order', operation: 'GetItem', consistency: 'strong', items_per_request: 1 },
    {
      pattern_id: 'openOrders',
      operation: 'Query',
      index: 'byStatus',
      items_per_request: 20,
      description: 'for the warehouse',
    },
    {
      pattern_id: 'pay',
      operation: 'UpdateItem',
      entities_written: ['Order'],
      attributes_written: ['status', 'GSI1PK'],
    },
  ]);
  const [read] = fromAwsModel(JSON.parse(JSON.stringify(model)), 'model.json').tables;
  expect(read).toMatchObject({ name: 'shop', key: shop.key, indexes: { byStatus: shop.indexes?.byStatus } });
});

test('a design becomes a JSON Schema with a definition per entity', () => {
  expect(toJsonSchema(shop)).toMatchObject({
    title: 'shop',
    $defs: {
      Order: {
        type: 'object',
        required: ['id', 'status', 'total'],
        properties: { status: { type: 'string', enum: ['open', 'paid'] }, total: { type: 'number' } },
      },
    },
  });
});

test("the data model for AWS's tools uses stored attribute names, also to estimate item sizes", () => {
  const [{ entities }] = (toAwsModel(pages) as { tables: [{ entities: Record<string, unknown>[] }] }).tables;
  expect(entities[0]?.attributes).toEqual([
    { name: 'PK', type: 'S' },
    { name: 's', type: 'S' },
    { name: 'd', type: 'S' },
  ]);
  const { Page } = pages.entities;
  const spelled = { ...pages, entities: { Page: { ...Page, stored: { pageId: 'PK' } } } } as TableDesign;
  const sizeIn = (design: TableDesign) => {
    const { tables } = toAwsModel(design) as { tables: [{ entities: [{ estimated_item_size_bytes: number }] }] };
    return tables[0].entities[0].estimated_item_size_bytes;
  };
  expect(sizeIn(spelled) - sizeIn(pages)).toBe('slug'.length + 'description'.length - 2);
});
