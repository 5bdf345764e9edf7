import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { freePort, until } from '../support/processes';

const root = join(__dirname, '../..');
const command = join(root, 'dist/bin/tablewright.js');
const folder = mkdtempSync(join(tmpdir(), 'dev-'));
const zod = JSON.stringify(join(root, 'node_modules/zod'));
const design = (more = '') => `const { z } = require(${zod});
  exports.notes = { name: 'notes', key: { partition: 'PK' }, ${more}
    entities: { Note: { attributes: z.object({ id: z.string(), text: z.string() }), keys: { PK: 'NOTE#<id>' } } },
    patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] } } };`;
writeFileSync(join(folder, 'design.js'), design());
writeFileSync(
  join(folder, 'handler.js'),
  "exports.handler = async ({ Records }) => console.log('handled ' + Records[0].dynamodb.NewImage.id.S);",
);

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

function dev(...args: readonly string[]) {
  const child = spawn(process.execPath, [command, 'dev', './design.js', ...args], { cwd: folder });
  running.push(child);
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    output += text;
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, output: () => output, says: (text: string) => until(() => output.includes(text)) };
}

/** Returns a client that takes its settings only from the environment file that `dev` wrote. */
function clientOf(file: string): DynamoDBClient {
  const lines = readFileSync(join(folder, file), 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
  const env = Object.fromEntries(Array.from(lines, ([, name, value]) => [name, value]));
  return new DynamoDBClient({
    endpoint: env.AWS_ENDPOINT_URL_DYNAMODB,
    region: env.AWS_REGION,
    credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY },
  });
}

const TableName = 'notes-dev-notes';
const put = (client: DynamoDBClient, id: string) =>
  client.send(new PutItemCommand({ TableName, Item: { PK: { S: `NOTE#${id}` }, id: { S: id }, text: { S: 'hi' } } }));

test('`dev` serves the tables to other programs, follows streams and design changes, and removes its environment file when it stops', async () => {
  const port = String(await freePort());
  const first = dev('--port', port, '--data', '.data', '--handler', './handler.js');
  await first.says('watching the design');
  expect(first.output()).toContain(`${TableName}: made\n`);
  expect(first.output()).toContain(`AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:${port}`);
  const file = '.tablewright/dev.env';
  expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  const client = clientOf(file);
  await put(client, '1');
  await first.says('handled 1');
  writeFileSync(join(folder, 'design.js'), design("indexes: { byText: { partition: 'text' } },"));
  await first.says(`${TableName}: changed`);
  const { Count } = await client.send(new ScanCommand({ TableName, IndexName: 'byText' }));
  expect(Count).toBe(1);
  writeFileSync(join(folder, 'design.js'), design("indexes: { G: { partition: 'text' } },"));
  await first.says('the tables stay unchanged until the design is fixed');
  expect(first.output()).toContain("'G' is not a legal index name");
  client.destroy();
  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(existsSync(join(folder, file))).toBe(false);

  writeFileSync(join(folder, 'design.js'), design());
  const second = dev('--port', port, '--data', '.data');
  await second.says('watching the design');
  const again = clientOf(file);
  expect((await again.send(new ScanCommand({ TableName }))).Count).toBe(1);
  const third = dev('--port', port);
  expect(await third.ended).toBe(2);
  expect(third.output()).toContain(`port ${port} is in use; choose another with --port`);
  again.destroy();
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(143);
});

test.each([
  [['--handler', './none.js'], "--handler: there is no file './none.js'"],
  [['--handler', './design.js'], "'./design.js' must export a function named 'handler'; it exports notes"],
  [['--port', '8k'], "--port must be a number from 0 to 65535, got: '8k'"],
  [['--step', 'expand'], "--step needs a plan, but there is no 'tablewright/notes.dev.lock.json'"],
  [['--engine', 'dynamodb-local'], 'set DYNAMODB_LOCAL_HOME to the folder with DynamoDBLocal.jar'],
])('`dev` refuses %j and gives the reason', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [command, 'dev', './design.js', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DYNAMODB_LOCAL_HOME: '' },
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});
