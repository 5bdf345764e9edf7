import { lockOf, type Phase, planFor } from '../../../../lib/evolve';
import { misplaced } from '../../../../lib/proof/shadow/order';
import { deployed, thirteen } from '../../../fixtures/changes';

const lock = lockOf(deployed, { environment: 'prod' });

describe.each(thirteen)('$name', ({ after, answers }) => {
  const plan = planFor(lock, after, answers);
  const { phases } = plan;

  test('has its phases in order', () => {
    expect(misplaced(plan, lock)).toBeUndefined();
  });

  test('misses each phase but the last, whose tables the end of a proof looks at', () => {
    for (const { step } of phases.slice(0, -1)) {
      const without = { ...plan, phases: phases.filter((phase) => phase.step !== step) };
      expect([step, misplaced(without, lock)]).toEqual([step, expect.stringContaining(`needs ${step} (`)]);
    }
  });

  test('notices two phases that are swapped', () => {
    for (const [i, phase] of phases.slice(1).entries()) {
      const swapped = [...phases];
      swapped.splice(i, 2, phase, phases[i] as Phase);
      expect(misplaced({ ...plan, phases: swapped }, lock)).toContain(`the plan goes on with`);
    }
  });
});
