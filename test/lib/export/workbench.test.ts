import * as z from 'zod';
import type { SystemDesign } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { toWorkbench } from '../../../lib/export/workbench';
import { describedTable } from '../../../lib/import/description';
import { sourceOf } from '../../../lib/import/source';
import { verified } from '../../../lib/import/verify';
import { fromWorkbench } from '../../../lib/import/workbench';
import { systems } from '../../../lib/systems/systems';
import { forum, pages } from '../../fixtures/stored';
import { loaded } from '../../support/imported';

/** The model in the format that Workbench saves. */
const model = (design: TableDesign | SystemDesign) => JSON.parse(JSON.stringify(toWorkbench(design)));
const imported = (json: unknown) => sourceOf(verified(fromWorkbench(json, 'model.json')));
const data = (design: TableDesign | SystemDesign): unknown =>
  'tables' in design ? { ...design, tables: Object.values(design.tables).map(describedTable) } : describedTable(design);
const withoutCode = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/,?"checks":\[\{"check":"custom","code":"\w+"\}\]/g, ''));

const shop = defineTable({
  name: 'shop',
  purpose: 'orders, and what they are for',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    byStatus: { partition: 'status', sort: 'GSI1SK', purpose: 'open orders by day', projection: ['total'] },
    byTotal: { local: true, partition: 'PK', sort: 'total' },
    byRegion: { partition: ['region', 'status'], sort: ['total'] },
  },
  typeAttribute: 'kind',
  ttl: 'expires',
  entities: {
    Order: {
      attributes: z.object({
        customerId: z.string().min(1),
        number: z.int().min(1).max(9999),
        placedAt: z.iso.datetime({ precision: 3 }),
        status: z.enum(['open', 'paid']).optional(),
        region: z.string().optional(),
        total: z.number(),
        picture: z.instanceof(Uint8Array).optional(),
        expires: z.int().optional(),
      }),
      type: 'order',
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<number:4>', GSI1SK: '<placedAt:date>' },
      keyOnly: ['customerId'],
      unique: { number: { keys: { PK: 'NUMBER#<number:4>', SK: 'NUMBER' } } },
    },
    Customer: {
      attributes: z.looseObject({ customerId: z.string().min(1), name: z.string() }),
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' },
    },
  },
  patterns: {
    ordersByStatus: {
      ...{ op: 'query', index: 'byStatus', purpose: 'for the warehouse' },
      where: { status: '<status>', GSI1SK: { atLeast: '<day>' } },
      ...{ returns: ['Order'], select: ['total'], order: 'descending', pageSize: 20 },
    },
    customer: { op: 'get', where: { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' }, returns: ['Customer'] },
  },
  acknowledge: { 'hot-partition': { 'entities.Order': 'orders leave the index' } },
}) as unknown as TableDesign;

describe('a round trip through Workbench', () => {
  test.each([shop, ...Object.values(systems)] as (TableDesign | SystemDesign)[])(
    'a round trip through Workbench returns an equal design: $name',
    (design) => {
      const { text, unsure } = imported(model(design));
      const exported = Object.values(loaded(text));
      const read = 'tables' in design ? exported.find((one) => 'tables' in one) : exported[0];
      expect(data(read as TableDesign)).toEqual(withoutCode(data(design)));
      expect(unsure).toHaveLength(design.name === 'controle-pgm' ? 3 : 0);
    },
  );

  test('a round trip keeps the changes that were made in Workbench', () => {
    const json = model(shop);
    const [table] = json.DataModel;
    const [order] = table.TableFacets;
    order.KeyAttributeAlias.SortKeyAlias = 'ORDER#<number:5>';
    order.TableData = [];
    order.NonKeyAttributes = [...order.NonKeyAttributes.filter((name: string) => name !== 'picture'), 'note'];
    table.NonKeyAttributes.push({ AttributeName: 'note', AttributeType: 'S' });
    table.TableFacets = [order];
    table.GlobalSecondaryIndexes[0].Projection = { ProjectionType: 'ALL' };
    const { text } = imported(json);
    const [read] = Object.values(loaded(text)) as TableDesign[];
    expect(Object.keys(read?.entities ?? {})).toEqual(['Order']);
    expect(read?.entities.Order?.keys).toMatchObject({ SK: 'ORDER#<number:5>', GSI1SK: '<placedAt:date>' });
    expect(Object.keys(describedTable(read as TableDesign).entities.Order?.attributes.shape ?? {})).toEqual(
      expect.arrayContaining(['note', 'customerId']),
    );
    expect(text).not.toContain('picture');
    expect(read?.indexes?.byStatus).toEqual({ partition: 'status', sort: 'GSI1SK' });
    expect(Object.keys(read?.patterns ?? {})).toEqual(['ordersByStatus']);
    expect(text).toContain(
      "// 'customer' is omitted, because the model no longer contains its index or one of its entities",
    );
  });

  test('the error for a damaged design says where in the model the design is', () => {
    const json = model(shop);
    json.ModelMetadata.Description = json.ModelMetadata.Description.slice(0, -5);
    expect(() => imported(json)).toThrow(
      "'model.json': the design after 'tablewright:' in ModelMetadata.Description is damaged",
    );
  });
});

test('a model has a facet per entity, with templates as aliases and a sample item', () => {
  const [table] = model(shop).DataModel;
  expect(table.KeyAttributes).toEqual({
    PartitionKey: { AttributeName: 'PK', AttributeType: 'S' },
    SortKey: { AttributeName: 'SK', AttributeType: 'S' },
  });
  expect(table.TableFacets[0]).toMatchObject({
    FacetName: 'Order',
    KeyAttributeAlias: { PartitionKeyAlias: 'CUSTOMER#<customerId>', SortKeyAlias: 'ORDER#<number:4>' },
    TableData: [{ PK: { S: 'CUSTOMER#a' }, SK: { S: 'ORDER#0001' }, kind: { S: 'order' } }],
  });
  expect(table.NonKeyAttributes).toContainEqual({ AttributeName: 'total', AttributeType: 'N' });
  expect(table.NonKeyAttributes).toContainEqual({ AttributeName: 'picture', AttributeType: 'B' });
  expect(table.GlobalSecondaryIndexes.map(({ IndexName }: { IndexName: string }) => IndexName)).toEqual(['byStatus']);
});

test('a model with stored names uses these names in facets, sample items and indexes, and is read back as an equal design', () => {
  const { DataModel } = model(forum);
  const [{ NonKeyAttributes, TableFacets, GlobalSecondaryIndexes }] = DataModel;
  const types = Object.fromEntries(
    NonKeyAttributes.map(({ AttributeName, AttributeType }: Record<string, string>) => [AttributeName, AttributeType]),
  );
  expect(types).toMatchObject({ d: 'S', s: 'S', v: 'N', r: 'N', g: 'SS' });
  expect(types).not.toHaveProperty('description');
  expect(DataModel[0].KeyAttributes.SortKey).toEqual({ AttributeName: 'SK', AttributeType: 'N' });
  expect(TableFacets[0].NonKeyAttributes).toEqual(expect.arrayContaining(['d', 's', 'c']));
  expect(TableFacets[0].TableData[0]).toHaveProperty('d');
  expect(GlobalSecondaryIndexes[0]).toMatchObject({ KeyAttributes: { PartitionKey: { AttributeName: 's' } } });
  for (const design of [forum, pages]) {
    const [again] = Object.values(loaded(imported(model(design)).text));
    expect(withoutCode(data(again as TableDesign))).toEqual(withoutCode(data(design)));
  }
});
