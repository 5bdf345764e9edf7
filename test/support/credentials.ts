import type { Database } from '../../lib/dynamodb/engine/database';

/**
 * Sets the engine's credentials in the environment, as a user would, for the commands that a test starts. If the engine
 * does not have its own credentials, the environment stays unchanged.
 */
export function shareCredentials({ credentials }: Database): void {
  if (credentials === undefined) return;
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
}
