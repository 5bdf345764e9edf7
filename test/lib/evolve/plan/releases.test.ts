import { lockOf, planFor } from '../../../../lib/evolve';
import { releasesPicture } from '../../../../lib/evolve/plan/releases';
import { deployed, thirteen } from '../../../fixtures/changes';

const lock = lockOf(deployed, { environment: 'prod' });
const planned = thirteen.flatMap(({ name, after, answers }) => {
  try {
    return [{ name, plan: planFor(lock, after, answers) }];
  } catch {
    return [];
  }
});

test('at least some of the fixture changes need a plan', () => {
  expect(planned.length).toBeGreaterThan(5);
});

test.each(planned)(
  '$name: every step belongs to exactly one release, and the old release no longer runs after the drain',
  ({ plan }) => {
    const [head = '', ...rows] = releasesPicture(plan);
    const steps = plan.phases.map(({ step }) => ({ step, at: head.indexOf(step) }));
    for (const { at } of steps) expect(rows.filter((row) => row[at] === '━')).toHaveLength(1);
    const drain = plan.phases.findIndex(({ kind }) => kind === 'drain');
    const old = rows.find((row) => row.startsWith('old release')) ?? '';
    for (const { at } of drain === -1 ? [] : steps.slice(drain)) expect(old[at] ?? ' ').toBe(' ');
  },
);
