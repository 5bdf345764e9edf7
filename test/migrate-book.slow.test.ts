import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDbClient } from '../lib/dynamodb/engine/connection';
import type { Database } from '../lib/dynamodb/engine/database';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { edited, ofDist, projectOf, root } from './support/book';
import { shareCredentials } from './support/credentials';
import { codeOf } from './support/documents';
import { seed } from './support/migration';

const document = 'docs/guides/migrate.md';
const file = join(root, document);
const SHOWN = 'http://127.0.0.1:8000';
let engine: Database;

beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/**
 * Runs the commands in the document in order on a separate engine, and returns the document with their actual output.
 */
async function carriedOut(text: string): Promise<string> {
  const { write, design, tablewright } = projectOf();
  const files = codeOf(document);
  const [before = '', after = ''] = [files.get('before.ts'), files.get('designs.ts')];
  let migration = files.get('migration.ts') ?? '';
  write('before.ts', ofDist(before));
  design(before);
  await tablewright(['record']);
  design(after);
  write('migration.ts', ofDist(migration));
  shareCredentials(engine);
  const connection = await dynamoDbClient(engine.endpoint);
  const { core, client } = connection;
  const TableName = 'journal-prod-notes';
  await client.send(
    new core.CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
    }),
  );
  const [, items = '[]'] = /```json items\.json\n([\s\S]*?)```/.exec(text) ?? [];
  await seed(connection, TableName, JSON.parse(items));
  client.destroy();
  let renewed = '';
  let end = 0;
  for (const { 0: block, 1: kind, 2: content = '', index } of text.matchAll(
    /```(diff migration\.ts|console)\n([\s\S]*?)```/g,
  )) {
    renewed += text.slice(end, index);
    end = index + block.length;
    if (kind !== 'console') {
      migration = edited(migration, content);
      write('migration.ts', ofDist(migration));
      renewed += block;
      continue;
    }
    renewed += '```console\n';
    for (const [, line = ''] of content.matchAll(/^\$ npx tablewright (.*)$/gm)) {
      if (line.includes('--step expand-1 ')) await deployIndex(TableName);
      const args = line.replace(SHOWN, engine.endpoint ?? '').split(' ');
      // The document is written for a person at a terminal, who does not have to give a reason. This test has no
      // terminal, so it must give a reason.
      const meant = args.includes('--write') ? ['--because', 'the document asks for it'] : [];
      const output = await tablewright([...args, ...meant]);
      renewed += `$ npx tablewright ${line}\n${output}`;
    }
    renewed += '```';
  }
  return renewed + text.slice(end);
}

/** Adds the index, as the deployment of the first step does. */
function deployIndex(TableName: string): Promise<void> {
  const named = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
  const Create = {
    IndexName: 'byFirst',
    KeySchema: [named('first', 'HASH'), named('PK', 'RANGE')],
    Projection: { ProjectionType: 'ALL' },
  };
  const AttributeDefinitions = ['PK', 'first'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));
  return engine.alter({ table: { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] } });
}

test('the commands in the migration document print the output that the document shows', async () => {
  const text = readFileSync(file, 'utf8');
  const renewed = await carriedOut(text);
  if (process.env.UPDATE_BOOK === '1') writeFileSync(file, renewed);
  else expect(renewed).toBe(text);
});
