import { existsSync } from 'node:fs';
import { counted } from '../../lib/design/show';
import { describeDifferences } from '../../lib/dynamodb/template/differences';
import {
  describeChange,
  diff,
  type Edit,
  type Lock,
  lockAfter,
  lockOf,
  originOf,
  phaseAt,
  verdictOf,
  withEdits,
} from '../../lib/evolve';
import { canonical } from '../../lib/evolve/canonical';
import { differencesOf, type Seen } from '../../lib/evolve/deployed/evidence';
import { hasCode } from '../../lib/evolve/lock/code';
import { lockBefore, START } from '../../lib/evolve/plan/progress';
import { tablesOfLock } from '../../lib/evolve/plan/waves';
import { seenAt } from './against';
import { readArguments } from './arguments';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { readProject } from './config';
import { reportedIn } from './diff';
import { EVOLUTION, lockIn, planIn, type Subject, subjectOf, used } from './evolution';
import { deployedOf, keepFinished, remove, writeData } from './evolution-files';
import { keep } from './kept';
import { assertFolder } from './output';
import { missingRun } from './record-items';

const OPTIONS = {
  ...EVOLUTION,
  against: { type: 'string', multiple: true },
  endpoint: { type: 'string' },
  'azure-endpoint': { type: 'string' },
  state: { type: 'string' },
  table: { type: 'string', multiple: true },
  plan: { type: 'string' },
  step: { type: 'string' },
} as const;

export type RecordValues = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

export const record: Command = {
  usage: [
    '[design or file] [--environment name] [--lock file] [--against folder|stack:name|table:name …] [--answers file]',
    '[--plan file --step name] [--endpoint url] [--azure-endpoint connection] [--state table] [--table name=deployed name]',
  ].join(' '),
  summary: "records a system's deployed state in a lock file to commit",
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    if ((values.plan === undefined) !== (values.step === undefined))
      throw new UsageError('pass --plan and --step together');
    assertFolder('--lock', values.lock);
    const subject = await subjectOf(positionals, values);
    if (values.plan === undefined) return recordDesign(subject, values, terminal);
    if (values.step === START) return recordStart(subject, values, values.plan, terminal);
    return recordStep(subject, values, { file: values.plan, step: values.step as string }, terminal);
  },
};

/** Returns where to find the deployed tables: the given places, or the configured folder if it exists. */
async function placesFor({ system }: Subject, { against }: RecordValues): Promise<readonly string[]> {
  if (against !== undefined) return against;
  const project = await readProject();
  const folder = system.cloud === 'azure' ? project?.terraform : project?.assembly;
  return folder !== undefined && existsSync(folder) ? [folder] : [];
}

async function recordDesign(subject: Subject, values: RecordValues, terminal: Terminal): Promise<number> {
  const { system, environment, lockFile, answers } = subject;
  const before = existsSync(lockFile) ? lockIn(lockFile) : undefined;
  if (before?.progress !== undefined) {
    throw new FileError(
      `a plan is under way (step '${before.progress.step}' is done): record its next step with --plan and --step`,
    );
  }
  const designed = tablesOfLock(lockOf(system, { environment }));
  const places = await placesFor(subject, values);
  const all = { ...(before && tablesOfLock(before)), ...designed };
  const seen = places.length === 0 ? undefined : await seenAt(places, { ...subject, tables: all }, values.endpoint);
  const deployed = seen === undefined ? {} : deployedOf(seen.tables);
  const after = lockOf(system, { environment, deployed, ...(before && { after: before }) });
  const changes = before === undefined ? [] : used(() => diff(before, after, answers));
  if (verdictOf(changes) !== 'safe') {
    const stopped = changes.filter(({ verdict }) => verdict !== 'safe');
    terminal.line(`'${lockFile}' is unchanged, because these changes cannot be deployed without a plan`);
    for (const change of stopped) terminal.text(describeChange(change));
    terminal.report({ lock: lockFile, recorded: false }, reportedIn(stopped, subject));
    return 1;
  }
  if (seen !== undefined && isRefused(terminal, lockFile, 'the design', designed, seen)) return 1;
  if (seen === undefined && before !== undefined && changesTables(before, after)) {
    return refuse(terminal, lockFile, [
      `the tables change, but there is no evidence that the change is deployed; ${SHOW}`,
    ]);
  }
  await writeData(lockFile, after);
  await keepNoting(subject, after, terminal);
  const tables = counted(Object.keys(after.tables).length, 'table');
  const source = seen === undefined ? 'as in the design' : `as in ${seen.from}`;
  terminal.line(`${lockFile}: ${system.name} in ${environment}, ${tables}, ${source}; commit this file`);
  terminal.report({ lock: lockFile, recorded: true });
  return 0;
}

/** How to provide the evidence that `record` needs. */
const SHOW =
  "pass the deployed tables: --against cdk.out (the folder that 'cdk synth' wrote), stack:<name>, or table:<name> for each table";

function changesTables(
  ...locks: readonly [Parameters<typeof tablesOfLock>[0], Parameters<typeof tablesOfLock>[0]]
): boolean {
  const [before, after] = locks.map((lock) =>
    Object.entries(tablesOfLock(lock)).map(([name, { key, indexes, ttl }]) => ({ name, key, indexes, ttl })),
  );
  return canonical(before) !== canonical(after);
}

/** Copies the design's source files to a folder beside the lock. If copying fails, prints a note with the reason. */
async function keepNoting(
  subject: Pick<Subject, 'file' | 'lockFile'>,
  lock: Lock,
  terminal: Terminal,
  edits?: readonly Edit[],
): Promise<void> {
  const problem = await keep(subject, lock, edits);
  if (problem === undefined || !hasCode(lock)) return;
  terminal.note(`the design's source is not kept beside the lock (${problem}), so 'prove --plan' will need --before`);
}

async function recordStep(
  subject: Subject,
  values: RecordValues,
  { file, step }: { readonly file: string; readonly step: string },
  terminal: Terminal,
): Promise<number> {
  const { system, lockFile } = subject;
  const plan = planIn(file);
  const lock = lockIn(lockFile);
  const phase = used(() => phaseAt(plan, lock, step));
  const after = used(() => lockAfter(plan, lock, step, withEdits(system, plan.edits)));
  const all = Object.assign({}, tablesOfLock(lock), ...plan.phases.map(({ tables }) => tables));
  const places = await placesFor(subject, values);
  const seen = places.length === 0 ? undefined : await seenAt(places, { ...subject, tables: all }, values.endpoint);
  const unseen = phase.wave.filter(({ table }) => seen === undefined || !seen.looked.includes(table));
  if (unseen.length > 0) {
    const actions = unseen.map(({ action, name, table }) => [action, name, 'of', table].filter(Boolean).join(' '));
    return refuse(terminal, lockFile, [
      `step '${step}' changes tables (${actions.join(', ')}), but there is no evidence that the change is deployed; ${SHOW}`,
    ]);
  }
  if (seen !== undefined && isRefused(terminal, lockFile, `step '${step}'`, phase.tables, seen, step)) return 1;
  const missing = await missingRun(plan, lock, phase, values, seen?.tables);
  if (missing !== undefined) return refuse(terminal, lockFile, [missing]);
  const next = plan.phases[plan.phases.findIndex((other) => other.step === step) + 1];
  if (next !== undefined) {
    await writeData(lockFile, after);
    terminal.line(`${lockFile}: step ${step} is done; the next step is ${next.step}`);
    terminal.report({ lock: lockFile, recorded: true, next: next.step });
    return 0;
  }
  const kept = await keepFinished(lockFile, plan, originOf(lock));
  await writeData(lockFile, after);
  const { file: source } = subject;
  await keepNoting({ ...(source && { file: source }), lockFile }, after, terminal, plan.edits);
  await remove(file);
  terminal.line(
    `${lockFile}: the plan is finished, and archived as ${kept}; remove the plan from the construct, and commit`,
  );
  terminal.report({ lock: lockFile, recorded: true, finished: kept });
  return 0;
}

/** Records that every step of a plan has been undone, and that the tables are back in their original state. */
async function recordStart(subject: Subject, values: RecordValues, file: string, terminal: Terminal): Promise<number> {
  const { system, lockFile } = subject;
  const plan = planIn(file);
  const lock = lockIn(lockFile);
  const after = used(() => lockBefore(plan, lock, withEdits(system, plan.edits)));
  const all = Object.assign({}, tablesOfLock(lock), ...plan.phases.map(({ tables }) => tables));
  const places = await placesFor(subject, values);
  const seen = places.length === 0 ? undefined : await seenAt(places, { ...subject, tables: all }, values.endpoint);
  if (seen === undefined && plan.phases.some(({ wave }) => wave.length > 0))
    return refuse(terminal, lockFile, [
      `there is no evidence that the tables are back in their original state; ${SHOW}`,
    ]);
  if (seen !== undefined && isRefused(terminal, lockFile, 'the lock', tablesOfLock(lock), seen)) return 1;
  await writeData(lockFile, after);
  terminal.line(`${lockFile}: the plan is undone; delete ${file}, revert the design, and commit`);
  terminal.report({ lock: lockFile, recorded: true });
  return 0;
}

/**
 * Whether the deployed tables differ from the expected tables. If so, prints the differences and tells the user to
 * deploy first.
 */
function isRefused(
  terminal: Terminal,
  lockFile: string,
  what: string,
  expected: Parameters<typeof differencesOf>[0],
  seen: Seen,
  step?: string,
): boolean {
  const differences = differencesOf(expected, seen);
  if (differences.length === 0) return false;
  const deploy = `${step === undefined ? '' : `STEP=${step} `}npx cdk deploy`;
  refuse(terminal, lockFile, [
    `${seen.from} differs from ${what}; deploy first (${deploy}), then record`,
    ...describeDifferences(differences).split('\n'),
  ]);
  return true;
}

function refuse(terminal: Terminal, lockFile: string, [first = '', ...lines]: readonly string[]): number {
  terminal.line(`'${lockFile}' is unchanged: ${first}`);
  for (const line of lines) terminal.line(`  ${line}`);
  const message = [first, ...lines].join('\n');
  terminal.report({ lock: lockFile, recorded: false }, [{ code: 'not-deployed', severity: 'error', message }]);
  return 1;
}
