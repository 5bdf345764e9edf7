import type { Plan } from '../../lib/evolve';
import type { CasesOf } from '../../lib/proof/cases';
import { type PhaseProof, type PlanProofInput, provePlan } from '../../lib/proof/shadow/prove-plan';
import { columns } from './columns';
import { type Terminal, UsageError } from './command';
import { lockFileOf, lockIn, planIn, used } from './evolution';
import { definedIn } from './migrate-scene';
import { casesNamed } from './prove-cases';
import { stepTemplates } from './step-templates';

export interface PlanOptions {
  readonly plan: string;
  readonly lock?: string;
  readonly before?: string;
  readonly migration?: string;
  readonly endpoint?: string;
}

/** Carries out a plan on its own database, phase by phase; exit code 1 if a phase would lose, hide or break something. */
export async function provePlanned(
  names: readonly string[],
  options: PlanOptions,
  format: 'text' | 'json',
  terminal: Terminal,
): Promise<number> {
  if (options.endpoint !== undefined)
    throw new UsageError('--plan is proved only on the embedded engine; leave --endpoint out');
  const plan = planIn(options.plan);
  const input = await inputOf(names, plan, options);
  const { engine, shown } = await startFor(plan);
  const proofs: PhaseProof[] = [];
  try {
    if (format === 'text')
      terminal.line(`${plan.system} (${plan.environment}): ${plan.phases.length} phases, on ${shown}`);
    terminal.status(`  ${plan.phases[0]?.step}`);
    for await (const proof of used(() => provePlan(engine, input))) {
      proofs.push(proof);
      if (format === 'text') print(plan, proof, terminal);
      const next = plan.phases[proofs.length];
      if (next !== undefined) terminal.status(`  ${next.step}`);
    }
  } finally {
    await engine.stop();
  }
  const failed = proofs.find(({ failure }) => failure !== undefined);
  if (format === 'json') terminal.json({ plan: options.plan, proved: failed === undefined, phases: proofs });
  else terminal.line(verdictOf(proofs, failed));
  return failed === undefined ? 0 : 1;
}

/** The engine for the proof of a plan, and its name. */
async function startFor({ cloud }: Plan) {
  if (cloud === 'azure') {
    const { azuriteEngine } = await import('../../lib/azure-tables/engine/azurite');
    return { engine: await azuriteEngine(), shown: 'Azurite' };
  }
  const { embeddedEngine } = await import('../../lib/dynamodb/engine/embedded');
  return { engine: await embeddedEngine(), shown: 'a strict double of DynamoDB' };
}

async function inputOf(names: readonly string[], plan: Plan, options: PlanOptions): Promise<PlanProofInput> {
  const cases = only(await casesNamed(names), plan, 'no cases');
  const before =
    options.before === undefined
      ? undefined
      : only(await casesNamed([options.before]), plan, `'${options.before}' has no cases`);
  const lock = lockIn(options.lock ?? lockFileOf(plan.system, plan.environment));
  const migration = options.migration === undefined ? undefined : await definedIn(options.migration);
  return {
    plan,
    lock,
    design: cases.system,
    cases,
    templates: stepTemplates(cases.system, plan),
    ...(before && { before }),
    ...(migration && { migration }),
  };
}

function only(found: readonly CasesOf[], { system }: Plan, none: string): CasesOf {
  const own = found.find((cases) => cases.system.name === system);
  if (own !== undefined) return own;
  throw new UsageError(`the plan is for system '${system}', but there are ${none} of it`);
}

function print({ phases }: Plan, { step, reads, writes, cases, failure }: PhaseProof, terminal: Terminal): void {
  const width = Math.max(...phases.map((phase) => phase.step.length));
  const [row = ''] = columns([
    [step.padEnd(width), `${reads} reads`.padEnd(10), `${writes} writes`.padEnd(10), `${cases} cases`],
  ]);
  terminal.line(
    '  ',
    failure === undefined ? { style: 'green', text: 'ok  ' } : { style: 'red', text: 'FAIL' },
    ` ${row}`,
  );
  for (const line of failure?.split('\n') ?? []) terminal.line(`       ${line}`);
}

function verdictOf(proofs: readonly PhaseProof[], failed: PhaseProof | undefined): string {
  const [name, ...more] = Object.keys(proofs[0]?.unproved ?? {});
  const open =
    name === undefined ? '' : `; not looked at through ${[name, ...more].join(', ')}: ${proofs[0]?.unproved?.[name]}`;
  if (failed === undefined) return `${proofs.length} phases: nothing is lost, hidden or broken${open}`;
  return `the plan fails in ${failed.step}: do not begin it`;
}
