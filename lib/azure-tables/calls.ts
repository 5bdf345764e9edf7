import type { Entity } from './edm';

/** One call of `@azure/data-tables`' TableClient as plain data: the method, and its arguments as they are. */
export type AzureCall = GetCall | ListCall | CreateCall | UpdateCall | UpsertCall | DeleteCall | BatchCall;

export interface GetCall {
  readonly method: 'getEntity';
  readonly args: readonly [partitionKey: string, rowKey: string, options: typeof AS_STORED];
}

export interface ListCall {
  readonly method: 'listEntities';
  readonly args: readonly [{ readonly queryOptions: QueryOptions } & typeof AS_STORED];
  /** What `byPage` is given. */
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

/** Only an ETag in this place is heeded: one in the entity is not, and undefined here would overwrite anything. */
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

/** Values as the service stores them: the SDK's own conversion loses digits of times, and the type of others. */
export const AS_STORED = { disableTypeConversion: true } as const;

/** A page of entities. */
export function listCall(queryOptions: QueryOptions, page: ListCall['page'] = {}): ListCall {
  return { method: 'listEntities', args: [{ queryOptions, ...AS_STORED }], page };
}

/** The ETag that any entity has, as long as it is there. */
export const ANY = '*';

/** What a call comes to. */
export interface AzureOutput {
  /** Of a get, if it is there. */
  readonly entity?: Readonly<Record<string, unknown>>;
  /** Of a page. */
  readonly entities?: readonly Readonly<Record<string, unknown>>[];
  readonly continuationToken?: string;
  /** Of what was written. */
  readonly etag?: string;
}

/** The call of each operation of a pattern. */
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
