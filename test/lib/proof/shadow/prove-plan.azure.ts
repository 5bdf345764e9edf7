import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { type Phase, planFor } from '../../../../lib/evolve';
import { signed } from '../../../../lib/evolve/canonical';
import type { PhaseProof, PlanProofInput } from '../../../../lib/proof/shadow/prove-plan';
import { type AzureChange, azureChangeNamed, deployedNotesCases, diaryLock } from '../../../fixtures/azure-changes';
import { expectProved, proofsOf } from './prove-plan';

/** Returns the proof input for a change on Azure. */
export function azureInputOf({ after, answers, cases, migration }: AzureChange): PlanProofInput {
  const plan = planFor(diaryLock, after, answers);
  return {
    plan,
    lock: diaryLock,
    design: after,
    before: deployedNotesCases,
    cases,
    templates: stepTemplates(after, plan),
    ...(migration && { migration }),
  };
}

/** Proves a plan, and expects that no table is left behind. */
export async function azureProofsOf(engine: AzureDatabase, input: PlanProofInput): Promise<readonly PhaseProof[]> {
  const proofs = await proofsOf(engine, input);
  expect(await engine.tables()).toEqual([]);
  return proofs;
}

export function describeAzureProofs(engine: () => AzureDatabase, changes: readonly AzureChange[]): void {
  test.each(changes)('$name: no phase loses, hides or breaks anything', async (change) => {
    const input = azureInputOf(change);
    expectProved(input, await azureProofsOf(engine(), input), 6);
  });
}

type Mutate = (phases: readonly Phase[]) => readonly Phase[];

export const without =
  (isGone: (phase: Phase) => boolean): Mutate =>
  (phases) =>
    phases.filter((phase) => !isGone(phase));

/**
 * Each row lists a fault, the planned change, the mutation of the plan's phases, and the step and message that report
 * the fault.
 */
export function describeWrongPlans(
  engine: () => AzureDatabase,
  rows: readonly (readonly [name: string, change: string, mutate: Mutate, step: string, failure: RegExp])[],
): void {
  test.each(rows)('%s', async (_, name, mutate, step, failure) => {
    const input = azureInputOf(azureChangeNamed(name));
    const { hash: __, ...rest } = input.plan;
    const plan = signed({ ...rest, phases: mutate(input.plan.phases) });
    const proofs = await azureProofsOf(engine(), { ...input, plan, templates: stepTemplates(input.design, plan) });
    expect(proofs.at(-1)).toMatchObject({ step, failure: expect.stringMatching(failure) });
  });
}
