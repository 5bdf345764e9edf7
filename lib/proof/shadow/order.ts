import { isDeepStrictEqual } from 'node:util';
import type { Lock, Phase, Plan } from '../../evolve';
import { phasesOf } from '../../evolve/plan/phases';
import { tablesOfLock } from '../../evolve/plan/waves';

/**
 * Where the phases of a plan depart from those that its changes need, if they do. Running the plan cannot show all of it: a
 * phase that was left out may do no harm to the few items of a proof.
 */
export function misplaced({ phases, items, changes }: Plan, lock: Lock): string | undefined {
  const target = phases.at(-1)?.tables ?? {};
  const needed = phasesOf({ now: tablesOfLock(lock), target, items, changes, lock });
  for (let i = 0; i < Math.max(needed.length, phases.length); i++) {
    const [is, should] = [phases[i], needed[i]];
    if (isDeepStrictEqual(is && workOf(is), should && workOf(should))) continue;
    const got = is === undefined ? 'ends' : `goes on with ${is.step}`;
    const wanted = should === undefined ? 'has nothing left to do' : `needs ${should.step} (${should.runs})`;
    return `after ${phases[i - 1]?.step ?? 'its beginning'}, the plan ${got}, but ${wanted}; write it again with 'tablewright plan'`;
  }
  return undefined;
}

/** What a phase does, apart from its words. */
function workOf({ step, code, items, wave }: Phase) {
  return { step, code, items, wave };
}
