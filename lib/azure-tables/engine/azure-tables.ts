import { endingOfAll } from '../../engine/ending';
import { redactor } from '../../engine/secrets';
import { sender, type TableClientLike } from '../sender';
import { azureTablesIn, type TerraformJson } from '../terraform';
import { type Account, accountOf, type Credential } from './account';
import type { AzureDatabase } from './database';
import { withMarkedNames, withoutMarks } from './names';
import { inWords } from './refusal';
import { through } from './stored';

export interface AzureEngineOptions {
  /**
   * A connection string, or the address of the table service; an address without a SAS token uses this machine's
   * identity.
   */
  readonly endpoint: string;
  readonly name?: string;
  /** Called when the engine stops. @default - nothing */
  readonly onStop?: () => Promise<void>;
}

interface Answer {
  bodyAsText?: string | null;
}

interface Request {
  readonly method: string;
  readonly headers: { set(name: string, value: string | number): void };
  body?: unknown;
}

/** Preserves the types and names of properties that the SDK would lose. */
const EXACT = {
  name: 'tablewright-exact',
  async sendRequest<R extends Request, A extends Answer>(request: R, next: (request: R) => Promise<A>) {
    const body = typeof request.body === 'string' ? withoutMarks(request.body) : request.body;
    if (typeof body === 'string' && body !== request.body) {
      request.headers.set('Content-Length', Buffer.byteLength(body));
      request.body = body;
    }
    const answer = await next(request);
    if (request.method === 'GET' && answer.bodyAsText)
      answer.bodyAsText = withMarkedNames(withDoubles(answer.bodyAsText));
    return answer;
  },
};

/** Aborts a call in flight when the engine stops; otherwise the SDK would consider the call lost and retry it. */
const endingWith = (signal: AbortSignal) => ({
  name: 'tablewright-ending',
  sendRequest<R extends { abortSignal?: unknown }, A>(request: R, next: (request: R) => A): A {
    request.abortSignal ??= signal;
    return next(request);
  },
});

/** The time, in milliseconds, that an engine may take to send its first response. */
const PATIENCE = 5_000;

/** Connects to Azure Tables at an endpoint. No other function loads the SDK. */
export async function azureEngine({ endpoint, name, onStop }: AzureEngineOptions): Promise<AzureDatabase> {
  const account = accountOf(endpoint);
  const ending = endingOfAll();
  const { service, clientOf } = await connected(await loadSdk(), account, ending.signal);
  const shown = name ?? account.shown;
  const redact = redactor([], [endpoint]);
  const explained = (table: string) => (error: unknown) => {
    throw inWords(error, table, account, redact);
  };
  const listed = async () => {
    const names: string[] = [];
    for await (const { name: table } of service.listTables()) if (table !== undefined) names.push(table);
    return names;
  };
  const tables = () => listed().catch(explained('the list of its tables'));
  await probe(service).catch((error: Error & { statusCode?: number }) => {
    // If the service itself denies access, rather than the identity provider, the service is reachable.
    if (error.statusCode === 403 && error.name === 'RestError') return;
    throw new Error(`no Azure Tables service responds at ${shown} (${redact(reasonOf(error))})`);
  });
  const drop = (table: string) => service.deleteTable(table).catch(explained(table));
  const send = sender(clientOf);
  const database = {
    cloud: 'azure' as const,
    name: shown,
    endpoint,
    async provision(stack: TerraformJson) {
      const names = azureTablesIn(stack);
      // The SDK does not report whether a table already existed.
      const there = new Set((await tables()).map((table) => table.toLowerCase()));
      const taken = names.filter((table) => there.has(table.toLowerCase()));
      if (taken.length > 0)
        throw new Error(`these tables already exist at ${shown}: ${taken.map((t) => `'${t}'`).join(', ')}`);
      const made: string[] = [];
      try {
        for (const table of names) {
          await service.createTable(table).catch(explained(table));
          made.push(table);
        }
      } catch (error) {
        for (const table of made) await drop(table);
        throw error;
      }
      return made;
    },
    drop,
    tables,
    async stop() {
      ending.abort();
      await onStop?.();
    },
  };
  return through(database, (table, call) => send(table, call).catch(explained(table)));
}

type Sdk = typeof import('@azure/data-tables');

async function loadSdk(): Promise<Sdk> {
  try {
    return await import('@azure/data-tables');
  } catch (error) {
    throw new Error(
      `the Azure Tables SDK is missing: npm install --save-dev @azure/data-tables (${(error as Error).message.split('\n')[0]})`,
    );
  }
}

/** Clients for the service and for its tables. */
async function connected(sdk: Sdk, { url, credential }: Account, end: AbortSignal) {
  const { TableServiceClient, TableClient } = sdk;
  const given = (await credentialOf(sdk, credential)) as never;
  const options = { allowInsecureConnection: url.startsWith('http:') };
  const service = new TableServiceClient(url, given, options);
  service.pipeline.addPolicy(endingWith(end) as never);
  const like = (client: InstanceType<Sdk['TableClient']>) => {
    // This policy modifies the response text before the SDK parses it.
    client.pipeline.addPolicy(EXACT, { afterPhase: 'Deserialize' });
    client.pipeline.addPolicy(endingWith(end) as never);
    return client as unknown as TableClientLike;
  };
  return {
    service,
    clientOf: (table: string) => like(new TableClient(url, table, given, options)),
  };
}

async function credentialOf(sdk: Sdk, credential: Credential): Promise<unknown> {
  switch (credential.kind) {
    case 'key':
      return new sdk.AzureNamedKeyCredential(credential.account, credential.key);
    case 'token':
      return new sdk.AzureSASCredential(credential.token);
    default:
      return loadIdentity();
  }
}

/** Loads the identity of this machine or of the signed-in user, for accounts that refuse shared keys. */
async function loadIdentity(): Promise<unknown> {
  const name = '@azure/identity';
  try {
    const { DefaultAzureCredential } = (await import(name)) as { DefaultAzureCredential: new () => unknown };
    return new DefaultAzureCredential();
  } catch (error) {
    throw new Error(
      `an address without a SAS token needs your identity; run npm install --save-dev ${name}, or pass a connection string (${(error as Error).message.split('\n')[0]})`,
    );
  }
}

async function probe(service: InstanceType<Sdk['TableServiceClient']>): Promise<void> {
  const abortSignal = AbortSignal.timeout(PATIENCE);
  for await (const _ of service.listTables({ abortSignal }).byPage({ maxPageSize: 1 })) return;
}

function reasonOf(error: Error & { readonly statusCode?: number }): string {
  if (error.name === 'AbortError') return `no response within ${PATIENCE / 1000} seconds`;
  if (error.statusCode !== undefined) return `HTTP ${error.statusCode}`;
  return error.message.split('\n')[0] || error.name;
}

/** Matches a numeric property. Also matches other quoted strings, which `withDoubles` leaves unchanged. */
const TOKENS = /"((?:[^"\\]|\\.)*)"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}\]])|"(?:[^"\\]|\\.)*"/g;

/**
 * Marks every number with a decimal point or an exponent, such as 5.0, as a Double. The service writes doubles this
 * way, but JSON.parse turns 5.0 into 5, which the SDK would treat as an Int32.
 */
function withDoubles(json: string): string {
  return json.replace(TOKENS, (token, name: string | undefined, number: string | undefined) =>
    number === undefined || !/[.eE]/.test(number) ? token : `"${name}@odata.type":"Edm.Double","${name}":"${number}"`,
  );
}
