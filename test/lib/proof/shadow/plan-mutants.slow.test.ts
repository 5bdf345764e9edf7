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

/** The plan without its verification. */
function unverified(input: Parameters<typeof mutantsOfPhases>[0]) {
  return mutantsOfPhases(input).filter(({ name }) => name === 'verify is left out');
}

/** `plan-mutants.deep.test.ts` tries the mutants of all changes. */
describe.each([
  ['an entity removed', mutantsOfPhases],
  ['an index added', mutantsOfWork],
  ['an index added', unverified],
] as const)('%s', (name, mutantsOf) => {
  test.each([...mutantsOf({ ...inputOf(changeNamed(name)), deployed })])(
    'fails its proof if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeDefined();
    },
  );
});
