import { invalid, Refusal } from '../refusal';
import type { Body } from '../values';
import { constraint } from './options';

const MOST_ENTRIES = 100;

const ACTIONS = ['ConditionCheck', 'Put', 'Update', 'Delete'] as const;

export interface Entry {
  readonly action: (typeof ACTIONS)[number];
  readonly input: Body;
}

/** Returns the writes of a transaction, each with its action. */
export function entriesOf(input: Body): readonly Entry[] {
  const items = (input.TransactItems ?? []) as readonly Body[];
  if (items.length === 0 || items.length > MOST_ENTRIES)
    throw constraint(
      items.length === 0 ? '[]' : String(items.length),
      'transactItems',
      items.length === 0
        ? 'Member must have length greater than or equal to 1'
        : `Member must have length less than or equal to ${MOST_ENTRIES}`,
    );
  return items.map((item) => {
    const actions = ACTIONS.filter((action) => item[action] !== undefined && item[action] !== null);
    if (actions.length !== 1)
      throw invalid(`TransactItems can only contain one of ${ACTIONS.slice(0, 3).join(', ')} or ${ACTIONS[3]}`);
    const action = actions[0] as Entry['action'];
    return { action, input: item[action] as Body };
  });
}

/** Returns the cancellation reason of one write. Its code is `None` if the write has no problem. */
export function reasonFor(problem: Refusal | undefined): Body {
  return problem === undefined ? { Code: 'None' } : { Code: 'ValidationError', Message: problem.message };
}

export function cancellation(reasons: readonly Body[]): Refusal {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new Refusal(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}
