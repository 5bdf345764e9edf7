import type { RunResult } from '../../lib/evolve/migration/run/run';
import type { Counts, State } from '../../lib/evolve/migration/run/state';
import type { Verification } from '../../lib/evolve/migration/run/verify';
import { nextStep } from '../../lib/evolve/plan/progress';
import type { Reported, Terminal } from './command';
import { grouped } from './migrate-progress';
import type { Scene } from './migrate-scene';
import { columns } from './printable';

type About = Pick<Scene, 'plan' | 'lock' | 'step'>;

/** Reports the result of a run; returns 0 if the run, or the dry run, finished without failures. */
export function tellResult(terminal: Terminal, about: About, result: RunResult, isWritten: boolean): number {
  const { status, passes, failures } = result;
  const code = status === 'done' ? 0 : 1;
  const counts = passes.map((pass) => pass.counts);
  terminal.report({ ...named(about), written: isWritten, status, passes: counts, failures }, [
    ...failures.map((failure) => itemFinding('item-failed', failure)),
    ...(code === 0 || failures.length > 0 ? [] : [finding('not-migrated', ENDINGS[status](about))]),
  ]);
  terminal.line(titleOf(about));
  tellPasses(terminal, result, isWritten ? DONE : TO_DO);
  terminal.line({ style: code === 0 ? 'green' : 'red', text: isWritten ? ENDINGS[status](about) : dryEnd(status) });
  return code;
}

function dryEnd(status: State['status']): string {
  if (status === 'paused') return 'the run stopped before the end; nothing was written';
  return status === 'done'
    ? 'nothing was written; pass --write to change the items'
    : 'nothing was written; fix the failed items first';
}

const ENDINGS: Readonly<Record<State['status'], (about: About) => string>> = {
  done: () => 'a full pass found nothing to change; now verify the migration: npx tablewright migrate verify',
  paused: () => 'paused; run the migration again to continue',
  aborted: () => 'aborted; items that were already changed stay changed, and the next run starts over',
  stopped: () => 'stopped; the failed items are unchanged: fix them, and run the migration again',
  unclean: () =>
    'every pass found items in the old form, so a program is still writing them; stop that program, and run the migration again',
  running: () => 'under way',
};

function tellPasses(
  terminal: Terminal,
  { passes, failures }: Pick<State, 'passes' | 'failures'>,
  words: Words = DONE,
): void {
  const rows = passes.map(({ counts }, i) => [
    `  pass ${i + 1}`,
    `${grouped(counts.read)} read`,
    wordsOf(counts, words),
  ]);
  for (const row of columns(rows)) terminal.line(row);
  for (const { table, key, why } of failures) terminal.line(`  failed  ${table}: ${key}: ${why}`);
  const failed = passes.at(-1)?.counts.failed ?? 0;
  if (failed > failures.length) terminal.line(`  … and ${grouped(failed - failures.length)} more`);
}

type Words = readonly (readonly [keyof Counts, string])[];

const REST: Words = [
  ['unchanged', 'as they were'],
  ['unknown', 'matching neither design'],
  ['failed', 'failed'],
  ['conflicts', 'read again'],
];
const DONE: Words = [['updated', 'updated'], ['moved', 'moved'], ['deleted', 'deleted'], ['made', 'made'], ...REST];
const TO_DO: Words = [
  ['updated', 'to update'],
  ['moved', 'to move'],
  ['deleted', 'to delete'],
  ['made', 'to make'],
  ...REST,
];

/** Formats the counts above 0, such as `3 updated, 1 failed`. */
function wordsOf(counts: Counts, words: Words): string {
  const parts = words.flatMap(([name, word]) => (counts[name] > 0 ? [`${grouped(counts[name])} ${word}`] : []));
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** Reports how many items have the old form and how many have the new form; returns 0 if all have the new form. */
export function tellVerification(terminal: Terminal, about: About, verification: Verification): number {
  const { complete, forms, unknown, left } = verification;
  const code = complete ? 0 : 1;
  terminal.report(
    { ...named(about), ...verification },
    complete ? [] : [finding('not-migrated', NOT_COMPLETE), ...left.map((one) => itemFinding('item-failed', one))],
  );
  terminal.line(titleOf(about));
  const rows = Object.entries(forms)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([entity, { new: done, old, failed }]) => [
      `  ${entity}`,
      `${grouped(done)} new`,
      `${grouped(old)} old${failed === 0 ? '' : `, ${grouped(failed)} neither`}`,
    ]);
  for (const row of columns(rows)) terminal.line(row);
  if (unknown > 0) terminal.line(`  ${grouped(unknown)} matching neither design, unchanged`);
  for (const { table, key, why } of left) terminal.line(`  left  ${table}: ${key}: ${why}`);
  terminal.line(
    complete
      ? {
          style: 'green',
          text: `complete: every item was read, and every key was derived again${recordedNext(about)}`,
        }
      : { style: 'red', text: NOT_COMPLETE },
  );
  return code;
}

const NOT_RUN = 'the migration has not run yet: npx tablewright migrate run --write';
const NOT_COMPLETE = 'the migration is not complete; run it again: npx tablewright migrate run --write';

function finding(code: string, message: string): Reported {
  return { code, severity: 'error', message };
}

function itemFinding(code: string, { table, key, why }: State['failures'][number]): Reported {
  return finding(code, `${table}: ${key}: ${why}`);
}

/** Suggests recording the verified step, if that is what the user should do next. */
function recordedNext({ plan, lock, step }: About): string {
  const next = plan.phases.find((phase) => phase.step === nextStep(plan, lock));
  const isTurn = next !== undefined && (next.step === step || next.items === 'verify');
  return isTurn ? `; record the step: npx tablewright record --plan <file> --step ${next.step}` : '';
}

/** Reports the last known state of a run, for `status`, `pause` and `abort`. */
export function tellState(
  terminal: Terminal,
  about: About,
  action: 'status' | 'pause' | 'abort',
  state: State | undefined,
): number {
  terminal.report({ ...named(about), state: state ?? null }, state === undefined ? [finding('not-run', NOT_RUN)] : []);
  terminal.line(titleOf(about));
  if (state === undefined) {
    terminal.line(NOT_RUN);
    return 1;
  }
  tellPasses(terminal, state);
  const { lease, status, wanted, updatedAt } = state;
  if (lease !== undefined) {
    const term = `${lease.ttl / 1000} seconds`;
    terminal.line(
      `${lease.owner} is running the migration; it last reported this state at ${updatedAt}, by its own clock`,
    );
    if (wanted !== undefined) terminal.line(`the runner was asked to ${wanted}, and will do so after its current work`);
    else
      terminal.line(
        `if the runner has stopped, run the migration again: the new run takes over after ${term} of silence`,
      );
    return 0;
  }
  if (status === 'running') terminal.line("the migration's runner has stopped; run the migration again to continue");
  else if (action !== 'status' && status === 'done') terminal.line(`the migration is done; you cannot ${action} it`);
  else terminal.line(ENDINGS[status](about));
  return 0;
}

function titleOf({ plan, step }: About): string {
  return `${plan.system} (${plan.environment}), ${step}`;
}

function named({ plan: { system, environment }, step }: About) {
  return { system, environment, step };
}
