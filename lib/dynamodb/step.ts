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
   * A token of 1 to 36 characters, such as an order number, that makes retries of a transaction idempotent for ten
   * minutes. DynamoDB refuses a token that was already used with different values.
   * @default - a random token, so that the transaction takes effect only once even if the SDK retries it
   */
  readonly token?: string | undefined;
}

/** The writes of one pattern, which `transact` sends together with the writes of other patterns. */
export interface WriteStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly writes: readonly PreparedWrite[];
}

/** One read, which `transactGet` sends together with other reads. */
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

/** Returns a pattern's step for a transaction, built from the given values. */
export function stepOf(
  { name: pattern, request, prepare, sender, policy }: Stepped,
  values: object = {},
): WriteStep | ReadStep<unknown> {
  if (request.command !== 'Get') return { pattern, sender, writes: prepare(values) };
  // Removes `ConsistentRead`, because a transaction always reads consistently and has no such field.
  const { ConsistentRead: _, ...input } = request(values);
  return { pattern, sender, input, read: (output, seen) => request.read(output, policy(seen)) };
}

/** The keys that a pattern across tables reads from one table. */
export interface KeysStep {
  readonly pattern: string;
  readonly sender: Sender;
  readonly keys: readonly NamedKey[];
  /** Converts a stored item to the result of the pattern; throws if the item does not fit the design. */
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
