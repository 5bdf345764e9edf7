import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { AzureEngine } from '../../../../lib/azure-tables/engine/azure-tables';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import { type Phase, type Plan, planFor } from '../../../../lib/evolve';
import { signed } from '../../../../lib/evolve/canonical';
import { type PhaseProof, type PlanProofInput, provePlan } from '../../../../lib/proof/shadow/prove-plan';
import {
  type AzureChange,
  azureChangeNamed,
  azureChanges,
  deployedNotesCases,
  diaryLock,
  languageOf,
} from '../../../fixtures/azure-changes';

let engine: AzureEngine;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());

function inputOf({ after, answers, cases, migration }: AzureChange): PlanProofInput {
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

async function proved(input: PlanProofInput): Promise<readonly PhaseProof[]> {
  const proofs: PhaseProof[] = [];
  for await (const proof of provePlan(engine, input)) proofs.push(proof);
  expect(await engine.tables()).toEqual([]);
  return proofs;
}

test.each(azureChanges)('$name: nothing is lost, hidden or broken in any phase', async (change) => {
  const input = inputOf(change);
  const proofs = await proved(input);
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.map(({ step }) => step)).toEqual(input.plan.phases.map(({ step }) => step));
  for (const { reads, writes, cases } of proofs) {
    expect(reads).toBeGreaterThan(5);
    expect(writes).toBeGreaterThan(1);
    expect(cases).toBeGreaterThan(3);
  }
});

describe('a plan that would lose, hide or break something fails, with the phase and the item', () => {
  const withPhases = (plan: Plan, change: (phases: readonly Phase[]) => readonly Phase[]): Plan => {
    const { hash: _, ...rest } = plan;
    return signed({ ...rest, phases: change(plan.phases) });
  };
  const without = (isGone: (phase: Phase) => boolean) => (phases: readonly Phase[]) =>
    phases.filter((phase) => !isGone(phase));

  test.each<[string, string, (phases: readonly Phase[]) => readonly Phase[], string, RegExp]>([
    [
      'items are not moved',
      'a primary key',
      without(({ items }) => items !== undefined),
      'switch',
      /of the release of switch fails: EntityMissing: .*BOOK_ana/,
    ],
    [
      'the old table goes before its items are copied',
      'a renamed table',
      without(({ items }) => items !== undefined),
      'switch',
      /Note .*(does not return it|does not exist)/,
    ],
    [
      'old writers are not waited for',
      'a renamed attribute',
      without(({ kind }) => kind === 'drain'),
      'verify',
      /^an item of Notes \(PartitionKey "OWNER_ana", RowKey "NOTE_.*: Note: body is not as derived$/,
    ],
    [
      'the release writes the new form alone while the old one runs',
      'a renamed entity',
      (phases) =>
        phases.map((phase) =>
          phase.step === 'expand-1' ? { ...phase, code: { reads: 'new', writes: 'new' } } : phase,
        ),
      'expand-1',
      /\(the old release\)$/,
    ],
    [
      'what is removed stays',
      'a removed entity',
      without(({ items }) => items === 'clean'),
      'the end',
      /^an item of Notes \(PartitionKey .*: Reminder: it is still there$/,
    ],
  ])('%s', async (_, name, mutate, phase, failure) => {
    const input = inputOf(azureChangeNamed(name));
    const plan = withPhases(input.plan, mutate);
    const last = (await proved({ ...input, plan, templates: stepTemplates(input.design, plan) })).at(-1);
    expect(last).toMatchObject({ step: phase, failure: expect.stringMatching(failure) });
  });

  test.each<[string, (note: object) => object, RegExp]>([
    ['up tells another value than the cases', (note) => ({ ...note, language: 'pt' }), /^Note 'first' has become/],
    ['up returns what the schema refuses', (note) => ({ ...note, language: 1 }), /^Note 'first': Note: language/],
    [
      'up throws',
      () => {
        throw new Error('no idea');
      },
      /^Note 'first': up of Note failed: no idea/,
    ],
  ])('%s', async (_, up, failure) => {
    const input = inputOf(azureChangeNamed('a required attribute'));
    const last = (await proved({ ...input, migration: languageOf(up) })).at(-1);
    expect(last).toMatchObject({ step: 'expand-1', failure: expect.stringMatching(failure) });
  });
});
