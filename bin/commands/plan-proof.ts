import { counted } from '../../lib/design/show';
import { type Lock, type Plan, withEdits } from '../../lib/evolve';
import { PlanRefused } from '../../lib/evolve/lock/read';
import type { CasesOf } from '../../lib/proof/cases';
import { casesOfLibrary } from './bundled';
import type { Terminal } from './command';
import { type Subject, used } from './evolution';
import { casesThere, keptBeside } from './kept';
import { readingOf } from './modules';
import { isCases } from './prove-cases';

/** The result of proving a new plan. */
export interface PlanProof {
  readonly proved: boolean;
  /** The work that the user must do before a proof is possible. @default - nothing */
  readonly first?: string;
  /** The parts of the plan that could not be proved, each with the reason. @default - nothing */
  readonly unproved?: Readonly<Record<string, string>>;
}

/**
 * Proves a new plan: carries it out on the embedded engine, with the project's cases. Throws an error if the proof
 * fails.
 */
export async function proofOf(plan: Plan, subject: Subject, lock: Lock, terminal: Terminal): Promise<PlanProof> {
  const { system, lockFile } = subject;
  const asked = plan.items.filter(
    ({ needsUp, downs = [], missed = [], splits = [] }) =>
      [...needsUp, ...downs, ...missed, ...splits.flatMap((split) => split.needsUp)].length > 0,
  );
  if (asked.length > 0) {
    const names = asked.map(({ from }) => `${from.table}.${from.entity}`).join(', ');
    return { proved: false, first: `write the migration of ${names}, and pass its file with --migration` };
  }
  const cases = await casesOf(subject);
  const old = await keptBeside(lockFile, lock);
  if (cases === undefined && old?.cases === undefined)
    return { proved: false, first: `write cases for the patterns; 'npx tablewright cases' drafts them` };
  // The proof code is loaded only if the plan can be proved.
  const [{ bareTemplates }, { provePlan }, { casesWithEdits }] = await Promise.all([
    import('../../lib/proof/shadow/bare-templates'),
    import('../../lib/proof/shadow/prove-plan'),
    import('../../lib/proof/shadow/seeds'),
  ]);
  const input = {
    ...{ plan, lock, design: system, templates: bareTemplates(withEdits(system, plan.edits), plan) },
    ...(cases && { cases }),
    ...(old && { deployed: old.system }),
    ...(old?.cases && { before: casesWithEdits(old.cases, old.edits ?? []) }),
  };
  const started = await startFor(plan).catch((error: Error) => error);
  if (started instanceof Error)
    return { proved: false, first: `fix the problem that keeps the engine from starting (${started.message})` };
  const { engine } = started;
  const unproved: Record<string, string> = {};
  try {
    terminal.status(`proving ${counted(plan.phases.length, 'phase')}`);
    for await (const proof of used(() => provePlan(engine, input))) {
      if (proof.failure !== undefined)
        throw new PlanRefused(`the plan's proof fails in ${proof.step}, so the plan is not written\n ${proof.failure}`);
      Object.assign(unproved, proof.unproved);
      terminal.status(`proved ${proof.step}`);
    }
  } finally {
    await engine.stop();
  }
  return Object.keys(unproved).length === 0 ? { proved: true } : { proved: false, unproved };
}

/** Starts the engine that proves a plan. Also returns a display name for the engine. */
export async function startFor({ cloud }: Pick<Plan, 'cloud'>) {
  if (cloud === 'azure') {
    const { azuriteEngine } = await import('../../lib/azure-tables/engine/azurite');
    return { engine: await azuriteEngine(), shown: 'Azurite' };
  }
  const { embeddedEngine } = await import('../../lib/dynamodb/engine/embedded');
  return { engine: await embeddedEngine(), shown: 'a database as strict as DynamoDB' };
}

/** Finds a system's cases in its design's file, in the project's cases files, or among the bundled systems. */
async function casesOf({ system, file }: Subject): Promise<CasesOf | undefined> {
  if (file === undefined) return (await casesOfLibrary([system.name]))[0];
  const files = [...new Set([file, ...(await casesThere())])];
  const found = await Promise.all(files.map((name) => readingOf(name, (exported) => exported.filter(isCases))));
  return found.flat().find((cases) => cases.system.name === system.name);
}
