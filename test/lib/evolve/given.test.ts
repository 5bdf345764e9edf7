import { DesignError } from '../../../lib/check';
import * as evolve from '../../../lib/evolve';
import { evolving as onAzure } from '../../../lib/evolve/clients/azure-tables';
import { evolving as onDynamoDb } from '../../../lib/evolve/clients/dynamodb';
import { deployed, deployedTable, thirteen } from '../../fixtures/changes';

const { after } = thirteen.find(({ name }) => name === 'a required attribute') as (typeof thirteen)[number];
const lock = evolve.lockOf(deployed, { environment: 'prod' });
const plan = evolve.planFor(lock, after);
const step = plan.phases[0]?.step as string;
const defined = evolve.defineMigration(deployed, after, { blog: {} } as never);
const edit = { kind: 'index', table: 'blog', from: 'GSI1', to: 'GSI1v2' } as const;

/** Valid arguments for each function; `FINE` lists the other values that some arguments accept. */
const CALLS: Readonly<Record<string, readonly unknown[]>> = {
  readAnswers: [{}],
  diff: [lock, evolve.lockOf(after, { environment: 'prod' }), {}],
  verdictOf: [[]],
  designOf: [lock],
  lockOf: [deployed, { environment: 'prod' }],
  systemOf: [deployed],
  readLock: [lock],
  readPlan: [plan],
  defineMigration: [deployed, after, { blog: {} }, {}],
  migrationFor: [plan, lock, after, defined],
  itemAfter: [{ PK: 'a' }, { kind: 'unchanged', entity: 'Post' }],
  withEdits: [deployed, [edit]],
  planFor: [lock, after, {}, {}],
  lockAfter: [plan, lock, step, after],
  nextStep: [plan, lock],
  originOf: [lock],
  phaseAt: [plan, lock, step],
  asDeployed: [deployedTable],
  describeChange: [plan.changes[0]],
  describeEdit: [edit],
  stageOf: [deployed, 'prod', { lock }],
};

/** Unusual values that some arguments accept: an empty list of changes, no answers, a string to parse. */
const FINE = new Set([
  'readAnswers 0 nothing',
  'readAnswers 0 an empty object',
  'diff 2 nothing',
  'diff 2 an empty object',
  'verdictOf 0 an empty list',
  'defineMigration 2 an empty object',
  'defineMigration 3 nothing',
  'defineMigration 3 an empty object',
  'migrationFor 3 nothing',
  'planFor 2 nothing',
  'planFor 2 an empty object',
  'planFor 3 nothing',
  'planFor 3 an empty object',
  // An item may have any attributes.
  ...['an empty object', 'a lock in pieces', 'a plan in pieces', 'a system in pieces', 'a table in pieces'].map(
    (item) => `itemAfter 0 ${item}`,
  ),
  'withEdits 1 an empty list',
]);

const WRONG: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a string', 'nonsense'],
  ['an empty list', []],
  ['a list', [1, undefined]],
  ['an empty object', {}],
  ['a function', () => 1],
  ['a lock in pieces', { lock: 1 }],
  ['a plan in pieces', { plan: 1, phases: 'all' }],
  ['a system in pieces', { name: 'app', cloud: 'aws', tables: { notes: { name: 'notes' } } }],
  ['a table in pieces', { name: 'notes', key: undefined, entities: {} }],
];

/** Text from JavaScript's own errors, which must not reach a user. */
const RAW = /Cannot (?:read|destructure|convert|use)|is not (?:a function|iterable|an Object)|undefined|\[object/;

const functions = Object.entries(evolve).filter(
  ([, value]) => typeof value === 'function' && value !== evolve.EvolutionError,
) as [string, (...args: readonly unknown[]) => unknown][];

test('every function that the entry point exports is tested with wrong arguments', () => {
  expect(functions.map(([name]) => name).sort()).toEqual(Object.keys(CALLS).sort());
});

describe.each(functions)('%s', (name, call) => {
  const right = CALLS[name] ?? [];

  test('accepts valid arguments', () => {
    expect(() => call(...right)).not.toThrow();
  });

  test.each(right.map((_, place) => place))('rejects an invalid argument %i with a readable message', (place) => {
    for (const [what, value] of WRONG) {
      const args = right.map((one, i) => (i === place ? value : one));
      if (FINE.has(`${name} ${place} ${what}`)) {
        expect(() => call(...args)).not.toThrow();
        continue;
      }
      expect({ what, ...refusalOf(() => call(...args)) }).toEqual({ what, isOurs: true, raw: null });
    }
  });
});

function refusalOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    const isOurs = error instanceof evolve.EvolutionError || error instanceof DesignError;
    return { isOurs, raw: RAW.exec((error as Error).message)?.[0] ?? null };
  }
  return { isOurs: false, raw: 'nothing was refused' };
}

test.each([
  ['DynamoDB', onDynamoDb],
  ['Azure Tables', onAzure],
])('`evolving` rejects invalid or missing arguments on %s', (_, evolving) => {
  const props = { lock, plan: evolve.planFor(lock, after), step, design: after };
  for (const [, value] of WRONG) {
    expect(refusalOf(() => evolving(value as never))).toEqual({ isOurs: true, raw: null });
    for (const name of ['lock', 'plan', 'step', 'design'] as const) {
      expect(refusalOf(() => evolving({ ...props, [name]: value } as never))).toEqual({ isOurs: true, raw: null });
    }
  }
});

test('an error names the argument, its wrong value, and what to pass instead', () => {
  expect(() => evolve.defineMigration(undefined as never, after, {} as never)).toThrow(
    'before must be a design returned by defineSystem or defineTable, got: nothing',
  );
  expect(() => evolve.planFor(lock, deployedTable as never)).toThrow(
    "design must be a system, got the table 'blog'; pass systemOf(table), a system with only this table",
  );
  expect(() => evolve.lockOf(deployed, {} as never)).toThrow(
    "options.environment must be a string such as 'prod', got: nothing",
  );
  expect(() => evolve.nextStep(lock as never, plan as never)).toThrow(
    "plan must be a plan returned by planFor or written by 'tablewright plan', got: an object with cloud, environment, hash, lock, …",
  );
});
