import { deploymentOf } from '../../blueprint/physical-table';
import { suggestion } from '../../design/names';
import type { SystemDesign } from '../../design/system';
import { signed } from '../canonical';
import { givenLock, givenPlan, givenSystem, givenText } from '../given';
import type { Lock } from '../lock/lock';
import { formerAttributes, lockOf } from '../lock/make';
import { assertSame, EvolutionError, PlanRefused } from '../lock/read';
import { waitingIn } from './additions';
import { withTableEdits } from './edits';
import type { Phase, Plan } from './plan';

/** Returns the lock without its progress: the lock that the plan under way began with. */
export function originOf(recorded: Lock): Lock {
  const lock = givenLock(recorded, 'lock');
  const { progress, hash: _, ...rest } = lock;
  return progress === undefined ? lock : signed(rest);
}

/** Rejects a plan that does not begin with this lock. */
export function assertPlanOf(plan: Plan, lock: Lock): void {
  givenPlan(plan, 'plan');
  givenLock(lock, 'lock');
  assertSame(lock, plan.system, plan.environment);
  if (plan.from !== originOf(lock).hash) {
    throw new EvolutionError(
      `the plan starts from a different lock of '${plan.system}'; if the plan is finished, do not pass it; otherwise, write it again with 'npx tablewright plan'`,
    );
  }
  if (lock.progress !== undefined && lock.progress.plan !== plan.hash) {
    throw new EvolutionError(
      `another plan is under way (step '${lock.progress.step}' is done); pass that plan, and finish it first`,
    );
  }
}

/**
 * Rejects a design that, with the plan's edits, differs from the plan's target. While the plan is under way, only
 * changes that are always safe may be added; all other changes must wait until the plan is finished.
 */
export function assertTarget(plan: Plan, lock: Lock, edited: SystemDesign): void {
  const { system, environment, to, target, edits, answers } = plan;
  const current = lockOf(edited, { environment });
  if (current.hash === to) return;
  const waiting = waitingIn(current, target, originOf(lock), withTableEdits(answers, edits));
  if (waiting.length === 0) return;
  throw new EvolutionError(
    [
      `the plan leads to a different design of '${system}'; until the plan is finished, only changes that are always safe may be added (a new optional attribute, a new pattern on existing keys)`,
      ...waiting.map((what) => `  ${what}`),
      `  revert these changes until the plan is finished; or, before its first step, write the plan again with 'npx tablewright plan'`,
    ].join('\n'),
  );
}

/**
 * Returns the phase of a step. Throws unless the step is the next step, the last completed step, or an earlier step to
 * which the plan can return.
 */
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
      `step '${step}' is out of order: '${next}' is next; when it is done, record it: npx tablewright record --plan <file> --step ${next}`,
    );
  }
  const final = plan.phases.slice(at + 1, done + 1).find(({ rollback }) => !rollback.possible);
  if (final !== undefined) {
    throw new EvolutionError(`there is no way back to step '${step}' from '${final.step}': ${final.rollback.how}`);
  }
  return plan.phases[at] as Phase;
}

/** The step name that makes `record` restore the state before the first step. No phase has this name. */
export const START = 'start';

/** Returns the completed phases, in reverse order. Throws if one of them cannot be undone. */
export function wayBack(plan: Plan, lock: Lock): readonly Phase[] {
  assertPlanOf(plan, lock);
  const done = plan.phases.slice(0, plan.phases.findIndex(({ step }) => step === lock.progress?.step) + 1);
  if (done.length === 0)
    throw new PlanRefused(
      'no step of the plan is done, so there is nothing to undo; if you do not want the plan, delete its file',
    );
  const final = done.find(({ rollback }) => !rollback.possible);
  if (final !== undefined)
    throw new PlanRefused(
      `there is no way back from '${final.step}': ${final.rollback.how}; finish the plan, then write another plan that leads back to the old design`,
    );
  return done.toReversed();
}

/**
 * Returns the lock to record once all steps of a plan have been undone: the original lock, plus the attributes that
 * releases of the new design may have stored in the meantime.
 * @param design the design that the plan leads to
 */
export function lockBefore(plan: Plan, lock: Lock, design: SystemDesign): Lock {
  wayBack(plan, lock);
  assertTarget(plan, lock, design);
  const target = lockOf(design, { environment: lock.environment });
  const { hash: _, ...origin } = originOf(lock);
  const tables = Object.entries(origin.tables).map(([name, table]) => {
    if (table.design === undefined) return [name, table];
    const entities = Object.entries(table.design.entities).map(([entity, locked]) => {
      const written = target.tables[name]?.design?.entities[entity];
      const former = written && formerAttributes(locked.attributes, { ...written, former: locked.former });
      return [entity, former === undefined ? locked : { ...locked, former }];
    });
    return [name, { ...table, design: { ...table.design, entities: Object.fromEntries(entities) } }];
  });
  return signed({ ...origin, tables: Object.fromEntries(tables), undone: (origin.undone ?? 0) + 1 });
}

/** Returns the next step; undefined if the plan is finished. */
export function nextStep(plan: Plan, lock: Lock): string | undefined {
  assertPlanOf(plan, lock);
  const done = plan.phases.findIndex(({ step }) => step === lock.progress?.step);
  return plan.phases[done + 1]?.step;
}

/** Returns the lock after a step. After the last step, returns the lock of the design. */
export function lockAfter(plan: Plan, lock: Lock, step: string, design: SystemDesign): Lock {
  phaseAt(plan, lock, step);
  givenSystem(design, 'design');
  const { hash: _, ...rest } = lock;
  if (step !== plan.phases.at(-1)?.step) {
    const [at, done] = [step, lock.progress?.step].map((name) => plan.phases.findIndex((phase) => phase.step === name));
    const { returns = 0 } = lock.progress ?? {};
    const now = (at as number) < (done as number) ? returns + 1 : returns;
    return signed({ ...rest, progress: { plan: plan.hash, step, ...(now > 0 && { returns: now }) } });
  }
  assertTarget(plan, lock, design);
  const last = plan.phases.at(-1)?.tables ?? {};
  // If the plan leaves a removed attribute in stored items, the lock must keep it as a former attribute.
  const settled = !plan.changes.some(({ rule, because }) => rule === 'attribute-removed' && because === undefined);
  return lockOf(design, {
    environment: lock.environment,
    deployed: Object.fromEntries(Object.entries(last).map(([name, table]) => [name, deploymentOf(table)])),
    after: originOf(lock),
    settled,
  });
}
