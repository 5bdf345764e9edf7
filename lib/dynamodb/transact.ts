import { TRANSACTION_ITEMS } from '../blueprint/clouds';
import { type Item, ItemError } from '../items/item';
import type { Seen } from '../items/observe';
import { shown } from './operations';
import type { Send, Sender } from './sending';
import { refuseTooLarge } from './sizes';
import { type ReadStep, type TransactionOptions, tokenOf, type WriteStep } from './step';
import { refuseTwice, transactInput } from './write';

/** Sends the writes of several patterns, on one or several tables, as one atomic transaction. */
export async function transact(steps: readonly WriteStep[], options: TransactionOptions = {}): Promise<void> {
  const name = nameOf(steps, 'writes');
  const read = steps.find((step) => step.writes === undefined);
  if (read !== undefined) throw new ItemError(`${name}: ${read.pattern} only reads; pass it to transactGet`);
  const { sender, through } = senderOf(name, steps);
  const writes = steps.flatMap((step) => step.writes).map(shown);
  refuseTwice(name, writes);
  refuseTooLarge(name, writes);
  const input = { ...transactInput(name, writes), ...tokenOf(name, options) };
  await sender.sent(name, 'TransactWrite', input, () => undefined, { writes, through, token: options.token });
}

/** Returns the results of several reads as one consistent snapshot. */
export async function transactGet<const Steps extends readonly ReadStep<unknown>[]>(
  steps: Steps,
): Promise<{ readonly [S in keyof Steps]: Steps[S] extends ReadStep<infer Result> ? Result : never }> {
  const name = nameOf(steps, 'reads');
  const write = steps.find((step) => step.input === undefined);
  if (write !== undefined) throw new ItemError(`${name}: ${write.pattern} writes; pass it to transact`);
  const { sender, through } = senderOf(name, steps);
  const most = TRANSACTION_ITEMS;
  if (steps.length > most) throw new ItemError(`${name}: ${steps.length} reads, but at most ${most} are allowed`);
  const input = { TransactItems: steps.map((step) => ({ Get: step.input })) };
  const tables = steps.map((step) => step.sender.table);
  const read = (output: Item, seen: Seen) => {
    const responses = (output.Responses ?? []) as readonly Item[];
    return steps.map((step, i) => step.read(responses[i] ?? {}, seen));
  };
  return sender.sent(name, 'TransactGet', input, read, { through, tables }) as Promise<never>;
}

function nameOf(steps: readonly { readonly pattern: string }[], what: string): string {
  if (!Array.isArray(steps) || steps.length === 0)
    throw new ItemError(`a transaction needs at least one step; pass ${what}, such as [client.pattern.step(values)]`);
  const stray = steps.findIndex((step) => (step as { sender?: unknown } | undefined)?.sender === undefined);
  if (stray !== -1)
    throw new ItemError(`step ${stray + 1} of the transaction is not a step; write client.pattern.step(values)`);
  return [...new Set(steps.map(({ pattern }) => pattern))].join(' + ');
}

/**
 * Finds the client that sends the whole request. All clients must wrap the same `send`; the request goes through each
 * wrapper once.
 */
export function senderOf(
  name: string,
  steps: readonly { readonly sender: Sender }[],
): { readonly sender: Sender; readonly through: Send } {
  const { sender } = steps[0] as { readonly sender: Sender };
  const sends = [...new Set(steps.map((step) => step.sender.send))];
  const last = ({ send }: Sender) => send.over?.send ?? send;
  if (steps.some((step) => last(step.sender) !== last(sender)))
    throw new ItemError(`${name}: the steps belong to clients with different 'send' functions; share one 'send'`);
  return { sender, through: sends.reduce((inner, send) => send.over?.wrap(inner) ?? inner, last(sender)) };
}
