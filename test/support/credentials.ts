import type { Database } from '../../lib/dynamodb/engine/database';

/**
 * Puts the engine's credentials into the environment of the commands that a test starts, as a user would. If the engine
 * does not have its own credentials, the environment stays unchanged.
 */
export function shareCredentials({ credentials }: Database): void {
  if (credentials === undefined) return;
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
}
