import { DYNAMODB_REQUEST } from '../blueprint/clouds';
import type { PatternBlueprint, TableOutline } from '../blueprint/outline';
import type { BatchGetPattern, TransactGetPattern } from '../design/pattern';
import { type Item, ItemError } from '../items/item';
import type { Seen } from '../items/observe';
import type { Page, UnknownPolicy } from '../items/result';
import { type NamedKey, namedKeys, type ReadOptions } from './read';
import type { CommandName } from './requests';
import type { Sender } from './sending';
import type { Prepare, PreparedWrite } from './write';

export interface TransactionOptions {
  /**
   * Makes retries of a transaction idempotent for ten minutes: 1 to 36 characters, such as an order number. DynamoDB
   * refuses the same token with different values.
   * @default - a random token, so that a retry by the SDK counts only once
   */
  readonly token?: string | undefined;
}

/** The writes of one pattern, for `transact` to send together with others. */
export interface WriteStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly writes: readonly PreparedWrite[];
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
  readonly prepare: Prepare;
  readonly sender: Sender;
  readonly policy: (seen: Seen) => UnknownPolicy;
}

/** A pattern with its values, ready to be sent. */
export function stepOf(
  { name: pattern, request, prepare, sender, policy }: Stepped,
  values: object = {},
): WriteStep | ReadStep<unknown> {
  if (request.command !== 'Get') return { pattern, sender, writes: prepare(values) };
  // A transaction always reads consistently, so its input has no such field.
  const { ConsistentRead: _, ...input } = request(values);
  return { pattern, sender, input, read: (output, seen) => request.read(output, policy(seen)) };
}

/** The keys that a pattern reads in one table, to send together with the keys of other tables. */
export interface KeysStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly keys: readonly NamedKey[];
  /** An item as the pattern reads it; throws if the design does not know it. */
  read(item: Item): Item;
}

export function keysStep(
  { name, pattern, request, sender }: Stepped & { readonly pattern: PatternBlueprint },
  table: TableOutline,
): (values: object) => KeysStep {
  const design = pattern.design as BatchGetPattern | TransactGetPattern;
  const keys = namedKeys(table, name, design);
  const outputOf = (item: Item) =>
    design.op === 'batchGet' ? { Responses: { [sender.tableName]: [item] } } : { Responses: [{ Item: item }] };
  return (values) => ({
    ...{ pattern: name, sender, keys: keys(values) },
    read: (item) => (request.read(outputOf(item), 'throw') as Page<Item>).items[0] as Item,
  });
}

export function tokenOf(name: string, { token }: TransactionOptions): { ClientRequestToken: string } {
  const most = DYNAMODB_REQUEST.tokenLength;
  if (token !== undefined && (typeof token !== 'string' || token.length < 1 || token.length > most))
    throw new ItemError(`${name}: token must be a string of 1 to ${most} characters, got: ${JSON.stringify(token)}`);
  return { ClientRequestToken: token ?? crypto.randomUUID() };
}
