import { DYNAMODB_REQUEST } from '../blueprint/clouds';
import { type Item, ItemError } from '../items/item';
import type { Seen } from '../items/observe';
import type { UnknownPolicy } from '../items/result';
import type { ReadOptions } from './read';
import type { CommandName } from './requests';
import type { Sender } from './sending';
import type { Plan, PlannedWrite } from './write';

export interface TransactionOptions {
  /**
   * Makes a transaction that is sent again within ten minutes count only once: 1 to 36 characters, such as an order number.
   * DynamoDB refuses the same token with other values.
   * @default - a random one, so that a repetition by the SDK counts only once
   */
  readonly token?: string | undefined;
}

/** The writes of one pattern, for `transact` to send together with others. */
export interface WriteStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly writes: readonly PlannedWrite[];
}

/** One read, for `transactGet` to send together with others. */
export interface ReadStep<Result> {
  readonly pattern: string;
  readonly sender: Sender;
  readonly input: Item;
  read(output: Item, seen: Seen): Result;
}

interface StepRequest {
  (values: object, options?: ReadOptions): Item;
  readonly command: CommandName;
  read(output: Item, onUnknown?: UnknownPolicy): unknown;
}

/** One pattern of a client. */
interface Stepped {
  readonly name: string;
  readonly request: StepRequest;
  readonly plan: Plan;
  readonly sender: Sender;
  readonly policy: (seen: Seen) => UnknownPolicy;
}

/** A pattern with its values, ready to be sent. */
export function stepOf(
  { name: pattern, request, plan, sender, policy }: Stepped,
  values: object = {},
): WriteStep | ReadStep<unknown> {
  if (request.command !== 'Get') return { pattern, sender, writes: plan(values) };
  // A transaction always reads consistently, and has no such field.
  const { ConsistentRead: _, ...input } = request(values);
  return { pattern, sender, input, read: (output, seen) => request.read(output, policy(seen)) };
}

export function tokenOf(name: string, { token }: TransactionOptions): { ClientRequestToken: string } {
  const most = DYNAMODB_REQUEST.tokenLength;
  if (token !== undefined && (typeof token !== 'string' || token.length < 1 || token.length > most))
    throw new ItemError(`${name}: token must be a string of 1 to ${most} characters, got: ${JSON.stringify(token)}`);
  return { ClientRequestToken: token ?? crypto.randomUUID() };
}
