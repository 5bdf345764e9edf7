import { z } from 'zod';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { outline } from '../../../../lib/blueprint/outline';
import { defineSystem } from '../../../../lib/design/system';
import { defineTable } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { Copy } from '../../../../lib/explore/engine/copy';
import { heldIn } from '../../../../lib/explore/engine/held';
import { heldRows, sampled } from '../../../../lib/explore/engine/held-rows';
import { explore } from '../../../../lib/explore/system';
import { stackOf } from '../../../support/azurite';
import { startExplorer } from '../../../support/browser';
import { shareCredentials } from '../../../support/credentials';

const attributes = z.object({
  ...{ list: z.string(), n: z.int(), text: z.string() },
  seal: z.instanceof(Uint8Array).optional(),
});
const keys = { PK: 'LIST#<list>', SK: 'NOTE#<n:4>' } as const;
const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byText: { partition: 'text', projection: 'keys' } },
  entities: { Note: { attributes, keys } },
  patterns: {
    note: { op: 'get', where: keys, returns: ['Note'] },
    notes: { op: 'query', where: { PK: keys.PK }, returns: ['Note'] },
    change: { op: 'update', entity: 'Note', where: keys, set: { text: '<text>' } },
    seal: { op: 'update', entity: 'Note', where: keys, set: { seal: '<seal>' } },
  },
});
const system = defineSystem({ name: 'pad', cloud: 'aws', tables: { notes } });
const table = { name: 'notes', table: outline(notes) };
const NAME = 'my-notes';
const SIZE = 230;

let engine: Database;
let sent: string[];
const held = () => {
  sent = [];
  const watched: Database = {
    ...engine,
    send(command, input) {
      sent.push(command);
      return engine.send(command, input);
    },
  };
  return heldIn(system, watched, () => NAME);
};
beforeAll(async () => {
  engine = await embeddedEngine();
  await engine.provision({
    Resources: {
      Notes: {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          TableName: NAME,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: ['PK', 'SK', 'text'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
          KeySchema: [
            { AttributeName: 'PK', KeyType: 'HASH' },
            { AttributeName: 'SK', KeyType: 'RANGE' },
          ],
          GlobalSecondaryIndexes: [
            {
              IndexName: 'byText',
              KeySchema: [{ AttributeName: 'text', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'KEYS_ONLY' },
            },
          ],
        },
      },
    },
  });
  for (let n = 0; n < SIZE; n++) {
    const list = n < 150 ? 'long' : `l${n % 4}`;
    const Item = {
      PK: `LIST#${list}`,
      SK: `NOTE#${String(n).padStart(4, '0')}`,
      list,
      n,
      text: n === 200 ? 'Rare' : 'x',
    };
    await engine.send('Put', { TableName: NAME, Item });
  }
});
afterAll(() => engine.stop());

test("reads a live table's items page by page and by partition, and identifies their entities", async () => {
  const where = held();
  const ids: number[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const rows = await heldRows(where, table, undefined, { cursor });
    expect(rows.from).toBe(ids.length);
    for (const { rows: some } of rows.partitions) {
      ids.push(...some.map(({ id }) => id));
      expect(new Set(some.map(({ entity }) => entity))).toEqual(new Set(['Note']));
    }
    cursor = rows.cursor as string | undefined;
    pages++;
  } while (cursor !== undefined);
  expect([ids.length, new Set(ids).size, pages]).toEqual([SIZE, SIZE, 3]);
  expect(new Set(sent)).toEqual(new Set(['Scan']));
});

test("shows an index's items, and applies a filter to all pages", async () => {
  const index = await heldRows(held(), table, 'byText', {});
  expect(Object.keys(index.partitions[0]?.rows[0]?.attributes ?? {}).sort()).toEqual(['PK', 'SK', 'text']);
  const rare = await heldRows(held(), table, undefined, { filter: 'rare' });
  expect(rare.partitions.map(({ key, rows }) => [key, rows.map(({ attributes: { n } }) => n)])).toEqual([
    ['LIST#l0', [200]],
  ]);
});

test.each([
  ['empty', ''],
  ['only a number', '0'],
  ['truncated', '1.'],
  ['without a number', 'x.y'],
  ['forged', '3.forged'],
  ['too long', `9.${'A'.repeat(70_000)}`],
])('refuses a cursor that is %s', async (_, cursor) => {
  await expect(heldRows(held(), table, undefined, { cursor })).rejects.toThrow(/cursor is damaged/);
});

test('prefills a form with the key of a stored item, and takes the other values from the case', async () => {
  const where = held();
  const values = { list: 'not stored', n: 7, text: 'of the case' };
  const cases = { tables: { notes: { items: {}, patterns: { change: { values } } } } } as never;
  const [first] = explore(system, cases, where, await sampled(where, [{ name: 'notes' }])).view.tables;
  const examples = new Map(first?.patterns.map(({ name, example }) => [name, example]));
  const stored = (await heldRows(where, table, undefined, {})).partitions.flatMap(({ rows }) => rows);
  const keyOf = ({ list, n }: Readonly<Record<string, unknown>>) => ({ list, n });
  expect(stored.map(({ attributes }) => keyOf(attributes))).toContainEqual(examples.get('note'));
  expect(stored.map(({ attributes }) => keyOf(attributes))).toContainEqual(keyOf(examples.get('change') ?? {}));
  expect(examples.get('change')).toMatchObject({ text: 'of the case' });
});

test('--copy runs writes on a copy, and only reads the live table', async () => {
  const where = held();
  const explored = explore(system, undefined, where);
  expect(explored.view).toMatchObject({ source: 'embedded (dynoxide)', problems: [] });
  const copy = new Copy(explored, embeddedEngine, undefined, true);
  const { changes } = await copy.run('change', { list: 'long', n: 3, text: 'new' });
  expect(changes).toEqual([
    expect.objectContaining({ kind: 'changed', attributes: [{ name: 'text', before: 'x', after: 'new' }] }),
  ]);
  const sealed = await copy.run('seal', { list: 'long', n: 4, seal: 'AQI=' });
  expect([sealed.error, sealed.changes[0]?.attributes]).toEqual([undefined, [{ name: 'seal', after: 'AQI=' }]]);
  const { answer, read } = await copy.run('notes', { list: 'l2' });
  expect((answer as { items: unknown[] }).items).toHaveLength(20);
  expect(read[0]?.lit).toHaveLength(20);
  await copy.stop();
  expect(new Set(sent)).toEqual(new Set(['Scan']));
});

/** An engine that must not start, because every program on this machine could reach its port. */
const noEngine = () => Promise.reject(new Error('an engine was started'));

test('reads run on the live table without --copy, and no engine starts', async () => {
  const direct = new Copy(explore(system, undefined, held()), noEngine);
  const { answer, read, requests, changes } = await direct.run('notes', { list: 'l2' });
  expect((answer as { items: unknown[] }).items).toHaveLength(20);
  expect([read[0]?.lit.length, read[0]?.partitions.length, changes]).toEqual([20, 1, []]);
  expect(requests.map(({ command }) => command)).toEqual(['Query']);
  const single = await direct.run('note', { list: 'long', n: 3 });
  expect(single.answer).toMatchObject({ text: 'x' });
  await direct.stop();
  expect(sent).toEqual(['Query', 'Get']);
});

test('refuses a write without --copy, and sends no request', async () => {
  const direct = new Copy(explore(system, undefined, held()), noEngine);
  const { error, requests, changes } = await direct.run('change', { list: 'long', n: 3, text: 'new' });
  expect(error).toEqual({ name: 'ReadOnly', message: expect.stringContaining('start again with --copy') });
  expect([requests, changes, sent]).toEqual([[], [], []]);
});

test('the error for a missing live table names the option that sets the table name', async () => {
  const where = heldIn(system, engine, () => 'nowhere');
  await expect(where.page('notes', undefined, undefined)).rejects.toThrow(
    "there is no table 'nowhere' at embedded (dynoxide); pass the name of the deployed table: --table notes=<name>",
  );
});

describe('Azure Tables', () => {
  const diary = defineSystem({
    name: 'diary',
    cloud: 'azure',
    tables: {
      Notes: defineTable({
        name: 'Notes',
        key: { partition: 'PartitionKey', sort: 'RowKey' },
        entities: { Note: { attributes, keys: { PartitionKey: '<list>', RowKey: '<n:4>' } } },
        patterns: {
          change: {
            op: 'update',
            entity: 'Note',
            where: { PartitionKey: '<list>', RowKey: '<n:4>' },
            set: { text: '<text>' },
            unchanged: true,
          },
          note: { op: 'get', where: { PartitionKey: '<list>', RowKey: '<n:4>' }, returns: ['Note'] },
        },
      }),
    },
  });
  let azure: AzureDatabase;
  beforeAll(async () => {
    azure = await azuriteEngine();
    await azure.provision(stackOf('Notes'));
    const note = (list: string, n: number, text: string) => ({
      ...{ partitionKey: list, rowKey: String(n).padStart(4, '0') },
      ...{ list, n, text },
    });
    await azure.put('Notes', [...Array.from({ length: 100 }, (_, n) => note('a', n, 'x')), note('b', 1, 'y')]);
  });
  afterAll(() => azure.stop());

  test("reads a live Azure table page by page, and uses the stored item's ETag to run a write that has no case", async () => {
    const methods = new Set<string>();
    const watched: AzureDatabase = {
      ...azure,
      send(to, call) {
        methods.add(call.method);
        return azure.send(to, call);
      },
    };
    const where = heldIn(diary, watched, (name) => name);
    const notesTable = { name: 'Notes', table: outline(diary.tables.Notes) };
    const first = await heldRows(where, notesTable, undefined, {});
    const second = await heldRows(where, notesTable, undefined, { cursor: first.cursor as string });
    expect([first, second].map(({ partitions }) => partitions.map(({ key, rows }) => [key, rows.length]))).toEqual([
      [['a', 100]],
      [['b', 1]],
    ]);
    const copy = new Copy(explore(diary, undefined, where), azuriteEngine, undefined, true);
    const { error, changes, cost } = await copy.run('change', { list: 'b', n: 1, text: 'z' });
    await copy.stop();
    expect([error, changes[0]?.attributes, cost?.million]).toEqual([
      undefined,
      [{ name: 'text', before: 'y', after: 'z' }],
      '$0.072',
    ]);
    expect([...methods]).toEqual(['listEntities']);
    const direct = new Copy(explore(diary, undefined, where), noEngine);
    expect((await direct.run('note', { list: 'b', n: 1 })).answer).toMatchObject({ text: 'y' });
    expect((await direct.run('change', { list: 'b', n: 1, text: 'z' })).error).toMatchObject({ name: 'ReadOnly' });
    expect([...methods]).toEqual(['listEntities', 'getEntity']);
  });
});

test("`explore --endpoint` serves live tables, and shows only the endpoint's address", async () => {
  shareCredentials(engine);
  const asked = new URL(engine.endpoint as string);
  const { address, stop } = await startExplorer([
    'blog',
    '--endpoint',
    `${asked.origin}/?token=hush`,
    '--table',
    `blog=${NAME}`,
  ]);
  try {
    const page = await (await fetch(address)).text();
    const { searchParams, origin } = new URL(address);
    expect(page).toContain(JSON.stringify(asked.origin));
    expect(page).not.toContain('hush');
    const rows = await fetch(new URL('/rows', origin), {
      method: 'POST',
      headers: { 'x-tablewright-token': searchParams.get('token') as string },
      body: JSON.stringify({ system: 'blog', table: 'blog' }),
    });
    const { partitions } = (await rows.json()) as { partitions: { rows: unknown[] }[] };
    expect(partitions.reduce((sum, one) => sum + one.rows.length, 0)).toBe(100);
  } finally {
    await stop();
  }
});
