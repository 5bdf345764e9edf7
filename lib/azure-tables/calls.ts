import type { Entity } from './edm';

/** One call to `@azure/data-tables`' TableClient as plain data: the method and its arguments. */
export type AzureCall = GetCall | ListCall | CreateCall | UpdateCall | UpsertCall | DeleteCall | BatchCall;

export interface GetCall {
  readonly method: 'getEntity';
  readonly args: readonly [partitionKey: string, rowKey: string, options: typeof AS_STORED];
}

export interface ListCall {
  readonly method: 'listEntities';
  readonly args: readonly [{ readonly queryOptions: QueryOptions } & typeof AS_STORED];
  /** The settings for the SDK's `byPage`. */
  readonly page: { readonly maxPageSize?: number; readonly continuationToken?: string };
}

export interface QueryOptions {
  /** @default - everything */
  readonly filter?: string;
  /** @default - all properties */
  readonly select?: string[];
}

export interface CreateCall {
  readonly method: 'createEntity';
  readonly args: readonly [entity: Entity];
}

export type UpdateMode = 'Merge' | 'Replace';

/**
 * The SDK reads the ETag only from these options: it ignores an ETag in the entity, and treats undefined as "overwrite
 * any version".
 */
export interface EtagOptions {
  readonly etag: string;
}

export interface UpdateCall {
  readonly method: 'updateEntity';
  readonly args: readonly [entity: Entity, mode: UpdateMode, options: EtagOptions];
}

export interface UpsertCall {
  readonly method: 'upsertEntity';
  readonly args: readonly [entity: Entity, mode: UpdateMode];
}

export interface DeleteCall {
  readonly method: 'deleteEntity';
  readonly args: readonly [partitionKey: string, rowKey: string, options: EtagOptions];
}

export interface BatchCall {
  readonly method: 'submitTransaction';
  readonly args: readonly [actions: BatchAction[]];
}

export type BatchAction =
  | ['create', Entity]
  | ['update', Entity, UpdateMode, EtagOptions]
  | ['upsert', Entity, UpdateMode]
  | ['delete', Entity];

/**
 * Makes the SDK return stored values unconverted. The SDK's conversion would drop digits from times, and types from
 * other values.
 */
export const AS_STORED = { disableTypeConversion: true } as const;

/** Returns the call that reads a page of entities. */
export function listCall(queryOptions: QueryOptions, page: ListCall['page'] = {}): ListCall {
  return { method: 'listEntities', args: [{ queryOptions, ...AS_STORED }], page };
}

/** The ETag that matches any existing entity. */
export const ANY = '*';

/** The result of a call. */
export interface AzureOutput {
  /** The entity that a get found, if any. */
  readonly entity?: Readonly<Record<string, unknown>>;
  /** The entities of a page. */
  readonly entities?: readonly Readonly<Record<string, unknown>>[];
  readonly continuationToken?: string;
  /** The ETag of the written entity. */
  readonly etag?: string;
  /** The ETags of the entities that a batch wrote, in order. */
  readonly etags?: readonly string[];
}

/** The type of SDK call for each pattern operation. */
export interface AzureCalls {
  readonly get: GetCall;
  readonly query: ListCall;
  readonly scan: ListCall;
  readonly batchGet: never;
  readonly batchWrite: never;
  readonly put: CreateCall | UpdateCall | UpsertCall;
  readonly update: UpdateCall | UpsertCall;
  readonly delete: DeleteCall;
  readonly transaction: BatchCall;
}
