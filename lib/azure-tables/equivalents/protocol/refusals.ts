import type { Item } from '../../../items/item';
import { codeOf, isMissing } from '../../errors';

/** An error shaped like DynamoDB's, so that clients and procedures need no special handling for Azure. */
function failure(name: string, message: string, fields: object = {}): Error {
  return Object.assign(new Error(message), { name, ...fields });
}

export function conditionFailed(item: Item | undefined): Error {
  const fields = item === undefined ? {} : { Item: marshalled(item) };
  return failure('ConditionalCheckFailedException', 'The conditional request failed', fields);
}

export function conflict(): Error {
  const message = 'another transaction is writing the same item';
  return failure('TransactionConflictException', message);
}

/** The reason why one write of a transaction was refused. */
export interface Reason {
  readonly Code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict';
  readonly Item?: Item;
}

export function cancelled(reasons: readonly Reason[]): Error {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const CancellationReasons = reasons.map(({ Code, Item: item }) =>
    item ? { Code, Item: marshalled(item) } : { Code },
  );
  return failure('TransactionCanceledException', `the transaction was cancelled [${codes}]`, { CancellationReasons });
}

export function otherValues(): Error {
  return failure('IdempotentParameterMismatchException', 'the token was already used with different values');
}

export function invalid(message: string): Error {
  return failure('ValidationException', message);
}

/** Turns an Azure error into the equivalent DynamoDB error; returns any other error unchanged. */
export function inDynamoDbNames(error: unknown): unknown {
  const { statusCode, message = '' } = (error ?? {}) as { readonly statusCode?: number; readonly message?: string };
  const cause = { cause: error };
  if (statusCode === 401 || statusCode === 403) return failure('AccessDeniedException', message, cause);
  if (statusCode === 429 || statusCode === 503) return failure('ThrottlingException', message, cause);
  if (statusCode === 404 && codeOf(error) === 'TableNotFound')
    return failure('ResourceNotFoundException', message, cause);
  return error;
}

/** Whether a write was refused because another client has created, changed or deleted the row since the read. */
export function isOutdated(error: unknown): boolean {
  const { statusCode } = (error ?? {}) as { readonly statusCode?: number };
  return statusCode === 409 || statusCode === 412 || isMissing(error);
}

/** Whether a retry is likely to succeed, because the failure came from a busy service, the network, or a conflict. */
export function isPassing(error: unknown): boolean {
  const { name = '' } = (error ?? {}) as { readonly name?: string };
  return ['RestError', 'AbortError', 'ThrottlingException', 'TransactionConflictException'].includes(name);
}

/** An item in DynamoDB's wire format, as found in DynamoDB's errors. */
function marshalled(item: Item): Record<string, object> {
  const held = Object.entries(item).filter(([, value]) => value !== undefined);
  return Object.fromEntries(held.map(([name, value]) => [name, stored(value)]));
}

function stored(value: unknown): object {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
    case 'bigint':
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    default:
      if (value === null || value === undefined) return { NULL: true };
      if (value instanceof Uint8Array) return { B: value };
      if (value instanceof Set) return storedSet([...value]);
      return Array.isArray(value) ? { L: value.map(stored) } : { M: marshalled(value as Item) };
  }
}

function storedSet(members: readonly unknown[]): object {
  const [first] = members;
  if (typeof first === 'number' || typeof first === 'bigint') return { NS: members.map(String) };
  return first instanceof Uint8Array ? { BS: members } : { SS: members };
}
