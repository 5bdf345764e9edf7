import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { run } from '../../bin/commands/run';
import { outline } from '../../lib/blueprint/outline';
import { blueprint } from '../../lib/blueprint/table';
import { check } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import type { Database } from '../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';
import { storedItem } from '../../lib/dynamodb/migration/stored';
import { tablewrightIn } from '../support/command';
import { ROOT, tsc } from '../support/compile';
import { loaded } from '../support/imported';
import { terminalOf } from '../support/terminal';

const cache = join(ROOT, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'from-'));
afterAll(() => rmSync(folder, { recursive: true }));

const model = (name: string) => join(ROOT, 'test/fixtures/models', name);

async function tablewright(...args: readonly string[]) {
  const { terminal, output, errors } = terminalOf();
  const status = await run(args, terminal);
  return { status, stdout: output(), stderr: errors() };
}

let files = 0;

/** Runs `from`, and returns its output with the generated code and the table designs in that code. */
async function from(...args: readonly string[]) {
  const file = join(folder, `design${files++}.ts`);
  const ended = await tablewright('from', ...args, '--output', file);
  const text = readFileSync(file, 'utf8');
  const designs = Object.values(loaded(text)).filter((one): one is TableDesign => !('tables' in one));
  const keysOf = (entity: string) => designs.flatMap((design) => design.entities[entity] ?? [])[0]?.keys;
  expect(designs.flatMap((design) => check(design)).filter(({ severity }) => severity === 'error')).toEqual([]);
  return { ...ended, text, designs, keysOf };
}

const shop = [1, 2, 3].flatMap((n) => [
  { PK: `USER#u${n}`, SK: 'PROFILE', _type: 'User', userId: `u${n}`, name: `name ${n}` },
  {
    PK: `USER#u${n}`,
    SK: `ORDER#000${n}`,
    _type: 'Order',
    userId: `u${n}`,
    number: n,
    GSI1PK: `DAY#2026-01-0${n}`,
    at: `2026-01-0${n}T00:00:00.000Z`,
  },
]);

describe('`from table`', () => {
  let engine: Database;
  beforeAll(async () => {
    engine = await embeddedEngine();
    const name = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
    await engine.provision({
      Resources: {
        Shop: {
          Type: 'AWS::DynamoDB::Table',
          Properties: {
            TableName: 'shop',
            BillingMode: 'PAY_PER_REQUEST',
            AttributeDefinitions: ['PK', 'SK', 'GSI1PK'].map((AttributeName) => ({
              AttributeName,
              AttributeType: 'S',
            })),
            KeySchema: [name('PK', 'HASH'), name('SK', 'RANGE')],
            GlobalSecondaryIndexes: [
              { IndexName: 'byDay', KeySchema: [name('GSI1PK', 'HASH')], Projection: { ProjectionType: 'ALL' } },
            ],
            TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
          },
        },
      },
    } as never);
    for (const Item of shop) await engine.send('Put', { TableName: 'shop', Item });
    const { accessKeyId, secretAccessKey } = engine.credentials ?? {};
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey });
  });
  afterAll(() => engine.stop());

  test('`from table` derives a design from a live table, and reports how many read units it used', async () => {
    const { status, stderr, keysOf, designs } = await from('table', 'shop', '--endpoint', String(engine.endpoint));
    expect(stderr).toMatch(
      /shop: read 6 items \(the whole table\) with [\d.]+ read units\n.*\nkeys compared with 6 items/,
    );
    expect(keysOf('User')).toEqual({ PK: 'USER#<userId>', SK: 'PROFILE' });
    expect(keysOf('Order')).toEqual({ PK: 'USER#<userId>', SK: 'ORDER#<number:4>', GSI1PK: 'DAY#<at:date>' });
    expect(designs[0]).toMatchObject({ ttl: 'expires', indexes: { byDay: { partition: 'GSI1PK' } } });
    expect(status).toBe(0);
  });

  test('the generated entities accept unknown attributes if `from table` stops at its limit of read units', async () => {
    for (let n = 0; n < 260; n++)
      await engine.send('Put', {
        TableName: 'shop',
        Item: { PK: `USER#x${n}`, SK: 'PROFILE', _type: 'User', userId: `x${n}`, name: 'n'.repeat(4000) },
      });
    const { stderr, text } = await from('table', 'shop', '--endpoint', String(engine.endpoint), '--units', '8');
    const [, items, units] = /read (\d+) items with ([\d.]+) read units\n/.exec(stderr) ?? [];
    expect(Number(items)).toBeLessThan(266);
    expect(Number(units)).toBeLessThan(8 + 4 * 50);
    expect(text).toContain('z.looseObject');
  });

  test('`from table` reports where it looked for a missing table', async () => {
    const { status, stderr } = await tablewright('from', 'table', 'none', '--endpoint', String(engine.endpoint));
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("has no table 'none', and there is no file with this name"),
    ]);
  });
});

describe('`from` with files of items', () => {
  test('`from` reads an export to S3', async () => {
    const place = join(folder, 'bucket/AWSDynamoDB/01700');
    mkdirSync(join(place, 'data'), { recursive: true });
    const lines = (items: readonly object[]) =>
      items.map((Item) => JSON.stringify({ Item: storedItem(Item) })).join('\n');
    writeFileSync(join(place, 'data/a.json.gz'), gzipSync(lines(shop.slice(0, 3))));
    writeFileSync(join(place, 'data/b.json.gz'), gzipSync(lines(shop.slice(3))));
    writeFileSync(join(place, 'data/c.json.gz'), gzipSync(''));
    const manifest = ['a', 'b', 'c'].map((name) => ({
      itemCount: 3,
      dataFileS3Key: `AWSDynamoDB/01700/data/${name}.json.gz`,
    }));
    writeFileSync(join(place, 'manifest-files.json'), manifest.map((line) => JSON.stringify(line)).join('\n'));
    const arn = 'arn:aws:dynamodb:eu-west-1:111122223333:table/orders-prod';
    writeFileSync(
      join(place, 'manifest-summary.json'),
      JSON.stringify({ tableArn: arn, outputFormat: 'DYNAMODB_JSON' }),
    );
    const { keysOf, designs, text, status } = await from(join(folder, 'bucket'));
    expect(designs[0]?.name).toBe('orders-prod');
    expect(keysOf('Order')).toEqual({ PK: 'USER#<userId>', SK: 'ORDER#<number:4>', GSI1PK: 'DAY#<at:date>' });
    expect(text).toContain('// unsure: the items do not show which attributes form the key');
    expect(status).toBe(1);
  });

  test("writes a DynamoDB system even if the table's keys are named PartitionKey and RowKey, as on Azure", async () => {
    const file = join(folder, 'rows.jsonl');
    const rows = shop.map(({ PK, SK, ...item }) => ({ PartitionKey: PK, RowKey: SK, ...item }));
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join('\n'));
    const { stdout } = await tablewright('from', 'table', file, '--key', 'PartitionKey,RowKey');
    const [system] = Object.values(loaded(stdout)).filter((one) => 'tables' in one) as SystemDesign[];
    expect(system?.cloud).toBe('aws');
    expect(check(system as SystemDesign).filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('reads a JSON Lines file if the key attributes are given', async () => {
    const file = join(folder, 'items.jsonl');
    writeFileSync(file, shop.map(({ PK, SK, ...item }) => JSON.stringify({ a: PK, b: SK, ...item })).join('\n'));
    expect((await tablewright('from', 'table', file)).stderr).toContain(
      'pass the key attributes, for example: --key PK,SK',
    );
    const { keysOf } = await from('table', file, '--key', 'a,b');
    expect(keysOf('User')).toEqual({ a: 'USER#<userId>', b: 'PROFILE' });
    writeFileSync(file, '{"PK":"x"}\n{oops\n');
    expect((await tablewright('from', 'table', file)).stderr).toContain("items.jsonl', line 2: not JSON");
  });
});

describe('`from workbench`', () => {
  test('`from workbench` derives entities from facets, names from aliases, and key templates from sample data', async () => {
    const { keysOf, designs, text, status } = await from('workbench', model('workbench-facets.json'));
    expect(keysOf('AccountSubscription')).toEqual({ PK: 'ACC#<AccountId>', SK: 'SUB#<SubId>#<SKU>' });
    expect(designs[0]?.entities.AccountSubscription?.keyOnly).toEqual(['AccountId', 'SubId']);
    expect(designs[0]?.indexes).toEqual({
      byNextPayment: { partition: 'NextPaymentDate', sort: 'PK', projection: ['Email', 'Amount'] },
    });
    expect(text).toContain('Notes: z.array(z.any()).optional()');
    expect(status).toBe(0);
  });

  test('`from workbench` keeps an index key that only some items have', async () => {
    const { designs, status } = await from('workbench', model('workbench-sensors.json'));
    expect(designs[0]?.entities.Reading?.keys).toBeUndefined();
    expect(designs[0]?.patterns?.readingBySite).toMatchObject({ where: { site: '<site>' } });
    expect(status).toBe(0);
  });

  test('`from workbench` replaces a name that DynamoDB refuses, and marks the new name as unsure', async () => {
    const file = join(folder, 'spaced.json');
    const text = readFileSync(model('workbench-sensors.json'), 'utf8').replace('"readings"', '"Sensor Data"');
    writeFileSync(file, text);
    const { designs, text: source } = await from(file);
    expect(designs[0]?.name).toBe('Sensor-Data');
    expect(source).toContain("// unsure: DynamoDB refuses the name 'Sensor Data'\n  name: 'Sensor-Data'");
  });

  test('`from workbench` reads a version 1.0 model without facets, and reports the JSON fields that it skips', async () => {
    const { text, designs, status } = await from('workbench', model('workbench-1.0.json'));
    expect(designs.map(({ name }) => name).sort()).toEqual(['messages', 'rooms']);
    expect(text).toContain(
      "export const chat = defineSystem({ name: 'chat', cloud: 'aws', tables: { rooms, messages } });",
    );
    expect(text).toContain('// unsure: not read from workbench-1.0.json: AccessPatterns');
    expect(status).toBe(1);
  });
});

describe("`from` with the models of AWS's tools", () => {
  test('`from aws-model` reads a model that consists of CreateTable input and items', async () => {
    const { keysOf, text } = await from('aws-model', model('dynamodb_data_model.json'));
    expect(keysOf('Deal')).toEqual({ pk: 'DEAL#<deal_id>', sk: 'DEAL#<created_at:date>' });
    expect(keysOf('Watch')).toEqual({ pk: 'USER#<user_id>', sk: 'WATCH#<brand>' });
    expect(text).toContain('// 1: deals of a brand (Query on DealsByBrand)');
  });

  test("`from aws-model` reads a model with Python's booleans", async () => {
    const file = join(folder, 'python.json');
    const text = readFileSync(model('dynamodb_data_model.json'), 'utf8');
    const words = '"deal_id": { "S": "d1" }, "hot": { "BOOL": True }, "text": { "S": "True \\" None" }';
    writeFileSync(file, text.replace('"deal_id": { "S": "d1" }', words));
    const { text: design } = await from('aws-model', file);
    expect(design).toContain('hot: z.boolean().optional()');
  });

  test("`from aws-model` reads a model's entities and leaves their key templates to the user", async () => {
    const { designs, text, status } = await from('aws-model', model('toolkit_data_model.json'));
    expect(designs[0]?.indexes).toEqual({ byStatus: { partition: 'status', projection: ['total'] } });
    expect(text).toContain(
      "// unsure: the model does not show how keys are built; write the key templates under 'keys'",
    );
    expect(status).toBe(1);
  });

  test('`from aws-model` reads schema.json, with its patterns', async () => {
    const { designs, keysOf, status } = await from(model('schema.json'));
    expect(keysOf('User')).toEqual({ pk: 'USER#<user_id>', sk: 'PROFILE', gsi1sk: 'USER#<user_id>' });
    expect(keysOf('Order')).toEqual({ pk: 'USER#<user_id>', sk: 'ORDER#<placed>#<number:5>' });
    expect(designs[0]?.patterns).toMatchObject({
      get_user: { op: 'get', where: { pk: 'USER#<user_id>', sk: 'PROFILE' }, purpose: 'a user by id' },
      set_age: { op: 'update', set: { age: '<age>' } },
      orders_since: { op: 'query', where: { pk: 'USER#<user_id>', sk: { between: ['ORDER#<since>', 'ORDER#~'] } } },
    });
    expect(status).toBe(0);
  });
});

test('patterns that `from` reads from schema.json select only what their index projects; patterns without an equivalent are omitted', async () => {
  const { designs, text } = await from(model('forum-schema.json'));
  expect(designs[0]?.patterns?.by_author).toMatchObject({
    where: { gpk: 'AUTHOR#<author>', gsk: { atLeast: '<since>' } },
    select: ['forum_id', 'created', 'thread_id', 'author', 'title'],
  });
  expect(designs[0]?.indexes?.multi).toEqual({ partition: ['org', 'team'], sort: ['created'] });
  expect(text).toContain('cross_table_access_patterns');
});

test("`from template` reads a stack's tables and leaves their entities to the user", async () => {
  const file = join(folder, 'stack.template.json');
  const key = [{ AttributeName: 'id', KeyType: 'HASH' }];
  const Properties = { KeySchema: key, AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }] };
  writeFileSync(file, JSON.stringify({ Resources: { Things0A1B2C3D: { Type: 'AWS::DynamoDB::Table', Properties } } }));
  const { designs, text, status } = await from('template', file);
  expect(blueprint(designs[0] as TableDesign).key.partition).toEqual({ name: 'id', type: 'number' });
  expect(designs[0]?.name).toBe('Things');
  expect(text).toContain(
    '// unsure: a template does not describe items; replace this entity with one per kind of item',
  );
  expect(status).toBe(1);
});

test.each([
  ['electrodb', 'electrodb.ts', 0],
  ['dynamodb-toolbox', 'toolbox.ts', 0],
  ['onetable', 'onetable.ts', 1],
])('`from %s` loads a module and reads its models', async (kind, file, expected) => {
  const { status, stderr, designs } = await from(kind, model(file));
  expect(stderr).toContain('keys compared with 16 items, 4 of them held out');
  expect(outline(designs[0] as TableDesign).entities.length).toBeGreaterThan(1);
  expect(status).toBe(expected);
});

describe('bad input', () => {
  test('`from` names a file in an unknown format and lists the formats that it tried', async () => {
    const file = join(folder, 'odd.json');
    writeFileSync(file, '[1, 2]');
    const { status, stderr } = await tablewright('from', file);
    expect(status).toBe(2);
    expect(stderr).toContain(
      `odd.json' is not in a format that 'tablewright from' can import; tried: a NoSQL Workbench model (DataModel); `,
    );
  });

  test('`from` shows the mistake in a file that is not JSON', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{ "DataModel": [], }');
    for (const args of [[file], ['workbench', file]])
      expect((await tablewright('from', ...args)).stderr).toContain(
        "broken.json' is not JSON: line 1, column 20: expected a name in double quotes, got '}'",
      );
  });

  test('`from table` says how to set a missing region', async () => {
    const env = { PATH: process.env.PATH, HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' };
    expect(await tablewrightIn(folder, ['from', 'table', 'nope'], env)).toEqual({
      status: 1,
      stdout: '',
      stderr:
        'tablewright: no AWS region is set; set AWS_REGION, such as AWS_REGION=eu-west-1, or pass --endpoint with the address of a local DynamoDB\n',
    });
  });

  test('`from workbench` says which format it expects, and names the command for a file in another format', async () => {
    const { status, stderr } = await tablewright('from', 'workbench', model('schema.json'));
    expect(status).toBe(2);
    expect(stderr).toContain('not a NoSQL Workbench model (DataModel); write: npx tablewright from aws-model ');
  });

  test.each([
    [['from'], 'pass a table, a file or a folder to import'],
    [['from', 'electro', 'x'], "'electro' is not a format that 'tablewright from' can import; did you mean electrodb?"],
    [['from', 'workbench', 'none.json'], "there is no file or folder 'none.json'"],
    [['from', 'orders'], 'to read a live table, write: npx tablewright from table orders'],
    [['from', model('electrodb.ts')], 'is code; specify the library that its models use'],
    [['to'], 'choose the format to write: workbench, aws-model, json-schema, markdown'],
    [
      ['to', 'workbnch', '--demo', 'blog'],
      "'workbnch' is not a format that 'tablewright to' can write; did you mean workbench?",
    ],
    [['to', 'workbench', '--demo'], "'to workbench' writes one design; choose one of"],
  ])('refuses the arguments %j', async (args, message) => {
    const { status, stderr } = await tablewright(...args);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('`from` never overwrites a file', async () => {
    const file = join(folder, 'mine.ts');
    writeFileSync(file, 'mine');
    const { status, stderr } = await tablewright('from', model('schema.json'), '--output', file);
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining("mine.ts' already exists; choose another name, or remove the existing file"),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });
});

test('`from --json` reports each `unsure` mark as a finding', async () => {
  const { status, stdout } = await tablewright('from', model('toolkit_data_model.json'), '--json');
  const { findings, result } = JSON.parse(stdout);
  expect(status).toBe(1);
  expect(findings).toContainEqual({
    ...{ code: 'unsure-detail', severity: 'warning', design: 'orders', path: 'entities.Order' },
    message: "the model does not show how keys are built; write the key templates under 'keys'",
  });
  expect(result).toMatchObject({ kind: 'aws-model', compared: 0, design: expect.stringContaining('defineTable') });
});

test('a design survives a round trip through NoSQL Workbench', async () => {
  const file = join(folder, 'model.json');
  expect(await tablewright('to', 'workbench', '--demo', 'blog', '--output', file)).toMatchObject({ status: 0 });
  const { status, text } = await from(file);
  expect(status).toBe(0);
  expect(text).toContain('defineSystem');
  for (const format of ['aws-model', 'json-schema', 'markdown'])
    expect(await tablewright('to', format, '--demo', 'blog')).toMatchObject({ status: 0, stderr: '' });
});

test('all code that `from` generates compiles', () => {
  expect(files).toBeGreaterThan(10);
  expect(existsSync(join(folder, 'design0.ts'))).toBe(true);
  const paths = { tablewright: [join(ROOT, 'lib/index.ts')] };
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: { paths },
    include: ['design*.ts'],
    exclude: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  expect(tsc('-p', folder, '--noEmit')).toBe('');
});

test.each(['workbench', 'aws-model'])('`to %s` refuses a design for Azure and gives the reason', async (format) => {
  expect(await tablewright('to', format, 'controle-pgm', '--demo')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining(`'to ${format}' writes DynamoDB tables, but 'controle-pgm' is designed for Azure`),
  });
});
