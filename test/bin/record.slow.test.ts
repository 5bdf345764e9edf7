import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';
import type { Item } from '../../lib/items/item';
import { projectOf, root } from '../support/book';
import { tablewrightIn } from '../support/command';
import { shareCredentials } from '../support/credentials';

const { folder, write } = projectOf();
const LOCK = 'tablewright/notes.prod.lock.json';
const PLAN = 'tablewright/notes.prod.plan.json';
const KEPT = 'tablewright/history/notes.prod';
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
let engine: Database;

function design(attributes: string, indexes: string): void {
  write(
    'design.js',
    `const { z } = require('zod');
     const notes = { name: 'notes', key: { partition: 'PK' }, indexes: { ${indexes} }, entities: { Note: {
       attributes: z.object({ id: z.string(), ${attributes} }), keys: { PK: 'NOTE#<id>' } } },
       patterns: { putNote: { op: 'put', entity: 'Note' } ${indexes && `, byFirst: { op: 'query', index: 'byFirst', where: { first: '<first>' }, returns: ['Note'] }`} } };
     exports.notes = { name: 'notes', cloud: 'aws', tables: { notes } };`,
  );
}

const old = () => design('text: z.string()', '');
const next = (attributes = 'text: z.string(), first: z.string().min(1)') =>
  design(attributes, "byFirst: { partition: 'first', sort: 'PK' }");

const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);
const live = () => ['--endpoint', engine.endpoint as string];
const record = (step: string, ...args: readonly string[]) =>
  tablewright('record', './design.js', '--plan', PLAN, '--step', step, ...args);
const migrate = (action: string, ...args: readonly string[]) =>
  tablewright('migrate', action, './design.js', '--migration', './migration.js', ...live(), ...args);
const TABLE = ['--against', 'table:notes-prod-notes'];

/** Writes the template that `cdk synth` would have written. */
function assembly(indexes: readonly object[], name?: string): void {
  mkdirSync(join(folder, 'cdk.out'), { recursive: true });
  write('cdk.out/manifest.json', JSON.stringify({ artifacts: { S: { properties: { templateFile: 's.json' } } } }));
  write('cdk.out/s.json', JSON.stringify(templateOf(indexes, name)));
}

function templateOf(GlobalSecondaryIndexes: readonly object[], TableName = 'notes-prod-notes') {
  const names = ['PK', ...(GlobalSecondaryIndexes.length > 0 ? ['first'] : [])];
  return {
    Resources: {
      Notes: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          TableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' as const }],
          AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
          ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes: GlobalSecondaryIndexes as [] }),
        },
      },
    },
  };
}

const BY_FIRST = {
  IndexName: 'byFirst',
  KeySchema: [
    { AttributeName: 'first', KeyType: 'HASH' },
    { AttributeName: 'PK', KeyType: 'RANGE' },
  ],
  Projection: { ProjectionType: 'ALL' },
};

beforeAll(async () => {
  engine = await embeddedEngine();
  shareCredentials(engine);
  await engine.provision(templateOf([]));
  await engine.put('notes-prod-notes', [{ PK: 'NOTE#1', id: '1', text: 'Buy milk' }]);
  write(
    'migration.js',
    `const { defineMigration } = require(${JSON.stringify(join(root, 'dist/lib/evolve/index.js'))});
     const lock = JSON.parse(require('node:fs').readFileSync('${LOCK}', 'utf8'));
     module.exports = defineMigration(lock, require('./design.js').notes, {
       notes: { Note: { up: (note) => ({ ...note, first: note.text.split(' ')[0] }) } } });`,
  );
  old();
  expect((await tablewright('record', './design.js')).status).toBe(0);
  next();
  expect((await tablewright('plan', './design.js')).status).toBe(1);
});
afterAll(() => engine.stop());

// The tests below follow one plan from its first step to its last.

test('`record` and `plan` write files that every user may read', async () => {
  for (const file of [LOCK, PLAN]) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o644);
});

test('`record` refuses a step that changes tables without evidence that the step is deployed', async () => {
  const before = read(LOCK);
  expect(await record('expand-1')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      "step 'expand-1' changes tables (create-index byFirst of notes), but there is no evidence that the change is deployed; pass the deployed tables: --against cdk.out",
    ),
  });
  assembly([]);
  expect(await record('expand-1', '--against', 'cdk.out')).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      /'cdk.out' differs from step 'expand-1'; deploy first \(STEP=expand-1 npx cdk deploy\), then record\n {2}notes\.indexes\.byFirst: expected an index/,
    ),
  });
  expect(await record('expand-1', ...TABLE, ...live())).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('got no such index'),
  });
  expect(read(LOCK)).toBe(before);
});

test("`record` refuses a template with another environment's table even if the table has the right indexes", async () => {
  assembly([BY_FIRST], 'notes-staging-notes');
  expect(await record('expand-1', '--against', 'cdk.out')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("'notes-staging-notes' belongs to environment 'staging', not to 'prod'"),
  });
  expect(JSON.parse(read(LOCK)).progress).toBeUndefined();
});

test('`status` names the next step, who must carry it out and what to run, and does not report a deployed but unrecorded step as drift', async () => {
  expect(await tablewright('status', './design.js', ...TABLE, ...live())).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^notes \(prod\): 0 of the plan's 5 steps are done\n {2}next: expand-1, by whoever deploys the tables and the application: create-index byFirst of notes, a release .*\n {4}STEP=expand-1 npx cdk deploy\n.*\n {2}table notes-prod-notes: as recorded\n {2}notes: 1 item read, 0 differ/,
    ),
  });
  const { IndexName, KeySchema, Projection } = BY_FIRST;
  await engine.alter({
    table: {
      TableName: 'notes-prod-notes',
      AttributeDefinitions: ['PK', 'first'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexUpdates: [{ Create: { IndexName, KeySchema, Projection } }],
    },
  });
  expect((await tablewright('status', './design.js', ...TABLE, ...live())).stdout).toContain(
    'step expand-1 is deployed, but not recorded',
  );
});

test('`record` records a step if a template or a live table shows that the step is deployed', async () => {
  const before = read(LOCK);
  expect(await record('expand-1', ...TABLE, ...live())).toMatchObject({ status: 0 });
  write(LOCK, before);
  assembly([BY_FIRST]);
  expect(await record('expand-1', '--against', 'cdk.out')).toMatchObject({ status: 0 });
  expect(await record('drain')).toMatchObject({ status: 0 });
});

test('`plan --down` shows how to go back; after that, the lock still lists the attributes that the undone release stored', async () => {
  const before = read(LOCK);
  expect(await tablewright('plan', './design.js', '--down')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^notes \(prod\): 2 steps to undo\n {2}drain +deploy the previous release.*\n {2}expand-1 +deploy the previous step again.*\nthen, .*record --plan .* --step start/,
    ),
  });
  expect(await record('start', ...TABLE, ...live())).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('expected no such index'),
  });
  assembly([]);
  expect(await record('start', '--against', 'cdk.out')).toMatchObject({ status: 0 });
  const { progress, tables, undone } = JSON.parse(read(LOCK));
  expect(progress).toBeUndefined();
  // This number changes the hash of a restarted plan. Otherwise, the plan would count the undone backfill as done.
  expect(undone).toBe(1);
  // Items written by the undone release still have the attribute.
  expect(Object.keys(tables.notes.design.entities.Note.former)).toEqual(['first']);
  write(LOCK, before);
});

test('`record` refuses a backfill that has not run, is paused or is still running', async () => {
  const never = await record('backfill', ...live());
  expect(never).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("step 'backfill' has not run; run it: npx tablewright migrate run --write"),
  });
  expect(await migrate('run', '--write', '--because', 'the test asks for it')).toMatchObject({ status: 0 });
  let kept: Item = {};
  for await (const item of engine.scan('tablewright-migrations')) kept = item;
  const state = JSON.parse(String(kept.state));
  for (const [status, words] of Object.entries({ paused: 'is paused', running: 'is under way' })) {
    await engine.put('tablewright-migrations', [{ ...kept, state: JSON.stringify({ ...state, status }) }]);
    expect(await record('backfill', ...live())).toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`step 'backfill' ${words}; run the step until a pass finds nothing to change`),
    });
  }
  await engine.put('tablewright-migrations', [kept]);
});

test('`record` refuses a backfill or a verification that ran on other tables', async () => {
  let kept: Item = {};
  for await (const item of engine.scan('tablewright-migrations')) kept = item;
  const state = JSON.parse(String(kept.state));
  expect(state.tables).toEqual({ notes: 'notes-prod-notes' });
  const elsewhere = { ...kept, state: JSON.stringify({ ...state, tables: { notes: 'notes-copy' } }) };
  await engine.put('tablewright-migrations', [elsewhere]);
  expect(await record('backfill', ...live())).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      "step 'backfill' ran on other tables (notes=notes-copy), not on notes=notes-prod-notes",
    ),
  });
  expect(await migrate('status')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("step 'backfill' ran on notes=notes-copy, not on notes=notes-prod-notes"),
  });
  expect(await record('backfill', ...live(), '--table', 'notes=notes-copy')).toMatchObject({ status: 0 });
  expect(await migrate('verify')).toMatchObject({ status: 0 });
  expect(await record('verify', ...live(), '--table', 'notes=notes-copy')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('nothing has been verified since'),
  });
  await engine.put('tablewright-migrations', [kept]);
});

test('`record` refuses a verification that ran before the backfill ended', async () => {
  expect(await record('backfill', ...live())).toMatchObject({ status: 0 });
  expect(await record('verify', ...live())).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      "nothing has been verified since step 'backfill' ended; run: npx tablewright migrate verify",
    ),
  });
  expect(await migrate('verify')).toMatchObject({ status: 0 });
  expect(await record('verify', ...live())).toMatchObject({ status: 0 });
});

test("`record` refuses an undone plan's backfill after the plan restarts, because releases may have stored items in the old form since then", async () => {
  const before = read(LOCK);
  assembly([BY_FIRST]);
  for (const step of ['expand-1', 'drain'])
    expect(await record(step, '--against', 'cdk.out')).toMatchObject({ status: 0 });
  expect(await record('backfill', ...live())).toMatchObject({
    status: 1,
    stdout: expect.stringContaining("step 'backfill' has not run"),
  });
  expect(await migrate('run', '--write', '--because', 'the test asks for it')).toMatchObject({ status: 0 });
  expect(await record('backfill', ...live())).toMatchObject({ status: 0 });
  write(LOCK, before);
});

test("`record` refuses the last step if the design is not the plan's target", async () => {
  next('text: z.string(), first: z.string().min(1), more: z.string()');
  expect(await record('switch')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("the plan leads to a different design of 'notes'"),
  });
  next();
});

test('`record` archives a finished plan together with the lock that the plan started from', async () => {
  const plan = read(PLAN);
  expect(await record('switch')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`the plan is finished, and archived as ${KEPT}/0001.plan.json`),
  });
  expect(read(`${KEPT}/0001.plan.json`)).toBe(plan);
  expect(JSON.parse(read(`${KEPT}/0001.lock.json`)).hash).toBe(JSON.parse(plan).from);
  expect(existsSync(join(folder, PLAN))).toBe(false);
});

test('`plan` replaces an edited plan if none of its steps is done', async () => {
  old();
  expect(await tablewright('record', './design.js', '--environment', 'test')).toMatchObject({ status: 0 });
  next();
  write('tablewright/notes.test.plan.json', '{ "plan": 1, "hash": "edited" }');
  expect(await tablewright('plan', './design.js', '--environment', 'test')).toMatchObject({ status: 1 });
  expect(await tablewright('plan', './design.js', '--environment', 'test', '--down')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('no step of the plan is done'),
  });
  for (const kind of ['lock', 'plan']) rmSync(join(folder, `tablewright/notes.test.${kind}.json`));
});

test('`status` reports a deleted index, and items that the design would not store', async () => {
  await engine.put('notes-prod-notes', [
    { PK: 'NOTE#2', id: '3', text: 'x', first: 'x' },
    { PK: 'OTHER#1', id: '1' },
  ]);
  await engine.alter({
    table: { TableName: 'notes-prod-notes', GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byFirst' } }] },
  });
  const { status, stdout } = await tablewright('status', './design.js', ...TABLE, ...live());
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /notes\.indexes\.byFirst: expected an index with key first \(string\), PK \(string\), got no such index/,
  );
  expect(stdout).toMatch(/notes: 3 items read, 2 differ from the design/);
  expect(stdout).toContain(`PK "NOTE#2": Note: PK is "NOTE#2", but the item's values produce "NOTE#3"`);
  expect(stdout).toContain('the item belongs to no entity of the design');
});

test('`status` compares environments and reports a damaged lock', async () => {
  old();
  expect((await tablewright('record', './design.js', '--environment', 'staging')).status).toBe(0);
  next();
  const { status, stdout } = await tablewright('status', './design.js', '--json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout).result.environments).toMatchObject([
    { environment: 'prod', changes: 0, behind: [] },
    { environment: 'staging', verdict: 'plan', behind: [{ environment: 'prod' }] },
  ]);
  write('tablewright/notes.staging.lock.json', read(LOCK).replace('NOTE#', 'MEMO#'));
  const damaged = await tablewright('status', './design.js');
  expect(damaged).toMatchObject({ status: 1, stdout: expect.stringContaining('restore it from version control') });
  rmSync(join(folder, 'tablewright/notes.staging.lock.json'));
});

test('`record` refuses new tables without evidence that they are deployed, and a design that differs from the template', async () => {
  write(
    'design.js',
    read('design.js').replace('tables: { notes }', "tables: { notes, more: { ...notes, name: 'more', patterns: {} } }"),
  );
  expect(await tablewright('record', './design.js')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('the tables change, but there is no evidence that the change is deployed'),
  });
  expect(await tablewright('record', './design.js', '--against', 'cdk.out')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('more: expected a table, got no such table'),
  });
});

describe('the source of the design', () => {
  test("`record` copies the design's source and the files that it loads to a folder next to the lock", async () => {
    old();
    rmSync(join(folder, 'tablewright'), { recursive: true, force: true });
    expect(await tablewright('record', './design.js')).toMatchObject({ status: 0 });
    expect(read('tablewright/notes.prod/design.js')).toBe(read('design.js'));
  });

  test('`record` never replaces a folder that it did not create', async () => {
    mkdirSync(join(folder, 'src'));
    write('src/app.js', 'mine');
    const { status } = await tablewright('record', './design.js', '--lock', 'src.json');
    expect(status).toBe(0);
    expect(read('src/app.js')).toBe('mine');
  });
});
