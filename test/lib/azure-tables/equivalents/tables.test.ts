import { z } from 'zod';
import { azureKeysOf, azureTables, itemKeysOf } from '../../../../lib/azure-tables/equivalents/tables';
import { outline } from '../../../../lib/blueprint/outline';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import type { SystemCases, TableCases } from '../../../../lib/proof/cases';
import { itemOf } from '../../../../lib/proof/stored';
import { systems } from '../../../../lib/systems';
import { cases } from '../../../../lib/systems/cases';
import { salesSystem } from '../../../fixtures/sound/sales';

const names = (attributes: readonly { name: string }[]) => attributes.map(({ name }) => name);

test('creates one Azure table per DynamoDB table, per index and per descending read', () => {
  const tables = azureTables(systems.blog as SystemDesign);
  expect(tables.map(({ name, partition, row }) => [name, names(partition), names(row)])).toEqual([
    ['blog', ['PK'], ['SK']],
    ['blogGSI1', ['GSI1PK'], ['GSI1SK', 'PK', 'SK']],
    ['blogGSI2', ['GSI2PK'], ['GSI2SK', 'PK', 'SK']],
    ['blogGSI3', ['GSI3PK'], ['GSI3SK', 'PK', 'SK']],
    ...['GSI1', 'GSI2', 'GSI3'].map((index) => [`blog${index}Descending`, [`${index}PK`], [`${index}SK`, 'PK', 'SK']]),
  ]);
});

test('uses the remaining key attributes as the row key of an index or table without a sort key', () => {
  const things: TableDesign = {
    name: 'things',
    key: { partition: 'id' },
    indexes: { byOwner: { partition: 'owner' } },
    entities: { Thing: { attributes: z.object({ id: z.string(), owner: z.string(), size: z.number() }) } },
  };
  const tables = azureTables({ name: 's', cloud: 'aws', tables: { things } });
  expect(tables.map(({ row }) => names(row))).toEqual([[], ['id']]);
  const [base, index] = tables as [(typeof tables)[0], (typeof tables)[0]];
  expect(azureKeysOf(base, { id: 'a/b', owner: 'o' })).toEqual({ PartitionKey: 'a.sb', RowKey: '-' });
  expect(itemKeysOf(base, { PartitionKey: 'a.sb', RowKey: '-' })).toEqual({ id: 'a/b' });
  expect(azureKeysOf(index, { id: 'a/b', owner: 'o' })).toEqual({ PartitionKey: 'o', RowKey: 'a.sb' });
  expect(azureKeysOf(index, { id: 'a/b' })).toBeUndefined();
  expect(() => azureKeysOf(base, { owner: 'o' })).toThrow(
    "'id' is missing from the key of an item in things; pass the whole key",
  );
});

test('decodes a numeric key as a number', () => {
  const days: TableDesign = {
    name: 'days',
    key: { partition: 'id', sort: 'day' },
    entities: { Day: { attributes: z.object({ id: z.string(), day: z.int() }) } },
  };
  const [table] = azureTables({ name: 's', cloud: 'aws', tables: { days } });
  const at = (day: number) =>
    azureKeysOf(table as NonNullable<typeof table>, { id: 'x', day }) as { PartitionKey: string; RowKey: string };
  expect(itemKeysOf(table as NonNullable<typeof table>, at(-7))).toEqual({ id: 'x', day: -7 });
  expect([at(10), at(9), at(-1)].map(({ RowKey }) => RowKey).sort()).toEqual(
    [at(-1), at(9), at(10)].map(({ RowKey }) => RowKey),
  );
});

test('keeps the tables and keys of a system that was designed for Azure', () => {
  const Users: TableDesign = {
    name: 'Users',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    entities: { User: { attributes: z.object({ id: z.string() }), keys: { PartitionKey: 'USER', RowKey: '<id>' } } },
  };
  const [table] = azureTables({ name: 's', cloud: 'azure', tables: { Users } });
  const keys = { PartitionKey: 'USER', RowKey: 'a.b c' };
  expect(table).toMatchObject({ name: 'Users', native: true });
  expect(azureKeysOf(table as NonNullable<typeof table>, keys)).toEqual(keys);
  expect(itemKeysOf(table as NonNullable<typeof table>, keys)).toEqual(keys);
});

describe.each(Object.values(systems).filter(({ cloud }) => cloud === 'aws'))('example items of $name', (system) => {
  const tables = azureTables(system);
  const items = Object.entries(system.tables).flatMap(([table, design]) => {
    const { items: given, written } = (cases[system.name] as SystemCases).tables[table] as TableCases;
    return Object.values({ ...given, ...written }).map((sample) => ({
      table,
      item: itemOf(outline(design), sample),
    }));
  });

  test("gives every item its own row in the table and in each index, and decodes the item's keys from each row", () => {
    expect(items.length).toBeGreaterThan(10);
    for (const azure of tables) {
      const rows = items.flatMap(({ table, item }) => {
        const keys = table === azure.table ? azureKeysOf(azure, item) : undefined;
        if (keys === undefined) return [];
        const attributes = [...azure.partition, ...azure.row].map(({ name }) => [name, item[name]]);
        expect(itemKeysOf(azure, keys)).toEqual(Object.fromEntries(attributes));
        return [{ keys: `${keys.PartitionKey}\n${keys.RowKey}`, key: JSON.stringify(attributes) }];
      });
      expect(rows.length).toBeGreaterThan(0);
      expect(new Set(rows.map(({ keys }) => keys)).size).toBe(new Set(rows.map(({ key }) => key)).size);
    }
  });
});

test('joins the attributes of a multi-attribute key in order, and decodes them', () => {
  const tables = azureTables(salesSystem as SystemDesign);
  expect(tables.map(({ name, partition, row }) => [name, names(partition), names(row)])).toEqual([
    ['sales', ['PK'], ['SK']],
    ['salesbyRegion', ['tenantId', 'region'], ['status', 'createdAt', 'amount', 'PK', 'SK']],
    ['salesbyAmount', ['tenantId'], ['currency', 'amount', 'PK', 'SK']],
    ['salesopen', ['openIn', 'region'], ['createdAt', 'amount', 'PK', 'SK']],
    ['salesbyRegionDescending', ['tenantId', 'region'], ['status', 'createdAt', 'amount', 'PK', 'SK']],
    ['salesbyAmountDescending', ['tenantId'], ['currency', 'amount', 'PK', 'SK']],
  ]);
  const [, byRegion] = tables as [(typeof tables)[0], (typeof tables)[0]];
  const keyed = (amount: number, region = 'north') => ({
    ...{ PK: 'TENANT#t/1', SK: 'ORDER#1', tenantId: 't/1', region, status: 'open' },
    ...{ createdAt: '2026-03-01T09:00:00.000Z', amount },
  });
  for (const item of [keyed(9), keyed(-1.5), keyed(100, 'a b')]) {
    const keys = azureKeysOf(byRegion, item);
    expect(keys && itemKeysOf(byRegion, keys)).toEqual(item);
  }
  const rows = [9, 10, 100].map((amount) => azureKeysOf(byRegion, keyed(amount))?.RowKey as string);
  expect([...rows].sort()).toEqual(rows);
  expect(azureKeysOf(byRegion, { ...keyed(9), region: undefined })).toBeUndefined();
});
