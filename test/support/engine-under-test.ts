import type { Database } from '../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../lib/dynamodb/engine/dynamodb';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';

/**
 * The embedded engine, or the one at `TABLEWRIGHT_ENDPOINT`: with AWS's DynamoDB Local there, the same tests show whether both engines
 * reach the same verdicts.
 */
export function engineUnderTest(): Promise<Database> {
  const endpoint = process.env.TABLEWRIGHT_ENDPOINT;
  return endpoint === undefined ? embeddedEngine() : dynamoDbEngine({ endpoint });
}
