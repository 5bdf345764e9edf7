import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../lib/dynamodb/engine/database';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import { tablewrightIn } from './support/command';
import { pack } from './support/pack';
import { freePort } from './support/processes';
import { run } from './support/run';

const root = join(__dirname, '..');
const skills = readdirSync(join(root, 'docs/skills'));
const textOf = (skill: string) => readFileSync(join(root, 'docs/skills', skill, 'SKILL.md'), 'utf8');

test.each(skills)("%s has a skill's frontmatter, and is short", (skill) => {
  const text = textOf(skill);
  const [, frontmatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
  expect(frontmatter).toContain(`name: ${skill}\n`);
  expect(skill).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  const [, description = ''] = /^description: (.*)$/m.exec(frontmatter) ?? [];
  expect(description).toContain('Use ');
  expect(description.length).toBeLessThanOrEqual(1024);
  expect(text.split('\n').length).toBeLessThan(200);
});

/** Creates an app in the state in which the skill's commands begin. */
async function app(skill: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `${skill}-`));
  cpSync(join(root, 'examples/start/aws/typescript'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/tablewright'));
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'));
  if (skill === 'import-a-model') return withSources(folder);
  if (skill !== 'evolve-a-design') return folder;
  expect(await tablewrightIn(folder, ['record'])).toMatchObject({ status: 0 });
  const file = join(folder, 'design.ts');
  const design = readFileSync(file, 'utf8');
  const changed = design.replace('name: z.string() })', 'name: z.string(), region: z.string() })');
  expect(changed).not.toBe(design);
  writeFileSync(file, changed);
  return folder;
}

const ORDERS = [1, 2, 3].map((n) => ({ PK: `ORDER#${n}`, SK: 'ORDER', _type: 'Order', orderId: `${n}`, total: n }));

/** Adds the sources that the skill imports: a live table, a module with models, items, and a Workbench model. */
async function withSources(folder: string): Promise<string> {
  symlinkSync(join(root, 'node_modules/electrodb'), join(folder, 'node_modules/electrodb'));
  cpSync(join(root, 'test/fixtures/models/electrodb.ts'), join(folder, 'entities.ts'));
  cpSync(join(root, 'test/fixtures/models/workbench-facets.json'), join(folder, 'model.json'));
  writeFileSync(join(folder, 'items.jsonl'), ORDERS.map((order) => JSON.stringify(order)).join('\n'));
  const key = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
  const Properties = {
    TableName: 'orders',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [key('PK', 'HASH'), key('SK', 'RANGE')],
  };
  await engine.provision({ Resources: { Orders: { Type: 'AWS::DynamoDB::Table', Properties } } } as never);
  for (const Item of ORDERS) await engine.send('Put', { TableName: 'orders', Item });
  return folder;
}

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Returns environment variables that point the commands at the engine, as if it were DynamoDB. */
const environment = () => ({
  ...process.env,
  AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: engine.credentials?.accessKeyId,
  AWS_SECRET_ACCESS_KEY: engine.credentials?.secretAccessKey,
});

test.each(skills)('every command in %s can be run as written', async (skill) => {
  const folder = await app(skill);
  const blocks = [...textOf(skill).matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
  expect(blocks.length).toBeGreaterThan(1);
  // Uses a free port, because the skill's port may be in use on this machine.
  const port = await freePort();
  for (const line of blocks) {
    const [npx, command, ...args] = line.replace(':8000', `:${port}`).split(' ');
    expect([npx, command]).toEqual(['npx', 'tablewright']);
    const { status, stderr, stdout } = await tablewrightIn(folder, args, environment());
    // Exit code 1 is fine: it means that the change needs a plan or that no database runs here.
    if (status > 1) throw new Error(`${line}: exit code ${status}: ${stderr}${stdout}`);
    if (args[0] === 'from') expect(JSON.parse(stdout).result.compared).toBeGreaterThan(0);
  }
});

test('the package has the skills and an index of its documents, and every page in the index exists', async () => {
  const tarball = await pack();
  const files = run(root, 'tar', '-tzf', tarball).output.split('\n');
  for (const skill of skills) expect(files).toContain(`package/skills/${skill}/SKILL.md`);
  expect(files.filter((file) => file.startsWith('package/docs/skills'))).toEqual([]);
  const index = run(root, 'tar', '-xzOf', tarball, 'package/llms.txt').output;
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => `package/${path}`);
  expect(linked.length).toBeGreaterThan(20);
  expect(linked.filter((path) => !files.includes(path))).toEqual([]);
}, 300_000);
