import { backfillCosts } from '../../../lib/costs/backfill';
import { lockOf, planFor } from '../../../lib/evolve';
import { deployed, thirteen } from '../../fixtures/changes';

const lock = lockOf(deployed, { environment: 'prod' });
const planOf = (rule: string) => {
  const change = thirteen.find((one) => one.rule === rule);
  if (change === undefined) throw new Error(`there is no change '${rule}'`);
  return planFor(lock, change.after, change.answers);
};

test('counts a transaction, and both the old and the new entry in every index, for a moved item', () => {
  const plan = planOf('primary-key-template');
  const [cost] = backfillCosts(plan);
  const moved = plan.items.find(({ moves }) => moves);
  const filling = plan.phases.find(({ items }) => items === 'fill');
  const indexes = filling?.tables[moved?.to?.table ?? '']?.indexes.length ?? 0;
  expect(cost).toMatchObject({ reads: 0.5 });
  expect(cost?.writes).toBeGreaterThanOrEqual(4 + 2 * indexes);
  expect(cost?.dollars).toBeCloseTo(0.5 * 0.125 + (cost?.writes ?? 0) * 0.625);
});

test('returns no costs for a plan that changes no items', () => {
  expect(backfillCosts(planOf('ttl'))).toEqual([]);
});

test('counts three write requests for each moved item on Azure', () => {
  const { items, phases } = planOf('primary-key-template');
  expect(backfillCosts({ items: items.filter(({ moves }) => moves), phases, cloud: 'azure' })[0]).toMatchObject({
    reads: 0,
    writes: 3,
  });
});
