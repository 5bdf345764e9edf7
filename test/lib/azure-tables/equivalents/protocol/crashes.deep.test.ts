import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import {
  DEEDS,
  type Deed,
  faultsOfKills,
  faultsOfRaces,
  faultsOfStalledTransactions,
  faultsOfStalls,
  twice,
  WITHOUT,
} from './crashes';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(() => database.stop());

test.each(Object.entries(DEEDS))('applies %s atomically, no matter at which call the client dies', async (_, deed) => {
  expect(await faultsOfKills(database, deed)).toEqual([]);
});

test.each(Object.entries(DEEDS))('applies %s correctly even if every write is sent twice', async (_, deed) => {
  expect(await faultsOfKills(database, deed, twice)).toEqual([]);
});

test('other clients can abort or finish a transaction, no matter at which call it stalls', async () => {
  expect(await faultsOfStalledTransactions(database)).toEqual([]);
});

test('loses none of the writes of twenty concurrent writers, and gives the unique value to only one writer', async () => {
  expect(await faultsOfRaces(database, 20)).toEqual([]);
});

test.each(Object.entries(WITHOUT))('at least one check fails without %s', async (_, guard) => {
  const all = [
    () => faultsOfStalls(database, guard),
    () => faultsOfKills(database, DEEDS['a transaction over two partitions'] as Deed, guard),
    () => faultsOfKills(database, DEEDS['an update that moves index rows'] as Deed, guard),
    () => faultsOfStalledTransactions(database, guard),
    () => faultsOfRaces(database, 6, guard),
  ];
  const faults: string[] = [];
  for (const some of all)
    if (faults.length === 0) faults.push(...(await some().catch((error: Error) => [error.message])));
  expect(faults).not.toEqual([]);
});
