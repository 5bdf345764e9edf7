import type { Database } from '../../lib/dynamodb/engine/database';

/**
 * Gives the engine's credentials to the commands that a test starts from now on, as a user would: in the environment. An engine without
 * credentials of its own takes those that are there.
 */
export function shareCredentials({ credentials }: Database): void {
  if (credentials === undefined) return;
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
}
