import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { azureChanges } from '../../../fixtures/azure-changes';
import { describeAzureProofs, describeWrongPlans, without } from './prove-plan.azure';

let engine: AzureDatabase;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());

describeAzureProofs(() => engine, azureChanges);

describe('the proof of a plan that would lose, hide or break something fails, and names the phase and the item', () => {
  describeWrongPlans(
    () => engine,
    [
      [
        'the old table is deleted before its items are copied',
        'a renamed table',
        without(({ items }) => items !== undefined),
        'switch',
        /Note .*(does not return it|does not exist)/,
      ],
      [
        'the plan does not wait until old writers have stopped',
        'a renamed attribute',
        without(({ kind }) => kind === 'drain'),
        'verify',
        /^an item of Notes \(PartitionKey "OWNER_ana", RowKey "NOTE_.*: Note: 'body' does not have the derived value$/,
      ],
    ],
  );
});
