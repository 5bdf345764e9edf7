import { stepTemplates } from '../../../bin/commands/step-templates';
import type { SystemDesign } from '../../../lib/design/system';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { lockOf, planFor } from '../../../lib/evolve';
import type { SystemCases } from '../../../lib/proof';
import { documented, systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { proofsOf } from '../proof/shadow/prove-plan';

export type Planned = Exclude<keyof typeof documented, 'controle-pgm'>;

/** Proves the plan from a documented design to the bundled design, while releases of both designs read and write. */
export async function provedFrom(engine: Database, name: Planned, own: SystemCases = cases[name] as SystemCases) {
  const { design: deployed, answers } = documented[name]();
  const lock = lockOf(deployed, { environment: 'prod' });
  const design = systems[name] as SystemDesign;
  const plan = planFor(lock, design, answers);
  const templates = stepTemplates(design, plan);
  const proofs = await proofsOf(engine, { plan, lock, design, deployed, cases: own, templates });
  return { plan, proofs };
}

/** Expects that no phase loses, hides or breaks data, and that each phase has many reads and writes. */
export async function expectProvedFrom(engine: Database, name: Planned, own?: SystemCases): Promise<void> {
  const { plan, proofs } = await provedFrom(engine, name, own);
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  for (const { reads, writes } of proofs) {
    expect(reads).toBeGreaterThan(50);
    expect(writes).toBeGreaterThan(10);
  }
}
