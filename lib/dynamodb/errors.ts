import { type EntityOutline, entityNamed } from '../blueprint/outline';
import { failedTests } from '../items/failed-tests';
import type { Item } from '../items/item';
import { plainItem, type Stored } from './attribute-values';
import { isStored } from './resent';
import { keyOfWrite, type PreparedWrite } from './write';

/**
 * Why DynamoDB refused a request:
 * - `missing`, `exists`: the item does not exist, or already exists.
 * - `condition`: the pattern's condition does not hold.
 * - `stale`: the item has changed since the caller read it; the caller should read the item and decide again.
 * - `conflict`: another transaction is writing the same item.
 * - `throttled`: there were too many requests.
 * - `token`: an earlier transaction used the token with different values.
 * - `too-large`: an item, a transaction, or one partition of a table with a local index is too large.
 * - `no-table`: the table or index does not exist in this account and region.
 * - `denied`: the caller lacks permission.
 */
export type FailureKind =
  | 'missing'
  | 'exists'
  | 'condition'
  | 'stale'
  | 'conflict'
  | 'throttled'
  | 'token'
  | 'too-large'
  | 'no-table'
  | 'denied';

/** One write that failed. */
export interface FailedWrite {
  /** The name of the pattern and, in a transaction, of the step: `placeOrder.stock[2]`. */
  readonly name: string;
  readonly kind: FailureKind;
  readonly entity: string;
  readonly key: Item;
  /** The paths in the condition whose tests failed. */
  readonly tests: readonly string[];
  /** The stored item, if DynamoDB returned it. */
  readonly item?: Item;
  /** Whether the existing item equals the item that the put would have written. */
  readonly isEqual: boolean;
  /**
   * The name of the unique value that another item has already claimed.
   * @default - the write failed for another reason
   */
  readonly unique?: string;
}

/**
 * Thrown when DynamoDB refuses a request for a reason that a program can act on; `name` is the name of the SDK's error.
 */
export class RequestError extends Error {
  public readonly kind: FailureKind;
  /** The failed write, or the steps that made a transaction fail; empty if no item caused the failure. */
  public readonly writes: readonly FailedWrite[];

  public constructor(
    name: string,
    kind: FailureKind,
    message: string,
    writes: readonly FailedWrite[],
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = name;
    this.kind = kind;
    this.writes = writes;
  }
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  ConditionalCheckFailedException: 'condition',
  ConditionalCheckFailed: 'condition',
  TransactionConflictException: 'conflict',
  TransactionConflict: 'conflict',
  TransactionInProgressException: 'conflict',
  ProvisionedThroughputExceededException: 'throttled',
  ProvisionedThroughputExceeded: 'throttled',
  RequestLimitExceeded: 'throttled',
  ThrottlingException: 'throttled',
  ThrottlingError: 'throttled',
  IdempotentParameterMismatchException: 'token',
  ItemCollectionSizeLimitExceededException: 'too-large',
  ItemCollectionSizeLimitExceeded: 'too-large',
  ResourceNotFoundException: 'no-table',
  AccessDeniedException: 'denied',
};

interface SdkError extends Error {
  readonly Item?: Readonly<Record<string, Stored>>;
  readonly CancellationReasons?: readonly Reason[];
}

interface Reason {
  readonly Code?: string;
  readonly Item?: Readonly<Record<string, Stored>>;
}

/** Turns an error of the SDK into a `RequestError` in the design's terms; returns any other error unchanged. */
export function explained(
  tableName: string,
  pattern: string,
  writes: readonly PreparedWrite[],
  error: unknown,
): unknown {
  const { name = '', Item, CancellationReasons: reasons } = (error ?? {}) as SdkError;
  if (error instanceof RequestError) return error;
  if (name === 'TransactionCanceledException' && reasons !== undefined)
    return cancelled(tableName, pattern, writes, error, reasons);
  const kind = KINDS[name];
  if (kind === undefined) return error;
  const [write] = writes;
  const failed = write !== undefined && kind === 'condition' ? [failureOf(write, kind, Item)] : [];
  return new RequestError(
    name,
    failed[0]?.kind ?? kind,
    `${tableName}: ${failed.length === 0 ? `${pattern}: ${SAID[kind]}` : failed.map(say).join('; ')}`,
    failed,
    error,
  );
}

/** Reports only the steps that made the transaction fail. */
function cancelled(
  tableName: string,
  pattern: string,
  writes: readonly PreparedWrite[],
  error: unknown,
  reasons: readonly Reason[],
): unknown {
  const failed = writes.flatMap((write, i) => {
    const { Code = 'None', Item } = reasons[i] ?? {};
    const kind = KINDS[Code];
    return kind === undefined ? [] : [failureOf(write, kind, Item)];
  });
  const [first] = failed;
  if (first === undefined) return error;
  // Failures that depend on the values take precedence over failures that a retry can resolve.
  const main = failed.find(({ kind }) => kind !== 'conflict' && kind !== 'throttled') ?? first;
  const tables = new Set([tableName, ...writes.map(({ input }) => input.TableName)]);
  const message = `${[...tables].join(', ')}: ${pattern}: nothing was written; ${failed.map(say).join('; ')}`;
  return Object.assign(new RequestError('TransactionCanceledException', main.kind, message, failed, error), {
    CancellationReasons: reasons,
  });
}

function failureOf(write: PreparedWrite, kind: FailureKind, stored: Reason['Item']): FailedWrite {
  const { step, table, input, values, name, unique } = write;
  // The error does not reveal which item has the value, because callers could otherwise find out who has an account.
  if (unique !== undefined) {
    const about = { name, entity: unique.entity, key: keyOfWrite(write), tests: [], isEqual: false };
    return { ...about, kind: kind === 'condition' ? 'exists' : kind, unique: unique.name };
  }
  const item = stored && plainItem(stored);
  const entity = entityNamed(table, step.entity) as EntityOutline;
  const about = { name, entity: step.entity, key: keyOfWrite(write), ...(item && { item }) };
  if (kind !== 'condition') return { ...about, kind, tests: [], isEqual: false };
  if (item === undefined)
    return { ...about, kind: step.op === 'put' ? 'condition' : 'missing', tests: [], isEqual: false };
  if (step.op === 'put' && !step.replace) {
    return {
      ...about,
      kind: 'exists',
      tests: [],
      isEqual: isStored(input.Item, stored as Readonly<Record<string, Stored>>),
    };
  }
  const tests = failedTests(step.condition ?? {}, [entity], item, values);
  const isStale = tests.includes(entity.design.version ?? '');
  return { ...about, kind: isStale ? 'stale' : kind, tests, isEqual: false };
}

const SAID: Readonly<Record<FailureKind, string>> = {
  missing: 'does not exist',
  exists: 'already exists',
  condition: 'does not meet the condition',
  stale: 'has changed since it was read; read it again',
  conflict: 'another transaction is writing the same item; try again',
  throttled: 'there were too many requests; try again later',
  token: 'the token was already used with other values; pass a new token',
  'too-large': 'one partition exceeds the 10 GB that a local index allows',
  'no-table':
    'this account and region have no such table or index; pass the deployed name and environment, or deploy the table',
  denied: 'access denied; grant the caller this pattern: table.grantPattern(fn, pattern)',
};

function say(failed: FailedWrite): string {
  const { name, kind, entity, key, tests, isEqual, unique } = failed;
  const shown = Object.entries(key).map(([attribute, value]) => `${attribute} ${shownValue(value)}`);
  const what = `${name}: ${entity} ${shown.join(', ')}`;
  if (kind === 'exists' && unique !== undefined) return `${name}: another ${entity} has the same ${unique}`;
  if (kind === 'condition' && tests.length > 0) return `${what} does not meet the condition on ${tests.join(', ')}`;
  if (kind === 'exists' && isEqual) return `${what} already exists with exactly the same values`;
  return `${what} ${kind === 'conflict' || kind === 'throttled' ? `was refused: ${SAID[kind]}` : SAID[kind]}`;
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
