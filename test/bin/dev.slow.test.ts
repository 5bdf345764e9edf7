import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

const dev = (...args: readonly string[]) => devIn(folder, './design.js', ...args);

function devIn(cwd: string, ...args: readonly string[]) {
  const child = spawn(process.execPath, [command, 'dev', ...args], { cwd });
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
function clientOf(file: string, cwd = folder): DynamoDBClient {
  const lines = readFileSync(join(cwd, file), 'utf8').matchAll(/^export (\w+)='(.*)'$/gm);
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

// Node 20.19 and later can load ES modules with `require`, but only from a cache that cannot be cleared.
describe.each([{}, { type: 'module' }])('in an app whose package.json contains %j', (type) => {
  const app = mkdtempSync(join(tmpdir(), 'dev-app-'));
  const edit = (file: string, change: (text: string) => string) => {
    const text = change(readFileSync(join(app, file), 'utf8'));
    writeFileSync(join(app, file), text);
    return text;
  };
  const table = 'shop-dev-orders';

  beforeAll(() => {
    cpSync(join(root, 'examples/start/aws/typescript'), app, { recursive: true });
    edit('package.json', (text) => JSON.stringify({ ...JSON.parse(text), ...type }));
    mkdirSync(join(app, 'node_modules'));
    symlinkSync(root, join(app, 'node_modules/tablewright'));
    symlinkSync(join(root, 'node_modules/zod'), join(app, 'node_modules/zod'));
  });

  test('`dev` sees every edit of the design and of its imports, and reports items that no longer fit', async () => {
    const { output, ended, child, says } = devIn(app, '--port', String(await freePort()));
    await says('watching the design');
    expect(output()).toContain(`${table}: made\n`);
    const client = clientOf('.tablewright/dev.env', app);
    const keys = async () => {
      const { Items = [] } = await client.send(new ScanCommand({ TableName: table }));
      return Items.map(({ SK }) => SK?.S).sort();
    };

    const text = edit('design.ts', (was) => was.replace('indexes: {', "indexes: { byStatus: { partition: 'status' },"));
    await says(`${table}: changed\n`);
    expect(output()).toContain(`${table}: changed\n`);

    edit('design.ts', () => `${text} const = 1;`);
    await says('the tables stay unchanged');
    expect(output()).toMatch(/design\.ts' cannot be loaded: .*; the tables stay unchanged/);

    edit('cases.ts', (was) => was.replace("SK: 'ORDER#", "SK: 'BOUGHT#"));
    edit('design.ts', () => text.replaceAll("'ORDER#", "'BOUGHT#"));
    await says(`${table}: refilled`);
    expect(output()).toContain(`${table}: refilled with the items of the cases\n`);
    expect(await keys()).toEqual(['BOUGHT#o1', 'BOUGHT#o2', 'BOUGHT#o3', 'CUSTOMER']);

    const own = { PK: { S: 'CUSTOMER#bea' }, SK: { S: 'CUSTOMER' }, type: { S: 'Customer' }, name: { S: 'Bea' } };
    await client.send(new PutItemCommand({ TableName: table, Item: { ...own, customerId: { S: 'bea' } } }));
    writeFileSync(join(app, 'keys.ts'), "export const order = 'SOLD#';\n");
    edit('design.ts', () => `import { order } from './keys';\n${text.replaceAll("'ORDER#", "order + '")}`);
    await says('3 items do not fit');
    expect(output()).toMatch(
      /shop-dev-orders: kept\nwarning shop-dev-orders: 3 items do not fit the design, .* SK is "BOUGHT#o1", but the item's values produce "SOLD#o1"; .* stop dev, start dev again, and source \.tablewright\/dev\.env again\n/,
    );
    edit('keys.ts', (was) => was.replace('SOLD', 'BOUGHT'));
    await until(() => output().split(`${table}: kept\n`).length === 3);
    expect(output()).toMatch(/: kept\n$/);
    expect(await keys()).toEqual(['BOUGHT#o1', 'BOUGHT#o2', 'BOUGHT#o3', 'CUSTOMER', 'CUSTOMER']);
    client.destroy();
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

test.each([
  [['--handler', './none.js'], "--handler: there is no file './none.js'"],
  [['--handler', './design.js'], "'./design.js' must export a function named 'handler'; it exports notes"],
  [['--port', '8k'], "--port must be a number from 0 to 65535, got: '8k'"],
  [['--port', '0', '--step', 'expand'], "--step needs a plan, but there is no 'tablewright/notes.dev.lock.json'"],
  [['--port', '0', '--engine', 'dynamodb-local'], 'set DYNAMODB_LOCAL_HOME to the folder with DynamoDBLocal.jar'],
])('`dev` refuses %j and gives the reason', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [command, 'dev', './design.js', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, DYNAMODB_LOCAL_HOME: '' },
  });
  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
});
