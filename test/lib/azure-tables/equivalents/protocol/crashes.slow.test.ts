import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { faultsOfRaces, faultsOfStalls } from './crashes';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(() => database.stop());

test('a writer that stalls at any call never restores stale data', async () => {
  expect(await faultsOfStalls(database)).toEqual([]);
});

test('five concurrent writers lose no writes, and only one of them gets the unique value', async () => {
  expect(await faultsOfRaces(database, 5)).toEqual([]);
});
