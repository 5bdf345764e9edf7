import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { defineMigration, lockOf, planFor } from '../../../../lib/evolve';
import type { SystemCases } from '../../../../lib/proof';
import type { PlanProofInput } from '../../../../lib/proof/shadow/prove-plan';
import { booked } from '../../../fixtures/book-of-changes';
import type { BookedChange } from '../../../fixtures/booked/designs';
import { itemsOf, upsOf } from '../../../fixtures/booked/items';
import { ofStored, withStoredNames } from '../../../fixtures/booked/stored';
import { proofsOf } from './prove-plan';

export const planned = booked.filter(({ phases }) => phases !== undefined);

/** Returns the proof input for a booked change. */
export function inputOf(change: BookedChange): PlanProofInput {
  const { name, before, after, answers, items = itemsOf(before), ups = upsOf(name) } = change;
  const lock = lockOf(before, { environment: 'prod' });
  const plan = planFor(lock, after, answers);
  return {
    plan,
    lock,
    design: after,
    deployed: before,
    before: items as SystemCases,
    templates: stepTemplates(after, plan),
    ...(ups && { migration: defineMigration(lock, after, ups, answers) }),
  };
}

/** Copies of the planned changes whose designs store every attribute under a shorter name. */
export const plannedStored = planned
  .filter((change) => !ofStored.includes(change))
  .map((change) => {
    const { name, before, items = itemsOf(before), ups = upsOf(name) } = change;
    return withStoredNames({ ...change, items, ...(ups && { ups }) });
  });

/** Proves the plans of booked changes. @param isMeant selects the changes */
export function describeBooked(engine: () => Database, isMeant: (change: BookedChange) => boolean = () => true): void {
  const changes = [...planned, ...plannedStored].filter(isMeant);

  test.each(changes)('$name: no phase loses, hides or breaks anything', async (change) => {
    const input = inputOf(change);
    const proofs = await proofsOf(engine(), input);
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    const unproved = proofs.flatMap(({ unproved = {} }) => Object.keys(unproved));
    expect([...new Set(unproved)]).toEqual(change.unproved ?? []);
    expect(proofs.map(({ step }) => step)).toEqual(input.plan.phases.map(({ step }) => step));
    expect(input.plan.phases.map(({ kind }) => kind)).toEqual(change.phases);
  });
}
