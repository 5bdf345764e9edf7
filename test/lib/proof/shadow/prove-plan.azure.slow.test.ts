import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { azureChangeNamed, azureChanges, languageOf } from '../../../fixtures/azure-changes';
import { azureInputOf, azureProofsOf, describeAzureProofs, describeWrongPlans, without } from './prove-plan.azure';

let engine: AzureDatabase;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());

/** One change moves items, and the other deletes items. */
const NAMES = ['a primary key', 'a removed entity'];

describeAzureProofs(
  () => engine,
  azureChanges.filter(({ name }) => NAMES.includes(name)),
);

describe('the proof of a plan that would lose, hide or break something fails, and names the phase and the item', () => {
  describeWrongPlans(
    () => engine,
    [
      [
        'items are not moved',
        'a primary key',
        without(({ items }) => items !== undefined),
        'switch',
        /of the release of switch fails: EntityMissing: .*BOOK_ana/,
      ],
      [
        'the release writes only the new form while the old release runs',
        'a renamed entity',
        (phases) =>
          phases.map((phase) =>
            phase.step === 'expand-1' ? { ...phase, code: { reads: 'new', writes: 'new' } } : phase,
          ),
        'expand-1',
        /the release of expand-1 fails: ItemError/,
      ],
      [
        'removed items stay',
        'a removed entity',
        without(({ items }) => items === 'clean'),
        'the end',
        /^an item of Notes \(PartitionKey .*: Reminder: it has not been deleted$/,
      ],
    ],
  );

  test.each<[string, (note: object) => object, RegExp]>([
    [
      '`up` returns a different value than the cases expect',
      (note) => ({ ...note, language: 'pt' }),
      /^Note 'first' has become/,
    ],
    [
      '`up` returns a value that the schema refuses',
      (note) => ({ ...note, language: 1 }),
      /^Note 'first': Note: language/,
    ],
    [
      'up throws',
      () => {
        throw new Error('no idea');
      },
      /^Note 'first': 'up' of Note failed: no idea/,
    ],
  ])('%s', async (_, up, failure) => {
    const input = azureInputOf(azureChangeNamed('a required attribute'));
    const last = (await azureProofsOf(engine, { ...input, migration: languageOf(up) })).at(-1);
    expect(last).toMatchObject({ step: 'expand-1', failure: expect.stringMatching(failure) });
  });
});
