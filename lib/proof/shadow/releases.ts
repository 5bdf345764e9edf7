import { namesIn } from '../../blueprint/system';
import type { SystemDesign } from '../../design/system';
import type { DefinedMigration, Lock, Phase, Plan } from '../../evolve';
import type { Ground } from './ground';
import type { Release } from './writers';

export interface ReleasesOf {
  readonly plan: Plan;
  readonly lock: Lock;
  /** The deployed design. */
  readonly before: SystemDesign;
  /** The design that the plan leads to. */
  readonly system: SystemDesign;
  readonly migration?: DefinedMigration;
  readonly ground: Ground;
}

/** The release that is deployed when the plan begins. */
export function oldRelease({ before, ground }: ReleasesOf): Release {
  return { name: 'the old release', side: 'old', calls: ground.calls(before), may: () => true };
}

/** The release of a step: code for the new design that is told the step. */
export function releaseAt(
  { plan, lock, before, system, migration, ground }: ReleasesOf,
  { step, code }: Phase,
): Release {
  const known = new Set(namesIn(before));
  return {
    name: `the release of ${step}`,
    side: 'now',
    calls: ground.calls(system, { plan, lock, step, design: system, ...(migration && { migration }) }),
    may: (pattern) => code.reads === 'new' || known.has(pattern),
  };
}
