import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { SystemDesign } from '../../../../lib/design/system';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { type Answers, lockOf, type Plan, planFor } from '../../../../lib/evolve';
import { signed } from '../../../../lib/evolve/canonical';
import type { SystemCases } from '../../../../lib/proof';
import { type PhaseProof, provePlan } from '../../../../lib/proof/shadow/prove-plan';

/** A change to a deployed design, and the cases that prove its plan. */
export interface Given {
  readonly deployed: SystemDesign;
  readonly design: SystemDesign;
  readonly before?: SystemCases;
  readonly cases?: SystemCases;
  readonly answers?: Answers;
  /** Whether the proof knows the old design only from its lock. */
  readonly isRebuilt?: boolean;
  /** Changes the plan before the proof. @default - the plan is proved unchanged */
  edit?(plan: Omit<Plan, 'hash'>): Omit<Plan, 'hash'>;
}

/** Plans a change to a deployed design, and proves the plan phase by phase. */
export async function proofsOf(
  database: Database,
  { deployed, design, before, cases, answers, isRebuilt, edit = (plan) => plan }: Given,
) {
  const lock = lockOf(deployed, { environment: 'prod' });
  const { hash: _, ...made } = planFor(lock, design, answers);
  const plan: Plan = signed(edit(made));
  const proofs: PhaseProof[] = [];
  const input = {
    plan,
    lock,
    design,
    templates: stepTemplates(design, plan),
    ...(isRebuilt ? {} : { deployed }),
    ...(before && { before }),
    ...(cases && { cases }),
  };
  for await (const proof of provePlan(database, input)) proofs.push(proof);
  return { plan, proofs, last: proofs.at(-1) };
}

export const failuresIn = (proofs: readonly PhaseProof[]) =>
  proofs.flatMap(({ step, failure, unproved }) =>
    failure === undefined && unproved === undefined ? [] : [{ step, failure, unproved }],
  );
