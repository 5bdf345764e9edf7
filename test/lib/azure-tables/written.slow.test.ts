import { z } from 'zod';
import { client, etagOf, requests } from '../../../lib/azure-tables';
import { check } from '../../../lib/check';
import { defineSystem } from '../../../lib/design/system';
import { defineTable, type EntityDesign, type TableDesign } from '../../../lib/design/table';
import { azurite } from '../../support/azurite';

const where = { PartitionKey: 'NOTES', RowKey: '<id>' } as const;
const time = z.iso.datetime({ precision: 3 });

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  entities: {
    Note: {
      attributes: z.object({
        ...{
          id: z.string(),
          name: z.string(),
          sortName: z.string(),
          from: z.string(),
          to: z.string(),
          pair: z.string(),
        },
        ...{ seconds: z.int(), createdAt: time, votes: z.int().optional() },
      }),
      keys: where,
      stored: { sortName: 's', createdAt: 'c', votes: 'v', name: 'n' },
      timestamps: { created: 'createdAt', updated: 'seconds', unit: 'seconds' },
      computed: { sortName: '<name:lower>', pair: { sorted: ['<from>', '<to>'], separator: '~' } },
    },
  },
  patterns: {
    note: { op: 'get', where, returns: ['Note'] },
    named: {
      op: 'query',
      where: { PartitionKey: 'NOTES' },
      filter: { sortName: '<sortName>', votes: { atMost: '<most?>' } },
      select: ['id', 'sortName'],
      returns: ['Note'],
    },
    write: { op: 'put', entity: 'Note' },
    spelled: {
      op: 'put',
      entity: 'Note',
      item: { id: '<id>', name: '<name>', from: 'a', to: 'b' },
    },
    replace: { op: 'put', entity: 'Note', replace: true, unchanged: true },
    rename: { op: 'update', entity: 'Note', where, set: { name: '<name>', votes: '<votes?>' } },
    both: {
      op: 'transaction',
      steps: {
        note: { op: 'put', entity: 'Note' },
        other: { op: 'update', entity: 'Note', where, set: { name: '<name>' } },
      },
    },
  },
});
const system = defineSystem({ name: 'notes', cloud: 'azure', tables: { notes } });
const tables = azurite(system);
let now = Date.parse('2026-05-06T07:08:09.000Z');
const db = client(notes, 'notes', tables.send, { clock: () => now });
const values = { id: '1', name: 'ANA', from: 'b', to: 'a' };
const written = {
  ...values,
  ...{ sortName: 'ana', pair: 'a~b', createdAt: '2026-05-06T07:08:09.000Z', seconds: 1_778_051_289 },
};

beforeEach(() => {
  now = Date.parse('2026-05-06T07:08:09.000Z');
});

test('reports no findings for the design', () => {
  expect(check(system).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('a put writes timestamps and computed attributes under their stored names', async () => {
  await db.write(values);
  expect(await db.note({ id: '1' })).toEqual(written);
  const raw = await tables.send('notes', {
    method: 'getEntity',
    args: ['NOTES', '1', { disableTypeConversion: true }],
  });
  expect(raw.entity).toMatchObject({ n: { value: 'ANA' }, s: { value: 'ana' }, pair: { value: 'a~b' } });
  expect(Object.keys(raw.entity ?? {})).not.toEqual(expect.arrayContaining(['name', 'sortName', 'createdAt']));
  await db.spelled({ id: '2', name: 'Bob' });
  expect(await db.note({ id: '2' })).toMatchObject({
    name: 'Bob',
    sortName: 'bob',
    pair: 'a~b',
    seconds: 1_778_051_289,
  });
});

test('an update stores the time of the update, and recomputes the attributes that depend on changed values', async () => {
  await db.write(values);
  now += 5000;
  await db.rename({ id: '1', name: 'Eva', votes: 3 });
  expect(await db.note({ id: '1' })).toEqual({
    ...written,
    name: 'Eva',
    sortName: 'eva',
    votes: 3,
    seconds: 1_778_051_294,
  });
  expect((await db.named({ sortName: 'eva', most: 3 })).items).toEqual([{ id: '1', sortName: 'eva' }]);
  expect((await db.named({ sortName: 'eva', most: 2 })).items).toEqual([]);
});

test('a put can write back an item that was read, but rejects a wrong computed value', async () => {
  await db.write(values);
  const read = (await db.note({ id: '1' })) as NonNullable<Awaited<ReturnType<typeof db.note>>>;
  now += 5000;
  await db.replace(read, { etag: etagOf(read) });
  expect(await db.note({ id: '1' })).toEqual({ ...written, seconds: 1_778_051_294 });
  await expect(db.replace(read, { etag: etagOf(read) })).rejects.toThrow();
  const wrong = { ...values, id: '3', sortName: 'x' };
  await expect(db.write(wrong as never)).rejects.toThrow('sortName is "x", but the computed value is "ana"; omit it');
});

test('every step of a batch writes timestamps and computed attributes', async () => {
  await db.write(values);
  now += 5000;
  await db.both({ id: '1', name: 'Eva', note: { ...values, id: '2', name: 'Bob' } });
  expect(await db.note({ id: '1' })).toMatchObject({ sortName: 'eva', seconds: 1_778_051_294 });
  expect(await db.note({ id: '2' })).toMatchObject({ sortName: 'bob', seconds: 1_778_051_294 });
});

describe('unsupported features', () => {
  const design = (entity: Partial<EntityDesign>, upsert = false): TableDesign => ({
    ...notes,
    entities: {
      Note: {
        attributes: z.object({ id: z.string(), name: z.string(), at: time, rev: z.int() }),
        keys: where,
        ...entity,
      },
    },
    patterns: {
      note: notes.patterns.note,
      write: notes.patterns.write,
      change: { op: 'update', entity: 'Note', where, set: { name: '<name>', rev: 1 }, ...(upsert && { upsert }) },
    },
  });
  const callOf = (of: TableDesign, pattern: string) =>
    (requests(of, 'notes') as Readonly<Record<string, (values: object) => unknown>>)[pattern] as (
      values: object,
    ) => unknown;
  const found = (of: TableDesign) =>
    check(of).map(({ rule, cause, path, fix }) => `${rule} ${cause} at ${path}: ${fix}`);

  test("reports an entity's unsupported `version` field only once", () => {
    const versioned = { ...design({ version: 'rev' }) };
    const { change: _, ...patterns } = versioned.patterns as NonNullable<TableDesign['patterns']>;
    const update = { op: 'update', entity: 'Note', where, set: { name: '<name>' } } as const;
    const whole = { ...versioned, patterns: { ...patterns, update } };
    expect(found(whole)).toEqual([
      "unsound-written azure at entities.Note.version: remove 'version', and write unchanged: true in updates that must detect conflicts",
    ]);
    expect(() => callOf(whole, 'write')({ id: '1', name: 'a', at: '2026-05-06T07:08:09.000Z' })).toThrow(
      "Azure Tables gives 'Note' an ETag instead of a version; remove 'version', and write unchanged: true",
    );
  });

  test('reports only once that an upsert cannot write a creation time', () => {
    const upserted = design({ timestamps: { created: 'at' } }, true);
    expect(found(upserted)).toEqual([
      "cloud-operation no-copy at patterns.change.upsert: leave out 'upsert', and put a new item; or leave created: 'at' out of 'timestamps'",
    ]);
    expect(() => callOf(upserted, 'change')({ id: '1', name: 'a' })).toThrow(
      "an Azure upsert cannot write 'at' only to new items",
    );
  });
});
