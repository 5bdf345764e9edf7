import { stepTemplates } from '../../../bin/commands/step-templates';
import type { SystemDesign } from '../../../lib/design/system';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import { lockOf, planFor } from '../../../lib/evolve';
import type { SystemCases } from '../../../lib/proof';
import { documented, systems } from '../../../lib/systems';
import { cases } from '../../../lib/systems/cases';
import { proofsOf } from '../proof/shadow/prove-plan';

jest.setTimeout(300_000);

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

// The test deploys and runs each phase while releases read and write.
test.each(['booking', 'transporte'] as const)(
  'the plan from the documented %s to our design loses, hides and breaks nothing',
  async (name) => {
    const { design: before, answers } = documented[name]();
    const lock = lockOf(before, { environment: 'prod' });
    const design = systems[name] as SystemDesign;
    const plan = planFor(lock, design, answers);
    const templates = stepTemplates(design, plan);
    const proofs = await proofsOf(engine, { plan, lock, design, cases: cases[name] as SystemCases, templates });
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
    for (const { reads, writes } of proofs) {
      expect(reads).toBeGreaterThan(50);
      expect(writes).toBeGreaterThan(10);
    }
  },
);
