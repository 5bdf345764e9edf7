import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { deployed } from '../../../fixtures/changes';
import { changeNamed } from '../../../support/migration';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';
import { inputOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** `plan-mutants.deep.test.ts` tries the mutants of all changes. */
describe.each([
  ['an entity removed', mutantsOfPhases],
  ['an index added', mutantsOfWork],
] as const)('%s', (name, mutantsOf) => {
  test.each([...mutantsOf({ ...inputOf(changeNamed(name)), deployed })])(
    'fails its proof if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeDefined();
    },
  );
});
