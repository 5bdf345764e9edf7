import { suggestion } from '../../lib/design/names';
import { runMigration } from '../../lib/evolve/migration/run/run';
import { isAbout, loadState, noteVerified, shownTables, want } from '../../lib/evolve/migration/run/state';
import { verifyMigration } from '../../lib/evolve/migration/run/verify';
import { phaseAt } from '../../lib/evolve/plan/progress';
import { readArguments } from './arguments';
import { assertMeant, BECAUSE } from './because';
import { type Command, FileError, UsageError } from './command';
import { EVOLUTION, used } from './evolution';
import { progressOn } from './migrate-progress';
import { tellResult, tellState, tellVerification } from './migrate-report';
import { sceneOf } from './migrate-scene';

const OPTIONS = {
  environment: EVOLUTION.environment,
  lock: EVOLUTION.lock,
  plan: { type: 'string' },
  step: { type: 'string' },
  migration: { type: 'string' },
  write: { type: 'boolean' },
  ...BECAUSE,
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  table: { type: 'string', multiple: true },
  state: { type: 'string' },
  capacity: { type: 'string' },
  segments: { type: 'string' },
  failures: { type: 'string' },
  passes: { type: 'string' },
  lease: { type: 'string' },
  wait: { type: 'boolean' },
} as const;

export type MigrateValues = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

const ACTIONS = ['run', 'status', 'verify', 'pause', 'abort'] as const;

export const migrate: Command = {
  usage: [
    'run|status|verify|pause|abort [design or file] [--write [--because reason]] [--plan file] [--step name] [--migration file]',
    '[--endpoint url] [--azure-endpoint connection] [--table name=deployed name] [--state table] [--capacity units]',
    '[--segments n] [--failures n] [--passes n] [--lease seconds] [--wait] [--environment name] [--lock file]',
  ].join(' '),
  summary: 'migrates stored items to the new design',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [action, ...names] = positionals;
    if (action === undefined) throw new UsageError(`migrate needs an action: ${ACTIONS.join(', ')}`);
    const known = ACTIONS.find((name) => name === action);
    if (known === undefined)
      throw new UsageError(`'${action}' is not an action of migrate; ${suggestion(action, ACTIONS)}`);
    const numbers = numbersIn(values);
    if (values.write && known !== 'run')
      throw new UsageError(`--write belongs to migrate run; ${known} does not write to any table`);
    if (values.write) assertMeant(values.because, 'changes stored items');
    const scene = await sceneOf(names, values);
    const stop = stopper();
    const shared = {
      migration: scene.migration,
      phase: scene.phase,
      store: scene.store,
      ...numbers,
      signal: stop.signal,
    };
    try {
      switch (known) {
        case 'run': {
          // Fails before any item is read if the step is out of order.
          if (values.write) used(() => phaseAt(scene.plan, scene.lock, scene.step));
          const states = values.write ? await scene.states(true) : undefined;
          const writing = states === undefined ? {} : { writing: { states, id: scene.id } };
          const progress = await progressOn(terminal, scene);
          const result = await runMigration({
            ...shared,
            step: scene.step,
            ...writing,
            wait: values.wait ?? false,
            progress,
          });
          terminal.status('');
          return tellResult(terminal, scene, result, values.write === true);
        }
        case 'verify': {
          const progress = await progressOn(terminal, scene);
          const verification = await verifyMigration({
            ...shared,
            progress: (counts) => progress({ passes: [{ positions: {}, counts }] }),
          });
          terminal.status('');
          // `record` trusts this entry, so an interrupted verification must not write it.
          const states = stop.signal.aborted ? undefined : await scene.states(false);
          if (states !== undefined)
            await noteVerified(states, scene.id, verification.complete, Date.now(), scene.names);
          return tellVerification(terminal, scene, verification);
        }
        default: {
          const states = await scene.states(false);
          const state = states && (await loadState(states, scene.id))?.state;
          if (state !== undefined && !isAbout(state, scene.names))
            throw new FileError(
              `step '${scene.step}' ran on ${shownTables(state.tables)}, not on ${shownTables(scene.names)}; use --table to pass the tables that it ran on, or run the step again: npx tablewright migrate run --write`,
            );
          return tellState(
            terminal,
            scene,
            known,
            known === 'status' ? state : states && (await want(states, scene.id, known)),
          );
        }
      }
    } finally {
      stop.off();
      await scene.end();
    }
  },
};

/** The first signal lets the current work finish; a second one exits immediately. */
function stopper() {
  const controller = new AbortController();
  const stop = () => controller.abort();
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  const off = () => {
    process.off('SIGINT', stop);
    process.off('SIGTERM', stop);
  };
  return { signal: controller.signal, off };
}

/** The minimum of each numeric option, the factor that converts its value, and its unit. */
const NUMBERS = {
  capacity: { least: 1, times: 1, of: 'capacity units per second' },
  segments: { least: 1, times: 1, of: 'table segments to read in parallel' },
  failures: { least: 0, times: 1, of: 'failures' },
  passes: { least: 1, times: 1, of: 'passes' },
  lease: { least: 0.1, times: 1000, of: 'seconds' },
} as const;

function numbersIn(values: MigrateValues): Partial<Record<keyof typeof NUMBERS, number>> {
  const numbers: Partial<Record<keyof typeof NUMBERS, number>> = {};
  for (const [name, { least, times, of }] of Object.entries(NUMBERS) as [
    keyof typeof NUMBERS,
    (typeof NUMBERS)[keyof typeof NUMBERS],
  ][]) {
    const given = values[name];
    if (given === undefined) continue;
    const number = Number(given);
    const isRight =
      given.trim() !== '' &&
      number >= least &&
      Number.isFinite(number) &&
      (name === 'lease' || Number.isInteger(number));
    if (!isRight) throw new UsageError(`--${name} must be a number of ${of}, ${least} or more, got: '${given}'`);
    numbers[name] = number * times;
  }
  return numbers;
}
