import type { Database } from '../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../lib/dynamodb/engine/dynamodb';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';

/**
 * The embedded engine, or the engine at `TABLEWRIGHT_ENDPOINT`. If that engine is AWS's DynamoDB Local, the same tests show whether both engines
 * give the same results.
 */
export function engineUnderTest(): Promise<Database> {
  const endpoint = process.env.TABLEWRIGHT_ENDPOINT;
  return endpoint === undefined ? embeddedEngine() : dynamoDbEngine({ endpoint });
}
