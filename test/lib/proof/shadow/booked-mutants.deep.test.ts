import type { Database } from '../../../../lib/dynamodb/engine/database';
import type { BookedChange } from '../../../fixtures/booked/designs';
import { engineUnderTest } from '../../../support/engine-under-test';
import { inputOf, planned } from './booked';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

// If a plan's backfill changes no stored item, the proof reports it as unproved, so a mutant of the plan has no proof
// to fail.
const isProved = ({ unproved = [] }: BookedChange) => !unproved.some((name) => name.includes('.'));

describe.each(planned.filter(isProved))('$name', (change) => {
  const input = inputOf(change);
  const { harmless = [] } = change;
  const mutants = [...mutantsOfPhases(input), ...mutantsOfWork(input)];
  test.each(mutants.filter(({ name }) => !harmless.includes(name)))(
    'the plan fails its proof if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeDefined();
    },
  );

  if (harmless.length === 0) return;
  test.each(mutants.filter(({ name }) => harmless.includes(name)))(
    'the plan passes its proof even if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeUndefined();
    },
  );
});
