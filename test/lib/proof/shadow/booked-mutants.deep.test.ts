import type { Database } from '../../../../lib/dynamodb/engine/database';
import { engineUnderTest } from '../../../support/engine-under-test';
import { inputOf, planned } from './booked';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

describe.each(planned)('$name', (change) => {
  const input = inputOf(change);
  test.each([...mutantsOfPhases(input), ...mutantsOfWork(input)])('fails its proof if $name', async ({ prove }) => {
    expect((await endOf(prove(engine)))?.failure).toBeDefined();
  });
});
