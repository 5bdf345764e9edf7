import { type Lock, originOf, type Plan } from '../../lib/evolve';
import { assertDeployed } from '../../lib/evolve/lock/code';
import type { CasesOf } from '../../lib/proof/cases';
import { type PhaseProof, type PlanProofInput, provePlan } from '../../lib/proof/shadow/prove-plan';
import { casesWithEdits } from '../../lib/proof/shadow/seeds';
import { type Reported, type Terminal, UsageError } from './command';
import { lockFileOf, lockIn, planIn, used } from './evolution';
import { type Kept, keptBeside } from './kept';
import { definedIn } from './migrate-scene';
import { startFor } from './plan-proof';
import { columns } from './printable';
import { casesNamed } from './prove-cases';
import { stepTemplates } from './step-templates';

export interface PlanOptions {
  readonly plan: string;
  readonly lock?: string;
  readonly before?: string;
  readonly migration?: string;
  readonly endpoint?: string;
}

/**
 * Carries out a plan phase by phase in a separate database. Returns exit code 1 if a phase would lose or hide data or
 * break a release, or if anything could not be proved.
 */
export async function provePlanned(
  names: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<number> {
  if (options.endpoint !== undefined)
    throw new UsageError('plans are proved only on the embedded engine; omit --endpoint');
  const plan = planIn(options.plan);
  const input = await inputOf(names, plan, options);
  const { engine, shown } = await startFor(plan);
  const proofs: PhaseProof[] = [];
  try {
    terminal.line(`${plan.system} (${plan.environment}): ${plan.phases.length} phases, on ${shown}`);
    terminal.status(`  ${plan.phases[0]?.step}`);
    for await (const proof of used(() => provePlan(engine, input))) {
      proofs.push(proof);
      print(plan, proof, terminal);
      const next = plan.phases[proofs.length];
      if (next !== undefined) terminal.status(`  ${next.step}`);
    }
  } finally {
    await engine.stop();
  }
  const isProved = proofs.every(({ failure, unproved }) => failure === undefined && unproved === undefined);
  terminal.line(verdictOf(proofs));
  terminal.report({ plan: options.plan, proved: isProved, phases: proofs }, proofs.flatMap(reportedIn));
  return isProved ? 0 : 1;
}

async function inputOf(names: readonly string[], plan: Plan, options: PlanOptions): Promise<PlanProofInput> {
  const cases = only(await casesNamed(names), plan, 'there are no cases');
  const lockFile = options.lock ?? lockFileOf(plan.system, plan.environment);
  const lock = lockIn(lockFile);
  const old = await deployedAt(lockFile, originOf(lock), plan, options.before);
  const migration = options.migration === undefined ? undefined : await definedIn(options.migration);
  return {
    plan,
    lock,
    design: cases.system,
    cases,
    templates: stepTemplates(cases.system, plan),
    ...(old && { deployed: old.system }),
    ...(old?.cases && { before: casesWithEdits(old.cases, old.edits ?? []) }),
    ...(migration && { migration }),
  };
}

/** Finds the deployed design and its cases in the file that the user names, or else in the folder beside the lock. */
async function deployedAt(
  lockFile: string,
  lock: Lock,
  plan: Plan,
  file: string | undefined,
): Promise<Kept | undefined> {
  if (file === undefined) return keptBeside(lockFile, lock);
  const cases = only(await casesNamed([file]), plan, `'${file}' has no cases`);
  used(() => assertDeployed(cases.system, lock));
  return { system: cases.system, cases };
}

function only(found: readonly CasesOf[], { system }: Plan, none: string): CasesOf {
  const own = found.find((cases) => cases.system.name === system);
  if (own !== undefined) return own;
  throw new UsageError(`the plan is for system '${system}', but ${none} for that system`);
}

function print({ phases }: Plan, proof: PhaseProof, terminal: Terminal): void {
  const { step, reads, writes, cases, failure, unproved = {} } = proof;
  const width = Math.max(...phases.map((phase) => phase.step.length));
  const [row = ''] = columns([
    [step.padEnd(width), `${reads} reads`.padEnd(10), `${writes} writes`.padEnd(10), `${cases} cases`],
  ]);
  terminal.line('  ', statusOf(proof), ` ${row}`);
  for (const line of failure?.split('\n') ?? []) terminal.line(`       ${line}`);
  for (const [what, why] of Object.entries(unproved)) terminal.line(`       NOT PROVED ${what}: ${why}`);
}

function reportedIn({ step, failure, unproved = {} }: PhaseProof): readonly Reported[] {
  const failed = failure === undefined ? [] : [['phase-failed', failure] as const];
  const open = Object.entries(unproved).map(([what, why]) => ['not-proved', `${what}: ${why}`] as const);
  return [...failed, ...open].map(([code, message]) => ({ code, severity: 'error', path: step, message }));
}

function statusOf({ failure, unproved }: PhaseProof) {
  if (failure !== undefined) return { style: 'red', text: 'FAIL' } as const;
  return unproved === undefined
    ? ({ style: 'green', text: 'ok  ' } as const)
    : ({ style: 'yellow', text: 'open' } as const);
}

function verdictOf(proofs: readonly PhaseProof[]): string {
  const failed = proofs.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) return `the plan fails in ${failed.step}: do not start it`;
  const open = new Set(proofs.flatMap(({ unproved = {} }) => Object.keys(unproved)));
  if (open.size === 0) return `${proofs.length} phases: no data is lost or hidden, and no release breaks`;
  return `NOT PROVED: ${proofs.length} phases passed every test that could run; not tested: ${[...open].join(', ')}`;
}
