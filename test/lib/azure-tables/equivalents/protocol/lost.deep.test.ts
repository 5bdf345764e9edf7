import { azureEngine } from '../../../../../lib/azure-tables/engine/azure-tables';
import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { lossyWay, type Passing } from '../../../../support/lossy';
import { DEEDS } from './crashes';
import { emptied, faultsIn, itemsIn, onAzure, type Runs } from './sides';

const way = lossyWay();
let [database, lossy] = [] as unknown as [AzureDatabase, AzureDatabase];
beforeAll(async () => {
  database = await azuriteEngine();
  lossy = await azureEngine({ endpoint: await way.to(database.endpoint) });
});
afterAll(() => database.stop());

/** Matches the client's nth write. */
const writeAt = (number: number) => {
  let count = 0;
  return ({ method }: Passing) => method !== 'GET' && count++ === number;
};

test.each(Object.entries(DEEDS))(
  'applies %s once, even if the response to one of its writes is lost',
  async (_, deed) => {
    const [name, values] = deed.call;
    for (let number = 0; ; number++) {
      await emptied(database);
      const near = onAzure(database);
      for (const [earlier, given] of deed.before) await (near[earlier] as Runs[string])(given);
      await (near[name] as Runs[string])(values);
      const expected = await itemsIn(database);
      await emptied(database);
      for (const [earlier, given] of deed.before) await (near[earlier] as Runs[string])(given);
      let isLost = false;
      const matches = writeAt(number);
      way.losing((passing) => {
        if (!matches(passing)) return false;
        isLost = true;
        return true;
      });
      await (onAzure(lossy)[name] as Runs[string])(values);
      if (!isLost) break;
      expect({ number, items: await itemsIn(database) }).toEqual({ number, items: expected });
      // The client itself has updated all rows, so only tombstones may be left.
      const faults = (await faultsIn(database)).filter((fault) => !/ gone( {2}0)?$/.test(fault));
      expect({ number, faults }).toEqual({ number, faults: [] });
    }
  },
);
