import type { Database } from '../../../../lib/dynamodb/engine/database';
import { engineUnderTest } from '../../../support/engine-under-test';
import { inputOf, planned } from './booked';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

// Skips changes with unproved patterns or entities, because a mutant cannot fail a proof that does not exist.
describe.each(planned.filter(({ unproved = [] }) => unproved.length === 0))('$name', (change) => {
  const input = inputOf(change);
  const { harmless = [] } = change;
  const mutants = [...mutantsOfPhases(input), ...mutantsOfWork(input)];
  test.each(mutants.filter(({ name }) => !harmless.includes(name)))('fails its proof if $name', async ({ prove }) => {
    expect((await endOf(prove(engine)))?.failure).toBeDefined();
  });

  if (harmless.length === 0) return;
  test.each(mutants.filter(({ name }) => harmless.includes(name)))('passes even if $name', async ({ prove }) => {
    expect((await endOf(prove(engine)))?.failure).toBeUndefined();
  });
});
