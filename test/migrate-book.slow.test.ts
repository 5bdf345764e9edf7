import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dynamoDbClient } from '../lib/dynamodb/engine/connection';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import type { Engine } from '../lib/dynamodb/engine/engine';
import { edited, ofDist, projectOf, root } from './support/book';
import { codeOf } from './support/documents';
import { seed } from './support/migration';

const document = 'docs/migrate.md';
const file = join(root, document);
const SHOWN = 'http://127.0.0.1:8000';
let engine: Engine;

beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** The document with what its commands really print, one after the other, on an engine of their own. */
async function carriedOut(text: string): Promise<string> {
  const { write, design, tablewright } = projectOf();
  const files = codeOf(document);
  const [before = '', after = ''] = [files.get('before.ts'), files.get('designs.ts')];
  let migration = files.get('migration.ts') ?? '';
  write('before.ts', ofDist(before));
  design(before);
  tablewright(['record']);
  design(after);
  write('migration.ts', ofDist(migration));
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
  return text.replace(/```(diff migration\.ts|console)\n([\s\S]*?)```/g, (block, kind: string, content: string) => {
    if (kind !== 'console') {
      migration = edited(migration, content);
      write('migration.ts', ofDist(migration));
      return block;
    }
    const commands = [...content.matchAll(/^\$ npx tablewright (.*)$/gm)].map(([, line = '']) => line);
    const shown = commands.map((line) => {
      const output = tablewright(line.replace(SHOWN, engine.endpoint ?? '').split(' '));
      return `$ npx tablewright ${line}\n${output}`;
    });
    return `\`\`\`console\n${shown.join('')}\`\`\``;
  });
}

test('the commands print what the document says', async () => {
  const text = readFileSync(file, 'utf8');
  const renewed = await carriedOut(text);
  if (process.env.UPDATE_BOOK === '1') writeFileSync(file, renewed);
  else expect(renewed).toBe(text);
});
