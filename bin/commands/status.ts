import { existsSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { counted } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { describeDifferences } from '../../lib/dynamodb/template/differences';
import { diff, type Lock, lockOf, originOf, type Plan, systemOf, type Verdict, verdictOf } from '../../lib/evolve';
import { releasesPicture } from '../../lib/evolve/plan/releases';
import { changesBetween, type Standing, standingOf } from '../../lib/evolve/plan/standing';
import { readArguments } from './arguments';
import { type Command, FileError, type Reported, type Terminal, UsageError } from './command';
import { readProject } from './config';
import { designsNamed } from './designs';
import { lockFileOf, lockIn, planFileOf, planIn, used } from './evolution';
import { type Drift, driftOf } from './status-drift';

const OPTIONS = {
  environment: { type: 'string' },
  against: { type: 'string', multiple: true },
  endpoint: { type: 'string' },
} as const;

/** The state of a system in one environment. */
interface Status {
  readonly system: string;
  readonly environment: string;
  readonly lock: string;
  /** The number of changes from the lock to the design. */
  readonly changes: number;
  readonly verdict: Verdict;
  /** The plan and its progress. @default - there is no plan */
  readonly plan?: Standing & { readonly file: string };
  /** Environments that are closer to the design, with the number of changes by which this environment is behind. */
  readonly behind: readonly { readonly environment: string; readonly changes: number }[];
  readonly drift?: Drift;
}

/** A lock or a plan that cannot be used. */
interface Problem {
  readonly system: string;
  readonly environment: string;
  readonly problem: string;
}

export const status: Command = {
  usage: '[design or file …] [--environment name] [--against folder|stack:name|table:name …] [--endpoint url]',
  summary: 'shows the state of every environment; exit code 1 on drift',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const systems = (await designsNamed(positionals)).map(systemOf);
    const found = systems.flatMap((system) => statusOf(system, values.environment));
    const all = values.against === undefined ? found : await withDrift(found, values.against, values.endpoint);
    const shown = all.map(({ status: one }) => one);
    for (const { status: one, plan } of all) {
      print(one, terminal);
      if (plan !== undefined && !('problem' in one))
        for (const line of releasesPicture(plan)) terminal.line(`  ${line}`);
    }
    terminal.report({ environments: shown }, shown.flatMap(reportedIn));
    if (shown.length === 0) throw new FileError(NO_LOCK);
    return shown.some((one) => 'problem' in one || isDrifting(one)) ? 1 : 0;
  },
};

const NO_LOCK = "there is no lock in the folder tablewright; create one with 'npx tablewright record' first";

/** A status, and the files that it was read from. */
interface Found {
  readonly system: SystemDesign;
  readonly status: Status | Problem;
  readonly lock?: Lock;
  readonly plan?: Plan;
}

/** Returns the status of the named environment, or of every environment that has a lock. */
function statusOf(system: SystemDesign, environment: string | undefined): readonly Found[] {
  const environments = environment === undefined ? environmentsOf(system.name) : [environment];
  const read = environments.map((name) => readIn(system, name));
  return read.map((one) => {
    if (one.lock === undefined || 'problem' in one.status) return one;
    const { lock, status: own } = one;
    const behind = read.flatMap(({ lock: other, status: theirs }) => {
      if (other === undefined || 'problem' in theirs || theirs.changes >= own.changes) return [];
      return [{ environment: other.environment, changes: changesBetween(originOf(lock), originOf(other)) }];
    });
    return { ...one, status: { ...own, behind: behind.filter(({ changes }) => changes > 0) } };
  });
}

function environmentsOf(system: string): readonly string[] {
  const folder = dirname(lockFileOf(system, 'any'));
  if (!existsSync(folder)) return [];
  const [before, after] = [`${system}.`, '.lock.json'];
  const names = readdirSync(folder).filter((name) => name.startsWith(before) && name.endsWith(after));
  return names.map((name) => name.slice(before.length, -after.length)).sort();
}

function readIn(system: SystemDesign, environment: string): Found {
  const file = lockFileOf(system.name, environment);
  const about = { system: system.name, environment };
  try {
    const lock = lockIn(file);
    const changes = used(() => diff(originOf(lock), lockOf(system, { environment })));
    const planFile = planFileOf(system.name, environment);
    const plan = existsSync(planFile) ? planIn(planFile) : undefined;
    if (plan === undefined && lock.progress !== undefined) {
      const { step } = lock.progress;
      const problem = `step '${step}' of a plan is done, but '${planFile}' is missing; restore it from version control`;
      return { system, status: { ...about, problem } };
    }
    return {
      system,
      lock,
      ...(plan && { plan }),
      status: {
        ...about,
        lock: file,
        changes: changes.length,
        verdict: verdictOf(changes),
        ...(plan && { plan: { file: planFile, ...used(() => standingOf(plan, lock)) } }),
        behind: [],
      },
    };
  } catch (error) {
    if (error instanceof FileError) return { system, status: { ...about, problem: error.message } };
    throw error;
  }
}

async function withDrift(
  found: readonly Found[],
  against: readonly string[],
  endpoint: string | undefined,
): Promise<readonly Found[]> {
  const usual = (await readProject())?.environment ?? 'prod';
  const chosen = found.length === 1 ? found[0] : found.find(({ status: { environment } }) => environment === usual);
  if (chosen === undefined || new Set(found.map(({ system }) => system)).size > 1)
    throw new UsageError('--against compares one system in one environment; pass the design and --environment');
  const { lock, plan, status: own, system } = chosen;
  if (lock === undefined || 'problem' in own) return found;
  const drift = await driftOf({ system, lock, ...(plan && { plan }) }, against, endpoint);
  return found.map((one) => (one === chosen ? { ...one, status: { ...own, drift } } : one));
}

/** Converts differences from the lock into findings. */
function reportedIn(one: Status | Problem): readonly Reported[] {
  const about = { severity: 'error', design: one.system, path: one.environment } as const;
  if ('problem' in one) return [{ code: 'not-recorded', ...about, message: one.problem }];
  const { differences = [], samples = [] } = one.drift ?? {};
  return [
    ...differences.map(
      (one): Reported => ({
        ...{ code: 'drift', ...about, path: one.place },
        message: describeDifferences([one]),
      }),
    ),
    ...samples.flatMap(({ table, faults }) =>
      faults.map(({ key, why }): Reported => ({ code: 'item-drift', ...about, message: `${table}: ${key}: ${why}` })),
    ),
  ];
}

function isDrifting({ drift }: Status): boolean {
  return drift !== undefined && drift.differences.length + drift.samples.flatMap(({ faults }) => faults).length > 0;
}

function print(one: Status | Problem, terminal: Terminal): void {
  const title = `${one.system} (${one.environment})`;
  if ('problem' in one) {
    terminal.line(`${title}: `, { style: 'red', text: one.problem });
    return;
  }
  const { changes, verdict, plan, behind, drift } = one;
  terminal.line(`${title}: ${stateOf(one)}`);
  if (plan?.next !== undefined) {
    const { step, who, what, run, deploys } = plan.next;
    terminal.line(`  next: ${step}, by ${who}: ${what}`);
    if (run !== undefined) terminal.line(`    ${run}`);
    const evidence = deploys ? ' --against cdk.out' : '';
    terminal.line(`    npx tablewright record --plan ${plan.file} --step ${step}${evidence}`);
  } else if (changes > 0) {
    const how =
      verdict === 'safe' ? 'deploy the design, and record it: npx tablewright record' : 'npx tablewright diff';
    terminal.line(`  next: ${how} --environment ${one.environment}`);
  }
  for (const other of behind) terminal.line(`  behind ${other.environment} by ${counted(other.changes, 'change')}`);
  if (drift !== undefined) printDrift(drift, terminal);
}

function stateOf({ changes, verdict, plan }: Status): string {
  if (plan !== undefined)
    return `${plan.count} of the plan's ${plan.of} steps are done${plan.done === undefined ? '' : ` (${plan.done})`}`;
  if (changes === 0) return 'matches the design';
  return `${counted(changes, 'change')} not deployed (${verdict})`;
}

function printDrift({ from, differences, unrecorded, samples }: Drift, terminal: Terminal): void {
  if (unrecorded !== undefined) terminal.line(`  ${from}: step ${unrecorded} is deployed, but not recorded`);
  else if (differences.length === 0) terminal.line(`  ${from}: `, { style: 'green', text: 'as recorded' });
  else {
    terminal.line(`  ${from}: `, { style: 'red', text: 'not as recorded' });
    for (const line of describeDifferences(differences).split('\n')) terminal.line(`    ${line}`);
  }
  for (const { table, read, faults } of samples) {
    terminal.line(
      `  ${table}: ${counted(read, 'item')} read, ${faults.length} ${faults.length === 1 ? 'differs' : 'differ'} from the design`,
    );
    for (const { key, why } of faults.slice(0, SHOWN)) terminal.line(`    ${key}: ${why}`);
    if (faults.length > SHOWN) terminal.line(`    … and ${faults.length - SHOWN} more`);
  }
}

/** The maximum number of faulty items to print. */
const SHOWN = 10;
