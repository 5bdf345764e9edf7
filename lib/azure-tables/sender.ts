import { ANY, type AzureCall, type AzureOutput } from './calls';
import { isMissing } from './errors';
import { doneBefore, type PipelineLike, watchAttempts } from './resent';

/** Sends one call to a table, either through the SDK's clients (`sender`) or to an engine. */
export type Send = (tableName: string, call: AzureCall) => Promise<AzureOutput>;

/** The part of the SDK's TableClient that this file uses; a separate type keeps this file from loading the SDK. */
export interface TableClientLike {
  getEntity(partitionKey: string, rowKey: string, options?: object): Promise<object>;
  listEntities(options?: object): { byPage(settings?: object): AsyncIterableIterator<object[]> };
  createEntity(entity: never): Promise<{ readonly etag?: string }>;
  updateEntity(entity: never, mode: never, options?: object): Promise<{ readonly etag?: string }>;
  upsertEntity(entity: never, mode: never): Promise<{ readonly etag?: string }>;
  deleteEntity(partitionKey: string, rowKey: string, options?: object): Promise<object>;
  submitTransaction(actions: never): Promise<object>;
  readonly pipeline?: PipelineLike;
}

/**
 * Sends calls through the SDK's clients; `clientOf` is called once per table. A write that the SDK retried after a lost
 * response succeeds if the first attempt stored the entity.
 */
export function sender(clientOf: (tableName: string) => TableClientLike): Send {
  if (typeof clientOf !== 'function')
    throw new Error(
      'sender: pass a function that creates the client for a table: (table) => new TableClient(url, table, credential)',
    );
  const clients = new Map<string, TableClientLike>();
  return async (tableName, call) => {
    let client = clients.get(tableName);
    if (client === undefined) {
      client = clientOf(tableName);
      watchAttempts(client.pipeline);
      clients.set(tableName, client);
    }
    const { getEntity } = client;
    return sendTo(client, call).catch(async (error) => {
      const done = await doneBefore(getEntity.bind(client), call, error);
      if (done === undefined) throw error;
      return done;
    });
  };
}

async function sendTo(client: TableClientLike, call: AzureCall): Promise<AzureOutput> {
  switch (call.method) {
    case 'getEntity': {
      const entity = await client.getEntity(...call.args).catch(noneIfMissing);
      return entity === undefined ? {} : { entity: entity as Record<string, unknown> };
    }
    case 'listEntities': {
      const pages = client.listEntities(call.args[0]).byPage(call.page);
      const { value: entities = [] } = await pages.next();
      const { continuationToken } = entities as { continuationToken?: string };
      return {
        entities: [...entities] as Record<string, unknown>[],
        ...(continuationToken ? { continuationToken } : {}),
      };
    }
    case 'createEntity':
      return written(await client.createEntity(...(call.args as unknown as [never])));
    case 'updateEntity':
      return written(await client.updateEntity(...(call.args as unknown as [never, never, object])));
    case 'upsertEntity':
      return written(await client.upsertEntity(...(call.args as unknown as [never, never])));
    case 'deleteEntity':
      // A delete of a missing entity succeeds, unless the caller passed an ETag.
      await client.deleteEntity(...call.args).catch((error) => {
        if (call.args[2].etag !== ANY) throw error;
        return noneIfMissing(error);
      });
      return {};
    default:
      return batchWritten(await client.submitTransaction(...(call.args as unknown as [never])));
  }
}

function noneIfMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}

function batchWritten(response: object): AzureOutput {
  const { subResponses = [] } = response as { readonly subResponses?: readonly { readonly etag?: string }[] };
  return { etags: subResponses.map(({ etag = '' }) => etag.trim()) };
}

function written({ etag }: { readonly etag?: string }): AzureOutput {
  return etag === undefined ? {} : { etag };
}
