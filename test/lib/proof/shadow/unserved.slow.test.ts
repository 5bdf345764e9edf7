import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { SystemDesign } from '../../../../lib/design/system';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { lockOf, planFor } from '../../../../lib/evolve';
import { type PhaseProof, provePlan } from '../../../../lib/proof/shadow/prove-plan';
import { sales, salesCases, salesSystem } from '../sales';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

test('carries out a plan for a multi-attribute index, and lists the patterns that the engine cannot prove', async () => {
  const { sort: _, ...byRegion } = sales.indexes.byRegion;
  const indexes = { ...sales.indexes, byRegion: { ...byRegion, sort: ['status', 'createdAt'] } };
  const { atMoment: __, ...patterns } = sales.patterns;
  const before = { ...salesSystem, tables: { sales: { ...sales, indexes, patterns } } } as unknown as SystemDesign;
  const lock = lockOf(before, { environment: 'prod' });
  const design = salesSystem as SystemDesign;
  const plan = planFor(lock, design);
  expect(plan.edits).toEqual([{ kind: 'index', table: 'sales', from: 'byRegion', to: 'byRegionv2' }]);
  const proofs: PhaseProof[] = [];
  const input = { plan, lock, design, cases: salesCases, templates: stepTemplates(design, plan) };
  for await (const proof of provePlan(engine, input)) proofs.push(proof);
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  for (const { unproved = {}, reads } of proofs) {
    expect(Object.keys(unproved)).toEqual(expect.arrayContaining(['inRegion', 'largest', 'ofDay', 'open']));
    expect(unproved.ofDay).toMatch(/does not support multi-attribute index keys/);
    expect(reads).toBeGreaterThan(0);
  }
  // Only the last phase calls the new pattern, because only its release no longer serves the old form.
  const { unproved } = proofs.at(-1) as PhaseProof;
  expect(Object.keys(unproved ?? {}).sort()).toEqual(['atMoment', 'inRegion', 'largest', 'ofDay', 'open']);
});
