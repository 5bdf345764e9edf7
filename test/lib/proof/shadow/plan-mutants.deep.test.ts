import type { Database } from '../../../../lib/dynamodb/engine/database';
import { deployed, thirteen } from '../../../fixtures/changes';
import { engineUnderTest } from '../../../support/engine-under-test';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';
import { inputOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await engineUnderTest();
});
afterAll(() => engine.stop());

describe.each(thirteen)('$name', (change) => {
  const input = { ...inputOf(change), deployed };
  test.each([...mutantsOfPhases(input), ...mutantsOfWork(input)])(
    'the plan fails its proof if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeDefined();
    },
  );
});
