import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { addressProblem, shownAddress } from '../../engine/secrets';
import type { Credentials } from './front/signature';

/** A DynamoDB client, its SDK, and its address in readable form. */
export interface Connection {
  readonly core: typeof import('@aws-sdk/client-dynamodb');
  readonly client: import('@aws-sdk/client-dynamodb').DynamoDBClient;
  readonly shown: string;
}

/**
 * Connects to DynamoDB, or to an endpoint that speaks the DynamoDB protocol. No other function loads the SDK's
 * low-level client.
 * @param settings further client settings
 * @default - `QUICK`, which saves processor time but does not work with the SDK's document client
 */
export async function dynamoDbClient(
  endpoint: string | undefined,
  maxAttempts = 3,
  credentials: Credentials = environmentCredentials(),
  settings: DynamoDBClientConfig = QUICK,
): Promise<Connection> {
  const problem = endpoint === undefined ? undefined : addressProblem(endpoint);
  if (problem !== undefined) throw new Error(`an endpoint ${problem}`);
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const core = await loaded(() => import('@aws-sdk/client-dynamodb'));
  const client = new core.DynamoDBClient({
    ...(endpoint === undefined ? {} : { endpoint, region: 'local', credentials }),
    maxAttempts,
    // These timeouts also catch an endpoint that accepts a connection but never responds.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
    ...settings,
  });
  if (endpoint === undefined)
    await client.config.region().catch((error: Error) => {
      client.destroy();
      // An empty variable counts as missing.
      if (!/^Region (is missing|not accepted: region="")/.test(error.message)) throw error;
      throw new Error('no AWS region is set; set AWS_REGION, such as AWS_REGION=eu-west-1');
    });
  return { core, client, shown: endpoint === undefined ? 'AWS' : shownAddress(endpoint) };
}

/** Caches the middleware chain, which the SDK otherwise rebuilds for every request. */
const QUICK: DynamoDBClientConfig = { cacheMiddleware: true };

/**
 * Returns the credentials in the environment or, if there are none, placeholders for endpoints that accept any
 * credentials.
 */
export function environmentCredentials(): Credentials {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  return accessKeyId && secretAccessKey
    ? { accessKeyId, secretAccessKey }
    : { accessKeyId: 'local', secretAccessKey: 'local' };
}

/** Loads a package of the SDK; if the package is missing, throws an error that says how to install it. */
export async function loaded<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new Error(
      `an engine needs the AWS SDK: npm install --save-dev @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb (${(error as Error).message.split('\n')[0]})`,
    );
  }
}
