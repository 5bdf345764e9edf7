import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { faultsOfRaces, faultsOfStalls } from './crashes';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(() => database.stop());

test('a writer never restores stale data, no matter at which call it stalls', async () => {
  expect(await faultsOfStalls(database)).toEqual([]);
});

test('loses none of the writes of five concurrent writers, and gives the unique value to only one writer', async () => {
  expect(await faultsOfRaces(database, 5)).toEqual([]);
});
