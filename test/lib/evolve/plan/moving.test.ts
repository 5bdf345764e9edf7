import { lockAfter, lockOf, planFor } from '../../../../lib/evolve';
import { movingOf } from '../../../../lib/evolve/plan/moving';
import { stageOf } from '../../../../lib/evolve/plan/stage';
import type { SystemDesign } from '../../../../lib/index';
import { grantOf } from '../../../../lib/permissions/grant';
import { booked } from '../../../fixtures/book-of-changes';
import type { BookedChange } from '../../../fixtures/booked/designs';

const changeNamed = (name: string) => booked.find((change) => change.name === name) as BookedChange;

/**
 * Returns what grants for the given patterns allow while items move: one line per action, with its table and
 * partitions.
 */
function granted({ before, after, answers }: BookedChange, names: readonly string[]) {
  const lock = lockOf(before, { environment: 'prod' });
  const moving = movingOf(before, after, planFor(lock, after, answers).items) as SystemDesign;
  const known = names.filter((name) => Object.hasOwn(moving.procedures ?? {}, name));
  return grantOf({ of: moving, names: known })
    .flatMap(({ table, statements }) =>
      statements.flatMap(({ actions, leadingKeys }) => actions.map((action) => `${table} ${action} ${leadingKeys}`)),
    )
    .sort();
}

test('the grant for a write covers finding the item in either table, moving it, and verifying the move', () => {
  expect(granted(changeNamed('an entity moved to a second table'), ['putRefund'])).toEqual([
    'orders dynamodb:ConditionCheckItem SHOP#*',
    'orders dynamodb:DeleteItem SHOP#*',
    'orders dynamodb:GetItem SHOP#*',
    'refunds dynamodb:ConditionCheckItem SHOP#*',
    'refunds dynamodb:GetItem SHOP#*',
    'refunds dynamodb:PutItem SHOP#*',
  ]);
});

test('a move within one table has an entity for the old key and one for the new key, and a procedure for each write', () => {
  const { before, after, answers = {} } = changeNamed('a UUID that becomes a ULID in the primary key');
  const moving = movingOf(before, after, planFor(lockOf(before, { environment: 'prod' }), after, answers).items);
  expect(Object.keys(moving?.tables.events?.entities ?? {})).toEqual([
    'Event in its old place',
    'Event in its new place',
  ]);
  expect(Object.keys(moving?.procedures ?? {}).sort()).toEqual(['dropEvent', 'moveEvent', 'putEvent']);
});

test('grants no additional requests for reads, for other entities, or for tables without moves', () => {
  const { before, after, answers } = changeNamed('an entity moved to a second table');
  const moving = movingOf(before, after, planFor(lockOf(before, { environment: 'prod' }), after, answers).items);
  expect(Object.keys(moving?.procedures ?? {})).toEqual(['putRefund']);
  expect(movingOf(before, before, [])).toBeUndefined();
});

test('grants additional requests from the first to the last release that uses both places', () => {
  const { before, after, answers } = changeNamed('an entity moved to a table that has other entities');
  const lock = lockOf(before, { environment: 'prod' });
  const plan = planFor(lock, after, answers);
  const steps = plan.phases.filter(({ step }) => stageAt(step).moving !== undefined).map(({ step }) => step);
  expect(steps).toEqual(['expand-1', 'drain', 'backfill', 'verify', 'switch']);

  function stageAt(step: string) {
    const done = plan.phases[plan.phases.findIndex((phase) => phase.step === step) - 1]?.step;
    const recorded = done === undefined ? lock : lockAt(done);
    return stageOf(after, 'prod', { lock: recorded, plan, step });
  }

  function lockAt(step: string) {
    let at = lock;
    for (const phase of plan.phases) {
      at = lockAfter(plan, at, phase.step, after);
      if (phase.step === step) return at;
    }
    return at;
  }
});
