import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { deployed, thirteen } from '../../../fixtures/changes';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';
import { inputOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

describe.each(thirteen)('$name', (change) => {
  const input = { ...inputOf(change), deployed };
  test.each([...mutantsOfPhases(input), ...mutantsOfWork(input)])('fails its proof if $name', async ({ prove }) => {
    expect((await endOf(prove(engine)))?.failure).toBeDefined();
  });
});
