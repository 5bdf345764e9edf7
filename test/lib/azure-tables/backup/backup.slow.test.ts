import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Send } from '../../../../lib/azure-tables';
import { exportTables } from '../../../../lib/azure-tables/backup/export';
import { importTables } from '../../../../lib/azure-tables/backup/import';
import type { AzureEngine } from '../../../../lib/azure-tables/engine/azure-tables';
import type { SystemDesign } from '../../../../lib/design/system';
import { azurite } from '../../../support/azurite';

const KEY = { partition: 'PartitionKey', sort: 'RowKey' } as const;
const system: SystemDesign = {
  name: 'backup',
  cloud: 'azure',
  tables: { Things: { name: 'Things', key: KEY, entities: {} }, Others: { name: 'Others', key: KEY, entities: {} } },
};
const { engine, send } = azurite(system);
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
let files = 0;
let file = '';
beforeEach(() => {
  file = join(folder, `export-${files++}.jsonl`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const retry = { pause: async () => undefined };
const add = (table: string, partitionKey: string, rowKey: string, more: object = {}) =>
  send(table, { method: 'createEntity', args: [{ partitionKey, rowKey, ...more } as never] });
const all = async (table: string) => {
  const { entities = [] } = await send(table, {
    method: 'listEntities',
    args: [{ queryOptions: {}, disableTypeConversion: true }],
    page: {},
  });
  return entities.map(({ etag: _, timestamp: __, ...rest }) => rest);
};
const everything = async () => ({ Things: await all('Things'), Others: await all('Others') });
const clear = async () => {
  for (const table of Object.keys(system.tables)) {
    for (const { partitionKey, rowKey } of await all(table)) {
      await send(table, { method: 'deleteEntity', args: [partitionKey as string, rowKey as string, { etag: '*' }] });
    }
  }
};
const fill = async () => {
  await add('Things', 'p', 'typed', {
    ...{ s: 'it\'s "é"\n😀', empty: '', yes: true, no: { type: 'Boolean', value: 'false' }, i: -5 },
    whole: { type: 'Double', value: '5' },
    real: { type: 'Double', value: '0.1' },
    nan: { type: 'Double', value: 'NaN' },
    long: { type: 'Int64', value: '9007199254740993' },
    fine: { type: 'DateTime', value: '2025-01-15T10:30:00.1234567Z' },
    guid: { type: 'Guid', value: '550e8400-e29b-41d4-a716-446655440000' },
    bytes: { type: 'Binary', value: 'AP8=' },
    looks: '{"a":5.0,"b":"Edm.Double"}',
  });
  for (let i = 0; i < 250; i++) await add('Things', i % 2 === 0 ? 'even' : "o'dd", String(i).padStart(4, '0'), { i });
  for (let i = 0; i < 20; i++) await add('Others', `p${i}`, 'r', { i });
};
/** The engine with another way to send. */
const sending = (other: Send): AzureEngine => ({ ...engine(), send: other });

test('what was exported is imported again, with every type', async () => {
  await fill();
  const before = await everything();
  expect(before.Things.find(({ rowKey }) => rowKey === 'typed')).toMatchObject({
    whole: { type: 'Double', value: '5.0' },
  });
  const told: string[] = [];
  const { entities } = await exportTables(engine(), system, file, {
    progress: (table, count) => told.push(`${table} ${count}`),
  });
  expect(entities).toEqual({ Things: 251, Others: 20 });
  expect(told).toEqual(['Things 251', 'Others 20']);
  await clear();
  const done: number[] = [];
  const imported = await importTables(engine(), file, { progress: (count, total) => done.push(count, total) });
  expect(imported).toMatchObject({ written: 271, kept: 0, header: { system: 'backup' } });
  expect(done.slice(-2)).toEqual([271, 271]);
  expect(await everything()).toEqual(before);
});

test('nothing at all can be exported and imported too', async () => {
  await exportTables(engine(), system, file);
  expect(await importTables(engine(), file)).toMatchObject({ written: 0, kept: 0 });
});

describe('a file', () => {
  test('has its name only when it is whole, and can be read by its owner alone', async () => {
    await add('Things', 'p', 'r');
    const failing = sending((table, call) =>
      table === 'Others' ? Promise.reject(new Error('on fire')) : send(table, call),
    );
    await expect(exportTables(failing, system, file, retry)).rejects.toThrow('on fire');
    expect(readdirSync(folder).filter((name) => file.endsWith(name) || name.includes('partial'))).toEqual([]);
    await exportTables(engine(), system, file);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test('that is there is not written over', async () => {
    writeFileSync(file, 'precious');
    await expect(exportTables(engine(), system, file)).rejects.toThrow(`'${file}' exists already; name another file`);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  describe.each<[string, (text: string) => string, string]>([
    ['that is cut in its last line', (text) => text.slice(0, -10), 'is truncated'],
    ['that is cut between lines', (text) => `${text.split('\n').slice(0, -3).join('\n')}\n`, 'is truncated'],
    ['that is cut in the middle of a line', (text) => text.slice(0, text.length / 2), 'truncated'],
    ['with a letter changed', (text) => text.replace('"value":"3"', '"value":"4"'), 'is damaged'],
    [
      'with a line lost',
      (text) =>
        text
          .split('\n')
          .filter((_, i) => i !== 5)
          .join('\n'),
      'is damaged',
    ],
    ['that is empty', () => '', 'is empty; name a file'],
    ['of something else', () => '{"name":"tablewright"}\n{}\n', 'is not an export; name a file'],
    ['that is no JSON', () => 'hello\n', 'is not a complete export: line 1 is damaged or truncated; export again'],
    ['with an entity without its key', (text) => text.replace('"RowKey":"r"', '"Row":"r"'), 'is damaged or truncated'],
    [
      'with a value of no type',
      (text) => text.replace('"type":"Guid"', '"type":"toString"'),
      'is damaged or truncated',
    ],
    [
      'of a later version',
      (text) => text.replace('"version":1', '"version":2'),
      'has version 2, but only version 1 is supported',
    ],
  ])('%s', (_, change, message) => {
    test('is noticed before anything is written', async () => {
      await fill();
      await exportTables(engine(), system, file);
      await clear();
      writeFileSync(file, change(readFileSync(file, 'utf8')));
      await expect(importTables(engine(), file)).rejects.toThrow(message);
      expect(await everything()).toEqual({ Things: [], Others: [] });
    });
  });

  test('that loses its end at any byte is never taken for whole', async () => {
    for (let i = 0; i < 3; i++) await add('Things', 'p', `${i}`, { s: 'é😀' });
    await exportTables(engine(), system, file);
    const { size } = statSync(file);
    for (let cut = 1; cut < size; cut += 7) {
      const copy = `${file}.cut`;
      writeFileSync(copy, readFileSync(file));
      truncateSync(copy, size - cut);
      await expect(importTables(engine(), copy, { into: 'resume' })).rejects.toThrow(
        /truncated|damaged|not an export|empty/,
      );
    }
  });
});

describe('an import', () => {
  beforeEach(async () => {
    await fill();
    await exportTables(engine(), system, file);
  });

  test('into tables that are not empty is refused, and says which and what to say instead', async () => {
    await expect(importTables(engine(), file)).rejects.toThrow(
      `there are entities in Things, Others at embedded (azurite); import into empty tables, or give --resume (existing entities stay) or --overwrite (they are replaced)`,
    );
  });

  test('that resumes leaves what is there as it is, and adds what is not', async () => {
    const change = (n: number) =>
      ({
        method: 'updateEntity',
        args: [{ partitionKey: 'even', rowKey: '0000', i: n }, 'Replace', { etag: '*' }],
      }) as never;
    await send('Things', change(99));
    for (const rowKey of ['0002', '0100'])
      await send('Things', { method: 'deleteEntity', args: ['even', rowKey, { etag: '*' }] });
    expect(await importTables(engine(), file, { into: 'resume' })).toMatchObject({ written: 2, kept: 269 });
    expect(await all('Things')).toHaveLength(251);
    expect((await all('Things')).find(({ rowKey }) => rowKey === '0000')).toMatchObject({ i: { value: '99' } });
  });

  test('that overwrites puts everything back, and leaves alone what the file does not have', async () => {
    await send('Things', {
      method: 'upsertEntity',
      args: [{ partitionKey: 'even', rowKey: '0000', j: 1 } as never, 'Replace'],
    });
    await add('Things', 'new', 'r');
    expect(await importTables(engine(), file, { into: 'overwrite' })).toMatchObject({ written: 271, kept: 0 });
    expect((await all('Things')).find(({ rowKey }) => rowKey === '0000')).toEqual({
      partitionKey: 'even',
      rowKey: '0000',
      i: { type: 'Int32', value: '0' },
    });
    expect(await all('Things')).toHaveLength(252);
  });

  test('into an account without the tables is refused', async () => {
    await engine().drop('Others');
    await expect(importTables(engine(), file)).rejects.toThrow(
      "there is no table Others at embedded (azurite); create it first, with 'terraform apply'",
    );
  });

  const lost = Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });

  test.each(['before', 'after'])(
    'whose connection is lost %s every third write doubles and loses nothing',
    async (when) => {
      const before = await everything();
      await clear();
      let writes = 0;
      const shaky = sending(async (table, call) => {
        const isLost = call.method === 'submitTransaction' && ++writes % 3 === 0;
        if (isLost && when === 'before') throw lost;
        const output = await send(table, call);
        if (isLost) throw lost;
        return output;
      });
      await importTables(shaky, file, retry);
      expect(await everything()).toEqual(before);
      expect(writes).toBeGreaterThan(25);
    },
  );

  test('whose connection stays lost says how far it came, and goes on from there', async () => {
    const before = await everything();
    await clear();
    let writes = 0;
    const cut = sending((table, call) =>
      call.method === 'submitTransaction' && ++writes > 10 ? Promise.reject(lost) : send(table, call),
    );
    await expect(importTables(cut, file, retry)).rejects.toThrow(
      /^the import stopped after \d+ of 271 entities \(the connection is lost\); import the same file with --resume to continue$/,
    );
    const { written, kept } = await importTables(engine(), file, { into: 'resume' });
    expect(written + kept).toBe(271);
    expect(kept).toBeGreaterThan(0);
    expect(await everything()).toEqual(before);
  });

  test('that is refused by the service is not tried again', async () => {
    await clear();
    let writes = 0;
    const refusing = sending((table, call) => {
      if (call.method !== 'submitTransaction') return send(table, call);
      writes++;
      return Promise.reject(Object.assign(new Error('not allowed'), { statusCode: 403 }));
    });
    await expect(importTables(refusing, file, retry)).rejects.toThrow('(not allowed)');
    expect(writes).toBeLessThanOrEqual(8);
  });
});

test('an export whose connection is lost goes on with the page it was at', async () => {
  for (let at = 0; at < 1200; at += 100) {
    await send('Things', {
      method: 'submitTransaction',
      args: [
        Array.from({ length: 100 }, (_, i) => [
          'create',
          { partitionKey: 'p', rowKey: String(at + i).padStart(6, '0') } as never,
        ]),
      ],
    });
  }
  let reads = 0;
  const shaky = sending((table, call) =>
    ++reads % 2 === 1 ? Promise.reject(Object.assign(new Error('lost'), { code: 'ECONNRESET' })) : send(table, call),
  );
  const { entities } = await exportTables(shaky, system, file, retry);
  expect(entities).toEqual({ Things: 1200, Others: 0 });
  const rows = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1, -1)
    .map((line) => JSON.parse(line).entity.RowKey);
  expect(new Set(rows).size).toBe(1200);
});
