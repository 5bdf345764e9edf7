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
   * What makes a transaction that is sent again within ten minutes count once: 1 to 36 characters, such as the number of an
   * order. With other values it is refused.
   * @default - a random one, so that what the SDK sends again counts once
   */
  readonly token?: string | undefined;
}

/** The writes of one pattern, to be sent together with others by `transact`. */
export interface WriteStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly writes: readonly PlannedWrite[];
}

/** One read, to be sent together with others by `transactGet`. */
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

/** A pattern with its values, not sent. */
export function stepOf(
  { name: pattern, request, plan, sender, policy }: Stepped,
  values: object = {},
): WriteStep | ReadStep<unknown> {
  if (request.command !== 'Get') return { pattern, sender, writes: plan(values) };
  // All that is read together is consistent anyway, and is not told so.
  const { ConsistentRead: _, ...input } = request(values);
  return { pattern, sender, input, read: (output, seen) => request.read(output, policy(seen)) };
}

export function tokenOf(name: string, { token }: TransactionOptions): { ClientRequestToken: string } {
  const most = DYNAMODB_REQUEST.tokenLength;
  if (token !== undefined && (typeof token !== 'string' || token.length < 1 || token.length > most))
    throw new ItemError(`${name}: token must be a string of 1 to ${most} characters, got: ${JSON.stringify(token)}`);
  return { ClientRequestToken: token ?? crypto.randomUUID() };
}
