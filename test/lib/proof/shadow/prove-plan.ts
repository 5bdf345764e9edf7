import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { lockOf, planFor } from '../../../../lib/evolve';
import { type PhaseProof, type PlanProofInput, provePlan } from '../../../../lib/proof/shadow/prove-plan';
import type { AnyDatabase } from '../../../../lib/proof/tables';
import { casesAfter, deployedCases, migrationOf } from '../../../fixtures/change-cases';
import { deployed, type NamedChange } from '../../../fixtures/changes';

const lock = lockOf(deployed, { environment: 'prod' });

/** Returns the proof input for a change. */
export function inputOf(change: NamedChange): PlanProofInput {
  const plan = planFor(lock, change.after, change.answers);
  const migration = migrationOf(change, lock);
  const [edit] = plan.edits.filter(({ kind }) => kind === 'table');
  return {
    plan,
    lock,
    design: change.after,
    before: deployedCases,
    cases: casesAfter(change, edit?.to),
    templates: stepTemplates(change.after, plan),
    ...(migration && { migration }),
  };
}

export async function proofsOf(database: AnyDatabase, input: PlanProofInput): Promise<readonly PhaseProof[]> {
  const proofs: PhaseProof[] = [];
  for await (const proof of provePlan(database, input)) proofs.push(proof);
  return proofs;
}

/** Expects that every phase of a plan is proved, with at least `leastReads` reads in each. */
export function expectProved({ plan }: PlanProofInput, proofs: readonly PhaseProof[], leastReads: number): void {
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.map(({ step }) => step)).toEqual(plan.phases.map(({ step }) => step));
  for (const { reads, writes, cases } of proofs) {
    expect(reads).toBeGreaterThanOrEqual(leastReads);
    expect(writes).toBeGreaterThan(1);
    expect(cases).toBeGreaterThan(3);
  }
}

export function describeProofs(engine: () => Database, changes: readonly NamedChange[]): void {
  test.each(changes)('$name: no phase loses, hides or breaks anything', async (change) => {
    const input = inputOf(change);
    expectProved(input, await proofsOf(engine(), input), 11);
  });
}
