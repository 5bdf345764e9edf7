import { stepTemplates } from '../../../../bin/commands/step-templates';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { through } from '../../../../lib/dynamodb/engine/stored';
import type { Send } from '../../../../lib/dynamodb/sending';
import type { Phase, Plan } from '../../../../lib/evolve';
import { signed } from '../../../../lib/evolve/canonical';
import type { Item } from '../../../../lib/items/item';
import {
  type PhaseProof,
  type PlanProofInput,
  provePlan,
  type Templates,
} from '../../../../lib/proof/shadow/prove-plan';

/** A mutation of the plan itself, or of the code that carries it out. */
export interface PlanMutant {
  readonly name: string;
  prove(database: Database): AsyncIterable<PhaseProof>;
}

/** Returns mutants of a plan. Each leaves out one phase, or swaps two adjacent phases. */
export function mutantsOfPhases(input: PlanProofInput): readonly PlanMutant[] {
  const { phases } = input.plan;
  return [
    ...phases.map(({ step }) =>
      ofPlan(
        `${step} is left out`,
        input,
        phases.filter((phase) => phase.step !== step),
      ),
    ),
    ...phases.slice(1).map((phase, i) => {
      const before = phases[i] as Phase;
      const rest = phases.slice(i + 2);
      return ofPlan(`${before.step} and ${phase.step} are swapped`, input, [
        ...phases.slice(0, i),
        phase,
        before,
        ...rest,
      ]);
    }),
  ];
}

/** Returns mutants that carry out the plan incorrectly. */
export function mutantsOfWork(input: PlanProofInput): readonly PlanMutant[] {
  const { plan } = input;
  const keys = plan.items.flatMap(({ keys: changed, to }) =>
    to === undefined ? [] : Object.entries(changed).filter(([, { after }]) => after !== undefined),
  );
  const [key] = keys.map(([name]) => name).filter((name) => name.startsWith('GSI'));
  const isFilled = plan.phases.some(({ items }) => items === 'fill');
  return [
    ...(key === undefined ? [] : [ofWriting(`a writer skips ${key}`, input, (send) => skipping(send, key))]),
    ...(isFilled
      ? [
          ofReading('the backfill stops early', input, { backfill: 2 }),
          ofReading('the verification reads no items', input, { verify: 0 }),
          ofReading('the backfill stops early, and the verification reads no items', input, {
            backfill: 2,
            verify: 0,
          }),
        ]
      : []),
  ];
}

function ofPlan(name: string, input: PlanProofInput, phases: readonly Phase[]): PlanMutant {
  const { hash: _, ...rest } = input.plan;
  const plan: Plan = signed({ ...rest, phases });
  return {
    name,
    prove: (database) => provePlan(database, { ...input, plan, templates: stepTemplates(input.design, plan) }),
  };
}

function ofWriting(name: string, input: PlanProofInput, mutate: (send: Send) => Send): PlanMutant {
  return { name, prove: (database) => provePlan(through(database, mutate(database.send)), input) };
}

/** Leaves a key out of every item that a release puts. */
function skipping(send: Send, key: string): Send {
  const without = (item: Item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== key));
  return (command, input) => send(command, command === 'Put' ? { ...input, Item: without(input.Item as Item) } : input);
}

/**
 * `seen` maps a step to a number n. In that step, every scan of a table returns only the first n items that the first
 * scan found.
 */
function ofReading(name: string, input: PlanProofInput, seen: Readonly<Record<string, number>>): PlanMutant {
  return {
    name,
    prove(database) {
      let now = '';
      const shown = new Map<string, Set<string>>();
      const templates: Templates = {
        ...input.templates,
        at(step, ...rest) {
          now = step;
          return input.templates.at(step, ...rest);
        },
      };
      const sendExact: Send = async (command, given) => {
        const output = await database.sendExact(command, given);
        const most = seen[now];
        if (command !== 'Scan' || most === undefined) return output;
        const { LastEvaluatedKey: _, Items = [], ...rest } = output as { LastEvaluatedKey?: Item; Items?: Item[] };
        const place = `${now} ${given.TableName}`;
        const first = shown.get(place) ?? new Set(Items.slice(0, most).map(keyIn));
        shown.set(place, first);
        return { ...rest, Items: Items.filter((item) => first.has(keyIn(item))) };
      };
      return provePlan({ ...database, sendExact }, { ...input, templates });
    },
  };
}

/** Returns the primary key of an item, or the whole item if it has no PK. */
function keyIn(item: Item): string {
  return JSON.stringify([item.PK ?? item, item.SK]);
}

/** Returns the last proof, which contains the failure if there is one. */
export async function endOf(proofs: AsyncIterable<PhaseProof>): Promise<PhaseProof | undefined> {
  let last: PhaseProof | undefined;
  for await (const proof of proofs) last = proof;
  return last;
}
