import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { deployed } from '../../../fixtures/changes';
import { changeNamed } from '../../../support/migration';
import { inputOf as inputOfBooked, planned } from './booked';
import { endOf, mutantsOfPhases, mutantsOfWork } from './plan-mutants';
import { inputOf } from './prove-plan';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Returns only the mutant that leaves out the verification. */
function unverified(input: Parameters<typeof mutantsOfPhases>[0]) {
  return mutantsOfPhases(input).filter(({ name }) => name === 'verify is left out');
}

/** `plan-mutants.deep.test.ts` and `booked-mutants.deep.test.ts` cover the mutants of every change. */
describe.each([
  ['an entity removed', mutantsOfPhases],
  ['an index added', mutantsOfWork],
  ['an index added', unverified],
] as const)('%s', (name, mutantsOf) => {
  test.each([...mutantsOf({ ...inputOf(changeNamed(name)), deployed })])(
    'the plan fails its proof if $name',
    async ({ prove }) => {
      expect((await endOf(prove(engine)))?.failure).toBeDefined();
    },
  );
});

test.each([
  ['a required attribute added to one member', 'backfill is left out'],
  ['a member added', 'switch is left out'],
])('%s: the plan fails its proof if %s', async (change, mutant) => {
  const input = inputOfBooked(planned.find(({ name }) => name === change) as (typeof planned)[number]);
  const found = mutantsOfPhases(input).find(({ name }) => name === mutant);
  expect((await endOf(found?.prove(engine) as AsyncIterable<never>))?.failure).toBeDefined();
});
