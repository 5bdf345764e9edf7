import type { AzureCall } from './calls';

/** Thrown when an entity with this key already exists (409). */
export class EntityExists extends Error {
  public override readonly name = 'EntityExists';
}

/** Thrown when the entity has changed since it was read (412). */
export class EntityChanged extends Error {
  public override readonly name = 'EntityChanged';
}

/** Thrown when the entity to change does not exist (404). */
export class EntityMissing extends Error {
  public override readonly name = 'EntityMissing';
}

/** Thrown when the account does not have the table (404). */
export class TableMissing extends Error {
  public override readonly name = 'TableMissing';
}

/** The fields of an SDK error that this library reads; `code` may be missing even if `statusCode` is present. */
interface ServiceError {
  readonly statusCode?: number;
  readonly code?: string;
  readonly details?: { readonly errorCode?: string; readonly odataError?: { readonly code?: string } };
}

/** The service's code for an error, such as `EntityAlreadyExists`. */
export function codeOf(error: unknown): string | undefined {
  const { code, details } = (error ?? {}) as ServiceError;
  return details?.odataError?.code ?? details?.errorCode ?? code;
}

/** Whether the error means that the entity, not its table, is missing. */
export function isMissing(error: unknown): boolean {
  return (error as ServiceError | undefined)?.statusCode === 404 && codeOf(error) !== 'TableNotFound';
}

/** Turns a service error into an error that names the table and the pattern; returns any other error unchanged. */
export function translated(table: string, pattern: string, call: AzureCall, error: unknown): unknown {
  const place = `${table}: ${pattern}: ${placeOf(call)}`;
  const { statusCode } = (error ?? {}) as ServiceError;
  const options = { cause: error };
  if (statusCode === 409 && (codeOf(error) ?? 'EntityAlreadyExists') === 'EntityAlreadyExists') {
    return new EntityExists(`${place} already exists; nothing was written`, options);
  }
  if (statusCode === 412) {
    return new EntityChanged(`${place} has changed since it was read, so nothing was written; read it again`, options);
  }
  if (isMissing(error)) return new EntityMissing(`${place} does not exist; nothing was written`, options);
  if (statusCode === 404) {
    const advice = 'use the deployed account and table name, or deploy the table';
    return new TableMissing(`${table}: ${pattern}: the account has no such table; ${advice}`, options);
  }
  return error;
}

function placeOf({ method, args }: AzureCall): string {
  switch (method) {
    case 'getEntity':
    case 'deleteEntity':
      return `(${args[0]}, ${args[1]})`;
    case 'listEntities':
      return args[0].queryOptions.filter ?? '';
    case 'submitTransaction':
      return args[0].map(([, entity]) => `(${entity.partitionKey}, ${entity.rowKey})`).join(' or ');
    default:
      return `(${args[0].partitionKey}, ${args[0].rowKey})`;
  }
}
