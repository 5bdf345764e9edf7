import { namesIn } from '../../blueprint/system';
import type { SystemDesign } from '../../design/system';
import type { DefinedMigration, Lock, Phase, Plan } from '../../evolve';
import type { Deployment } from './deployment';
import type { Call } from './reach';
import type { Release } from './writers';

export interface ReleasesOf {
  readonly plan: Plan;
  readonly lock: Lock;
  /** The deployed design. */
  readonly before: SystemDesign;
  /** The design to which the plan leads. */
  readonly system: SystemDesign;
  readonly migration?: DefinedMigration;
  readonly deployment: Deployment;
}

/** The release that is deployed when the plan begins. */
export function oldRelease({ before, deployment }: ReleasesOf): Release {
  const code = { reads: 'old', writes: 'old' } as const;
  return { name: 'the old release', side: 'old', code, ...noted(deployment.calls(before)), may: () => true };
}

/** Returns a release's patterns, and a set that collects the patterns that were called. */
function noted(calls: Release['calls']): Pick<Release, 'calls' | 'called'> {
  const called = new Set<string>();
  const noting = Object.entries(calls).map(([name, call]) => {
    const noted: Call = async (...given) => {
      const output = await call(...given);
      called.add(name);
      return output;
    };
    // The pattern's methods, such as `step` of a transaction or `pages` of a query.
    const methods = Object.entries(call).map(([method, own]) => [
      method,
      typeof own !== 'function'
        ? own
        : (...given: readonly unknown[]) => {
            called.add(name);
            return own(...given);
          },
    ]);
    return [name, Object.assign(noted, Object.fromEntries(methods))];
  });
  return { calls: Object.fromEntries(noting), called };
}

/** The release of a step: code for the new design that knows the current step of the plan. */
export function releaseAt(
  { plan, lock, before, system, migration, deployment }: ReleasesOf,
  { step, code, kind }: Phase,
): Release {
  const known = new Set(namesIn(before));
  return {
    name: `the release of ${step}`,
    side: 'now',
    code,
    writesOld: kind === 'expand' || kind === 'drain',
    ...noted(deployment.calls(system, { plan, lock, step, design: system, ...(migration && { migration }) })),
    may: (pattern) => code.reads === 'new' || known.has(pattern),
  };
}
