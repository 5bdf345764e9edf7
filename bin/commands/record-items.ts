import type { PhysicalTables } from '../../lib/blueprint/physical-table';
import type { Lock, Phase, Plan } from '../../lib/evolve';
import { isAbout, loadState, type State, shownTables } from '../../lib/evolve/migration/run/state';
import { deployedNames, fillingBefore, type StateValues, stateIdOf, statesFor } from './migrate-states';

/**
 * Returns the reason why a step that changes stored items is not done, judging by the runner's state; undefined if the
 * step is done.
 */
export async function missingRun(
  plan: Plan,
  lock: Lock,
  { step, items }: Phase,
  values: StateValues,
  seen?: PhysicalTables,
): Promise<string | undefined> {
  if (items === undefined) return undefined;
  const ran = items === 'verify' ? fillingBefore(plan, step) : step;
  const connected = await statesFor(plan.cloud, values);
  try {
    const states = await connected.states(false);
    const kept = states && (await loadState(states, stateIdOf(plan, lock, ran)));
    const where = states === undefined ? '' : ` (looked in '${states.name}')`;
    const run = `npx tablewright migrate run --write --step ${ran}`;
    if (kept === undefined) return `step '${ran}' has not run${where}; run it: ${run}`;
    const { status, verified, tables } = kept.state;
    const names = deployedNames(plan, values.table, seen);
    if (!isAbout(kept.state, names))
      return `step '${ran}' ran on other tables (${shownTables(tables)}), not on ${shownTables(names)}; pass the right tables with --table, or run the step: ${run}`;
    if (status !== 'done')
      return `step '${ran}' ${STATUS[status]}; run the step until a pass finds nothing to change: ${run}`;
    if (items !== 'verify' || verified?.complete === true) return undefined;
    return verified === undefined
      ? `nothing has been verified since step '${ran}' ended; run: npx tablewright migrate verify`
      : `the verification at ${verified.at} found items in the old form; run: ${run}, then npx tablewright migrate verify`;
  } finally {
    await connected.end();
  }
}

const STATUS: Readonly<Record<Exclude<State['status'], 'done'>, string>> = {
  running: 'is under way',
  paused: 'is paused',
  aborted: 'was aborted',
  stopped: 'stopped, because items failed',
  unclean: 'ended while a program was still writing the old form',
};
