import { azuriteEngine } from '../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../lib/azure-tables/engine/database';
import { azureTableNames } from '../../../lib/azure-tables/equivalents';
import type { SystemDesign } from '../../../lib/design/system';
import { prove } from '../../../lib/proof/prove';
import { systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { stackOf } from '../../support/azurite';

/** Proves the cases of the given DynamoDB systems on Azure Tables. */
export function describeOnAzure(...names: readonly string[]): void {
  describe('a DynamoDB system on Azure Tables', () => {
    let engine: AzureDatabase;
    beforeAll(async () => {
      engine = await azuriteEngine();
    });
    afterAll(() => engine.stop());

    test.each(names)('serves every pattern and procedure of %s', async (name) => {
      const system = systems[name as keyof typeof systems] as SystemDesign;
      const template = stackOf(...azureTableNames(system));
      const failures: string[] = [];
      let proved = 0;
      for await (const proof of prove(engine, {
        system,
        cases: cases[name] as never,
        template,
        environment: 'proof',
      })) {
        if (proof.failure !== undefined) failures.push(`${proof.name}: ${proof.failure}`);
        else proved++;
      }
      expect(failures).toEqual([]);
      expect(proved).toBeGreaterThan(30);
    });
  });
}
