import type { Database } from '../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../lib/dynamodb/engine/dynamodb';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';

/**
 * Returns the embedded engine or, if `TABLEWRIGHT_ENDPOINT` is set, the engine at that address. With AWS's DynamoDB
 * Local, the same tests show whether both engines give the same results.
 */
export function engineUnderTest(): Promise<Database> {
  const endpoint = process.env.TABLEWRIGHT_ENDPOINT;
  return endpoint === undefined ? embeddedEngine() : dynamoDbEngine({ endpoint });
}
