import { transformSync } from 'esbuild';
import type { Database } from '../lib/dynamodb/engine/database';
import { embeddedEngine } from '../lib/dynamodb/engine/embedded';
import type { Item } from '../lib/items/item';
import { codeOf, textOf } from './support/documents';

// The tests run the document's four programs unchanged. The SDK finds the engine through environment variables.
const DOCUMENT = 'docs/guides/coming-from.md';

type Key = { project: string; id: string };
type Of = { project: string; status: string };

interface Program {
  create(task: Item): Promise<unknown>;
  read(key: Key): Promise<Item | null | undefined>;
  retitle(key: Key, title: string): Promise<unknown>;
  addPoints(key: Key, points: number): Promise<number>;
  close(key: Key): Promise<unknown>;
  page(of: Of, next?: unknown): Promise<{ readonly items: readonly Item[]; readonly next?: unknown }>;
  all(of: Of): Promise<readonly Item[]>;
  several(keys: readonly Key[]): Promise<readonly Item[]>;
  movePoints(from: Key, to: Key, points: number): Promise<unknown>;
  remove(key: Key): Promise<unknown>;
}

interface Own {
  tasksByLength(project: string, lengths: [number, number]): Promise<{ readonly items: readonly Item[] }>;
  double(project: string, id: string): Promise<Item>;
}

const TEMPLATE = {
  Resources: {
    Tasks: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        TableName: 'tasks',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        KeySchema: keySchema('PK', 'SK'),
        GlobalSecondaryIndexes: [
          { IndexName: 'GSI1', KeySchema: keySchema('GSI1PK', 'GSI1SK'), Projection: { ProjectionType: 'ALL' } },
        ],
      },
    },
  },
};

function keySchema(hash: string, range: string) {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    { AttributeName: range, KeyType: 'RANGE' },
  ];
}

const ENTRIES: Readonly<Record<string, string>> = {
  tablewright: '../lib',
  'tablewright/dynamodb': '../lib/dynamodb',
  'tablewright/dynamodb/sdk': '../lib/dynamodb/sdk',
};

function load<P = Program>(file: string): P {
  const source = codeOf(DOCUMENT).get(file);
  if (source === undefined) throw new Error(`${DOCUMENT} has no ${file}`);
  const { code } = transformSync(source, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('require', 'module', 'exports', code)(
    (name: string) => (name.startsWith('./') ? load(`${name.slice(2)}.ts`) : require(ENTRIES[name] ?? name)),
    module,
    module.exports,
  );
  return module.exports as P;
}

let engine: Database;
const before = { ...process.env };
beforeAll(async () => {
  engine = await embeddedEngine();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: engine.endpoint,
    AWS_REGION: 'local',
    AWS_ACCESS_KEY_ID: engine.credentials?.accessKeyId,
    AWS_SECRET_ACCESS_KEY: engine.credentials?.secretAccessKey,
  });
});
afterAll(async () => {
  process.env = before;
  await engine.stop();
});
beforeEach(() => engine.provision(TEMPLATE as never));
afterEach(() => engine.drop('tasks'));

const project = '0f8fad5b-d9cb-469f-a165-70867728950e';
const task = (id: string, more: object = {}) => ({
  ...{ project, id, title: `task ${id}`, status: 'open', points: 1, dueAt: `2026-12-0${id}` },
  ...more,
});
const key = (id: string): Key => ({ project, id });
const open = { project, status: 'open' };

/** Returns the stored items, without the bookkeeping attributes that the other libraries add. */
async function contents(): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const { __edb_e__, __edb_v__, kind, ...item } of engine.scan('tasks')) items.push(item);
  return items.sort((one, other) => String(one.SK).localeCompare(String(other.SK)));
}

const plain = (item: Item | null | undefined) => {
  const { kind, ...rest } = item ?? {};
  return { ...rest };
};

/** Runs the same sequence of calls for any program, and returns the results. */
async function story(program: Program): Promise<readonly unknown[]> {
  const told: unknown[] = [];
  const ids = ['1', '2', '3', '4', '5'];
  for (const id of ids) await program.create(task(id));
  told.push(await contents());
  told.push(await program.create(task('1', { title: 'again' })).then(String, () => 'refused'));
  told.push(plain(await program.read(key('1'))), plain(await program.read(key('9'))));
  await program.retitle(key('2'), 'renamed');
  told.push(await program.retitle(key('9'), 'nothing').then(String, () => 'refused'));
  told.push(await program.addPoints(key('3'), 4));
  await program.close(key('4'));
  told.push(await program.close(key('4')).then(String, () => 'refused'));
  told.push(await contents());
  const first = await program.page(open);
  const second = await program.page(open, first.next);
  told.push(first.items.map(plain), second.items.map(plain));
  told.push((await program.all(open)).map(({ id }) => id).sort());
  told.push((await program.several([key('1'), key('5'), key('9')])).map(({ id }) => id).sort());
  await program.movePoints(key('3'), key('1'), 2);
  await program.remove(key('5'));
  told.push(await contents());
  return told;
}

let ours: readonly unknown[];
beforeEach(async () => {
  ours ??= await story(load('work.ts'));
  await engine.drop('tasks');
  await engine.provision(TEMPLATE as never);
});

test('the Tablewright calls in the document return the results that the document shows', () => {
  const [created, again, read, missing, noTitle, points, closed, , first, second, all, several, left] = ours;
  expect(created).toHaveLength(5);
  expect(again).toBe('refused');
  expect(read).toEqual(task('1'));
  expect(missing).toEqual({});
  expect(noTitle).toBe('refused');
  expect(points).toBe(5);
  expect(closed).toBe('refused');
  expect([first, second]).toMatchObject([
    [{ id: '5' }, { id: '3' }],
    [{ id: '2' }, { id: '1' }],
  ]);
  expect(all).toEqual(['1', '2', '3', '5']);
  expect(several).toEqual(['1', '5']);
  expect(left).toMatchObject([{ id: '1', points: 3 }, { title: 'renamed' }, { points: 3 }, { status: 'done' }]);
});

test.each(['electrodb.ts', 'toolbox.ts', 'onetable.ts'])(
  'each call in %s returns and stores the same values as Tablewright',
  async (file) => {
    expect(await story(load(file))).toEqual(ours);
  },
);

test("handwritten expressions read and write the same items as Tablewright's patterns", async () => {
  const observed = jest.spyOn(console, 'log').mockImplementation();
  const { create } = load('work.ts');
  await create(task('1', { title: 'abc' }));
  await create(task('2', { title: 'abcd', points: 4 }));
  await create(task('3', { title: 'abcde' }));
  const own = load<Own>('own.ts');
  expect((await own.tasksByLength(project, [3, 4])).items.map(({ id }) => id)).toEqual(['1', '2']);
  expect(await own.double(project, '2')).toMatchObject({ title: 'abcd', points: 8 });
  expect(observed.mock.calls).toMatchObject([
    [{ table: 'tasks', pattern: 'tasksByLength', operation: 'Query' }],
    [{ pattern: 'double', operation: 'Update' }],
  ]);
  observed.mockRestore();
});

test('the side-by-side calls in the document match its programs', () => {
  const squeezed = (text: string) => text.replace(/\s+/g, '').replaceAll(',)', ')');
  const programs = ['electrodb.ts', 'toolbox.ts', 'onetable.ts', 'work.ts'].map((file) =>
    squeezed(codeOf(DOCUMENT).get(file) as string),
  );
  const rows = textOf(DOCUMENT)
    .split('\n')
    .filter((line) => /^\| [a-z]/.test(line) && !line.startsWith('| to '));
  expect(rows).toHaveLength(10);
  for (const row of rows) {
    const [, , ...calls] = row.split(' | ').length === 5 ? ['', ...row.replace(/ \|$/, '').split(' | ')] : [];
    expect(calls).toHaveLength(4);
    calls.forEach((call, i) => {
      for (const part of call.replace(/^`|`$/g, '').split('…')) expect(programs[i]).toContain(squeezed(part));
    });
  }
});
