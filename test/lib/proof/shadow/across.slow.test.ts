import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { SystemDesign } from '../../../../lib/design/system';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { lockOf, planFor } from '../../../../lib/evolve';
import type { SystemCases } from '../../../../lib/proof/cases';
import { provePlan } from '../../../../lib/proof/shadow/prove-plan';
import { bank, bankCases } from '../../../fixtures/bank';

/** Changes the prefix of every account key in the bank's design or cases, so that every account moves. */
function renamed<T>(value: T): T {
  if (typeof value === 'string') return value.replace(/^ACCOUNT#/, 'ACC#') as T;
  if (typeof value !== 'object' || value === null || '_zod' in value) return value;
  if (Array.isArray(value)) return value.map(renamed) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member)])) as T;
}

test("patterns across several tables work in every phase of a plan, even while one table's items move", async () => {
  const lock = lockOf(bank, { environment: 'prod' });
  const design: SystemDesign = renamed<SystemDesign>(bank);
  const plan = planFor(lock, design);
  const { system: _, ...known } = bankCases;
  const before: SystemCases = known;
  const engine = await embeddedEngine();
  const proofs = [];
  try {
    const input = { plan, lock, design, before, cases: renamed(before), templates: stepTemplates(design, plan) };
    for await (const proof of provePlan(engine, input)) proofs.push(proof);
  } finally {
    await engine.stop();
  }
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.length).toBe(plan.phases.length);
}, 60_000);
