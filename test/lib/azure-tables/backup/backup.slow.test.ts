import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Send } from '../../../../lib/azure-tables';
import { exportTables } from '../../../../lib/azure-tables/backup/export';
import { importTables } from '../../../../lib/azure-tables/backup/import';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { marked } from '../../../../lib/azure-tables/engine/names';
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
/** Returns the engine with `send` replaced. */
const sending = (other: Send): AzureDatabase => ({ ...engine(), send: other });

test('restores an export with properties of every type', async () => {
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

/** Property names that the SDK, JavaScript or the protocol reserves. */
const NAMES = [
  ...['timestamp', 'etag', 'partitionKey', 'rowKey', 'PARTITIONKEY', 'partitionkey', 'Rowkey', 'TIMESTAMP', 'Etag'],
  ...['stored:timestamp', 'stored:', 'type', 'value', 'table', 'length'],
];

test('exports and restores properties with reserved names', async () => {
  const properties = NAMES.map((name) => [marked(name), `the ${name}`]);
  const typed = NAMES.map((name) => [marked(name), { type: 'Int64', value: '5' }]);
  await add('Things', 'p', 'text', Object.fromEntries(properties));
  await add('Things', 'p', 'typed', Object.fromEntries(typed));
  const before = await everything();
  expect(before.Things[0]).toMatchObject({ [marked('etag')]: { value: 'the etag' } });
  await exportTables(engine(), system, file);
  const [, line = ''] = readFileSync(file, 'utf8').split('\n');
  const { entity } = JSON.parse(line) as { entity: object };
  expect(Object.keys(entity).sort()).toEqual(['PartitionKey', 'RowKey', ...NAMES].sort());
  await clear();
  await importTables(engine(), file);
  expect(await everything()).toEqual(before);
});

test('exports and imports a property named __proto__', async () => {
  const own = (entity: object) => ({ ...entity, [marked('__proto__')]: { type: 'String', value: 'polluted' } });
  const lists = sending(async (table, call) => {
    const output = await send(table, call);
    return { ...output, entities: (output.entities ?? []).map(own) };
  });
  await add('Things', 'p', 'r');
  await exportTables(lists, system, file);
  expect(readFileSync(file, 'utf8')).toContain('"__proto__":"polluted"');
  await clear();
  const sent: unknown[] = [];
  const records = sending((table, call) => {
    if (call.method === 'submitTransaction') sent.push(...call.args[0].map(([, entity]) => entity));
    return send(table, call);
  });
  await importTables(records, file);
  expect(sent).toEqual([{ partitionKey: 'p', rowKey: 'r', [marked('__proto__')]: 'polluted' }]);
});

test('an export stops at an entity that cannot be restored, and removes the unfinished file', async () => {
  await add('Things', 'p', 'r');
  for (const property of [null, 5, { type: 'Edm.Future', value: '1' }, { type: 'Int64', value: 5 }]) {
    const strange = sending(async (table, call) => {
      const { entities = [], ...rest } = await send(table, call);
      return { ...rest, entities: entities.map((entity) => ({ ...entity, odd: property })) };
    });
    await expect(exportTables(strange, system, file)).rejects.toThrow(
      'Things: property \'odd\' of the entity with PartitionKey "p" and RowKey "r" cannot be exported without loss; nothing was exported',
    );
  }
  expect(readdirSync(folder)).not.toContain(basename(file));
});

test('exports and imports empty tables', async () => {
  await exportTables(engine(), system, file);
  expect(await importTables(engine(), file)).toMatchObject({ written: 0, kept: 0 });
});

describe('a file', () => {
  test('gives the file its final name only once it is complete, and makes it readable only by its owner', async () => {
    await add('Things', 'p', 'r');
    const failing = sending((table, call) =>
      table === 'Others' ? Promise.reject(new Error('on fire')) : send(table, call),
    );
    await expect(exportTables(failing, system, file, retry)).rejects.toThrow('on fire');
    expect(readdirSync(folder).filter((name) => file.endsWith(name) || name.includes('partial'))).toEqual([]);
    await exportTables(engine(), system, file);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  test('refuses to overwrite an existing file', async () => {
    writeFileSync(file, 'precious');
    await expect(exportTables(engine(), system, file)).rejects.toThrow(`'${file}' already exists; choose another name`);
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  describe.each<[string, (text: string) => string, string]>([
    ['that is truncated in its last line', (text) => text.slice(0, -10), 'is truncated'],
    ['that is truncated between lines', (text) => `${text.split('\n').slice(0, -3).join('\n')}\n`, 'is truncated'],
    ['that is truncated in the middle of a line', (text) => text.slice(0, text.length / 2), 'truncated'],
    ['with a letter changed', (text) => text.replace('"value":"3"', '"value":"4"'), 'is damaged'],
    [
      'with a missing line',
      (text) =>
        text
          .split('\n')
          .filter((_, i) => i !== 5)
          .join('\n'),
      'is damaged',
    ],
    ['that is empty', () => '', 'is empty; pass a file'],
    ['that is not an export', () => '{"name":"tablewright"}\n{}\n', 'is not an export; pass a file'],
    ['that is not JSON', () => 'hello\n', 'is not a complete export: line 1 is damaged or truncated; export again'],
    ['with an entity without its key', (text) => text.replace('"RowKey":"r"', '"Row":"r"'), 'is damaged or truncated'],
    [
      'with a value of an unknown type',
      (text) => text.replace('"type":"Guid"', '"type":"toString"'),
      'is damaged or truncated',
    ],
    [
      'of a later version',
      (text) => text.replace('"version":1', '"version":2'),
      'has version 2, but only version 1 is supported',
    ],
  ])('%s', (_, change, message) => {
    test('rejects a damaged file before writing any entity', async () => {
      await fill();
      await exportTables(engine(), system, file);
      await clear();
      writeFileSync(file, change(readFileSync(file, 'utf8')));
      await expect(importTables(engine(), file)).rejects.toThrow(message);
      expect(await everything()).toEqual({ Things: [], Others: [] });
    });
  });

  test('rejects a file that is truncated at any byte', async () => {
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

  test('refuses to import into non-empty tables, and names the tables and the options to use', async () => {
    await expect(importTables(engine(), file)).rejects.toThrow(
      `Things, Others at embedded (azurite) already contain entities; import into empty tables, or pass --resume to keep existing entities, or --overwrite to replace them`,
    );
  });

  test('an import with resume keeps existing entities and adds missing entities', async () => {
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

  test('an import with overwrite restores every entity from the file and keeps all others', async () => {
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

  test('refuses to import into an account that lacks some of the tables', async () => {
    await engine().drop('Others');
    await expect(importTables(engine(), file)).rejects.toThrow(
      "these tables do not exist at embedded (azurite): Others; create them first, with 'terraform apply'",
    );
  });

  const lost = Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });

  test.each(['before', 'after'])(
    'an import neither duplicates nor loses entities if the connection is lost %s every third write',
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

  test('reports how far an import got before the connection was lost, and resumes the import', async () => {
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

  test('does not retry an import that the service refuses', async () => {
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

  test.each([
    [{ statusCode: 400, code: 'InvalidDuplicateRow' }, 'the file contains a duplicate entity'],
    [{ statusCode: 409, code: 'EntityAlreadyExists' }, 'another program is writing the same entities'],
    [{ statusCode: 400, code: 'PropertyNameInvalid' }, 'the service rejects an entity in the file'],
  ])('suggests a fix instead of --resume after an import fails with %j', async (refusal, advice) => {
    await clear();
    const refusing = sending((table, call) =>
      call.method === 'submitTransaction'
        ? Promise.reject(Object.assign(new Error('refused'), refusal))
        : send(table, call),
    );
    const error = await importTables(refusing, file, retry).catch(({ message }: Error) => message);
    expect(error).toContain(advice);
    expect(error).not.toContain('--resume');
  });

  test('rejects a file with a duplicate entity before writing any entity', async () => {
    await clear();
    const [header = '', first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
    const trailer = JSON.parse(rest.at(-2) as string) as { entities: Record<string, number> };
    const body = [header, first, first, ...rest.slice(0, -2)].map((line) => `${line}\n`).join('');
    const entities = { ...trailer.entities, Things: (trailer.entities.Things ?? 0) + 1 };
    const sha256 = createHash('sha256').update(body).digest('hex');
    writeFileSync(file, `${body}${JSON.stringify({ entities, sha256 })}\n`);
    await expect(importTables(engine(), file)).rejects.toThrow(
      'contains the same entity twice (lines 2 and 3); export again',
    );
    expect(await everything()).toEqual({ Things: [], Others: [] });
  });
});

test('an export continues at the current page after a lost connection', async () => {
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
