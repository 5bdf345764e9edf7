import { suggestion } from '../../design/names';
import type { SystemDesign } from '../../design/system';
import { signed } from '../canonical';
import { assertSame } from '../diff/diff';
import { givenLock, givenPlan, givenSystem, givenText } from '../given';
import type { Lock } from '../lock/lock';
import { knownOf, lockOf } from '../lock/make';
import { EvolutionError } from '../lock/read';
import type { Phase, Plan } from './plan';

/** The lock that a plan began with, however far the plan has come. */
export function originOf(recorded: Lock): Lock {
  const lock = givenLock(recorded, 'lock');
  const { progress, hash: _, ...rest } = lock;
  return progress === undefined ? lock : signed(rest);
}

/** Refuses a plan that does not begin with this lock. */
export function assertPlanOf(plan: Plan, lock: Lock): void {
  givenPlan(plan, 'plan');
  givenLock(lock, 'lock');
  assertSame(lock, plan.system, plan.environment);
  if (plan.from !== originOf(lock).hash) {
    throw new EvolutionError(
      `the plan begins with another lock of '${plan.system}' than this one; if it is finished, leave it out; if not, write it again with 'tablewright plan'`,
    );
  }
  if (lock.progress !== undefined && lock.progress.plan !== plan.hash) {
    throw new EvolutionError(
      `another plan is under way (step '${lock.progress.step}' is done); give that plan, and finish it first`,
    );
  }
}

/** Refuses a design, with its edits, that the plan does not lead to. */
export function assertTarget(
  { system, environment, to }: Pick<Plan, 'system' | 'environment' | 'to'>,
  edited: SystemDesign,
): void {
  if (lockOf(edited, { environment }).hash === to) return;
  throw new EvolutionError(
    `the plan leads to another design of '${system}' than this one; write it again with 'tablewright plan', or revert the design`,
  );
}

/** The phase of a step; refuses a step that is neither next, nor the last one done, nor one that the plan can go back to. */
export function phaseAt(plan: Plan, lock: Lock, step: string): Phase {
  assertPlanOf(plan, lock);
  givenText(step, 'step', 'expand-1');
  const steps = plan.phases.map((phase) => phase.step);
  const at = steps.indexOf(step);
  if (at === -1) throw new EvolutionError(`the plan has no step '${step}'; ${suggestion(step, steps)}`);
  const done = lock.progress === undefined ? -1 : steps.indexOf(lock.progress.step);
  if (at > done + 1) {
    const next = steps[done + 1] as string;
    throw new EvolutionError(
      `step '${step}' is out of order: '${next}' is next; when it is done, say so: tablewright record --plan <file> --step ${next}`,
    );
  }
  const final = plan.phases.slice(at + 1, done + 1).find(({ rollback }) => !rollback.possible);
  if (final !== undefined) {
    throw new EvolutionError(`there is no way back to step '${step}' from '${final.step}': ${final.rollback.how}`);
  }
  return plan.phases[at] as Phase;
}

/** The step that comes next; none when the plan is finished. */
export function nextStep(plan: Plan, lock: Lock): string | undefined {
  assertPlanOf(plan, lock);
  const done = plan.phases.findIndex(({ step }) => step === lock.progress?.step);
  return plan.phases[done + 1]?.step;
}

/** The lock once a step is done; after the last step, the lock of the design. */
export function lockAfter(plan: Plan, lock: Lock, step: string, design: SystemDesign): Lock {
  phaseAt(plan, lock, step);
  givenSystem(design, 'design');
  const { hash: _, ...rest } = lock;
  if (step !== plan.phases.at(-1)?.step) return signed({ ...rest, progress: { plan: plan.hash, step } });
  const last = plan.phases.at(-1)?.resources ?? {};
  // An attribute that the plan left in items must still be known as a former one.
  const settled = !plan.changes.some(({ rule, because }) => rule === 'attribute-removed' && because === undefined);
  return lockOf(design, {
    environment: lock.environment,
    deployed: Object.fromEntries(Object.entries(last).map(([table, resources]) => [table, knownOf(resources)])),
    after: originOf(lock),
    settled,
  });
}
