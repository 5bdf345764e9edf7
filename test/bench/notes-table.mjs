// The tables for the migration benchmarks, in the embedded engine or at MIGRATION_ENDPOINT. An engine in a separate
// process, such as DynamoDB Local, gives better measurements than one that competes with this process for CPU time.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

const require = createRequire(import.meta.url);
export const load = (file) => require(join(ROOT, 'dist', file));

/** Returns the old design's lock for an environment, and the new design. */
export function notesDesigns(environment) {
  const { z } = require('zod');
  const language = { z, ...load('lib/index.js') };
  const design = require('./notes-design.cjs');
  return { lock: load('lib/evolve/index.js').lockOf(design(language, 1), { environment }), after: design(language, 2) };
}

export async function notesEngine() {
  const { MIGRATION_ENDPOINT: endpoint } = process.env;
  return endpoint === undefined
    ? load('lib/dynamodb/engine/embedded.js').embeddedEngine()
    : load('lib/dynamodb/engine/dynamodb.js').dynamoDbEngine({ endpoint });
}

/** Creates a table with the given number of notes in the old format, and with the new index, which is still empty. */
export async function filled(engine, TableName, items) {
  const noteOf = (i) => ({
    PK: `NOTE#${i}`,
    kind: 'Note',
    id: String(i),
    text: 'x'.repeat(200),
    day: `2026-01-${i % 28}`,
  });
  const key = { AttributeName: 'PK', AttributeType: 'S' };
  const index = { AttributeName: 'GSI1PK', AttributeType: 'S' };
  const hash = (AttributeName) => [{ AttributeName, KeyType: 'HASH' }];
  const GlobalSecondaryIndexes = [
    { IndexName: 'byDay', KeySchema: hash('GSI1PK'), Projection: { ProjectionType: 'ALL' } },
  ];
  const Properties = {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [key, index],
    KeySchema: hash('PK'),
    GlobalSecondaryIndexes,
  };
  await engine.provision({ Resources: { Notes: { Type: 'AWS::DynamoDB::Table', Properties } } });
  await engine.put(
    TableName,
    Array.from({ length: items }, (_, i) => noteOf(i)),
  );
}
