import type { PhysicalTables } from '../../blueprint/physical-table';
import { signed } from '../canonical';
import { diff } from '../diff/diff';
import type { Lock } from '../lock/lock';
import type { Phase, Plan } from './plan';
import { assertPlanOf } from './progress';
import { bringsRelease } from './releases';
import { tablesOfLock } from './waves';

/** The progress of a plan in one environment. */
export interface Standing {
  /** The last recorded step. @default - none yet */
  readonly done?: string;
  readonly next?: NextStep;
  /** The number of recorded steps. */
  readonly count: number;
  /** The number of steps in the plan. */
  readonly of: number;
}

export interface NextStep {
  readonly step: string;
  /** The person or role that must act. */
  readonly who: string;
  /** What to do, or the condition that must be true. */
  readonly what: string;
  /** The command to run, if there is one. */
  readonly run?: string;
  /** Whether the command deploys changes to tables. */
  readonly deploys: boolean;
}

/** Returns the progress of a plan. Throws if the plan does not begin with this lock. */
export function standingOf(plan: Plan, lock: Lock): Standing {
  assertPlanOf(plan, lock);
  const { phases } = plan;
  const at = phases.findIndex(({ step }) => step === lock.progress?.step);
  const next = phases[at + 1];
  return {
    ...(lock.progress && { done: lock.progress.step }),
    ...(next && { next: nextOf(next, bringsRelease(phases, at + 1)) }),
    count: at + 1,
    of: phases.length,
  };
}

function nextOf({ step, kind, wave, items, runs, until }: Phase, isRelease: boolean): NextStep {
  const deploys = wave.length > 0;
  if (deploys) {
    const actions = wave.map(
      ({ action, name, table }) => `${action} ${name === undefined ? table : `${name} of ${table}`}`,
    );
    return {
      step,
      who: isRelease ? 'whoever deploys the tables and the application' : 'whoever deploys the tables',
      what: [...actions, ...(isRelease ? [runs] : [])].join(', '),
      run: `STEP=${step} npx cdk deploy${items === undefined ? '' : ', then npx tablewright migrate run --write'}`,
      deploys,
    };
  }
  if (items === 'verify') {
    return { step, who: 'whoever runs the migration', what: until, run: 'npx tablewright migrate verify', deploys };
  }
  if (items !== undefined) {
    return {
      step,
      who: 'whoever runs the migration',
      what: until,
      run: 'npx tablewright migrate run --write',
      deploys,
    };
  }
  if (kind === 'drain') return { step, who: 'whoever operates the application', what: until, deploys };
  return { step, who: 'whoever releases the application', what: runs, deploys };
}

/** Returns the tables after the last recorded step, and the next phase. */
export function tablesAt(lock: Lock, plan: Plan | undefined): { readonly now: PhysicalTables; readonly next?: Phase } {
  const at = plan?.phases.findIndex(({ step }) => step === lock.progress?.step) ?? -1;
  const next = plan?.phases[at + 1];
  return { now: plan?.phases[at]?.tables ?? tablesOfLock(lock), ...(next && { next }) };
}

/** Counts the changes between the locks of two environments, ignoring table names. */
export function changesBetween(from: Lock, to: Lock): number {
  const [before, after] = [from, to].map(comparable) as [Lock, Lock];
  return before.hash === after.hash ? 0 : diff(before, after).length;
}

/** Removes the fields that always differ between environments from a lock. */
function comparable({ hash: _, progress: __, ...lock }: Lock): Lock {
  const tables = Object.entries(lock.tables).map(([name, { physical, ...table }]) => {
    const { key, indexes, ttl } = physical;
    return [name, { ...table, physical: { key, indexes, ...(ttl === undefined ? {} : { ttl }) } }];
  });
  return signed({ ...lock, environment: 'any', tables: Object.fromEntries(tables) });
}
