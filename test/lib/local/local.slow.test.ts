import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { defineSystem, defineTable } from '../../../lib';
import { client as azureClient } from '../../../lib/azure-tables';
import { client, type StreamRecord } from '../../../lib/dynamodb';
import { type Local, startLocal as start } from '../../../lib/local';
import { defineCases } from '../../../lib/proof';
import { until } from '../../support/processes';

const keys = { PK: 'NOTE#<id>' } as const;
const attributes = z.object({ id: z.string(), text: z.string(), expires: z.int().optional() });
const patterns = {
  note: { op: 'get', where: keys, returns: ['Note'] },
  addNote: { op: 'put', entity: 'Note' },
} as const;
const plain = defineTable({
  name: 'notes',
  key: { partition: 'PK' },
  entities: { Note: { attributes, keys } },
  patterns,
});
const system = defineSystem({ name: 'pad', cloud: 'aws', tables: { notes: plain } });
const cases = defineCases(system, {
  tables: {
    notes: {
      items: { first: ['Note', { id: '1', text: 'one' }] },
      patterns: {
        note: { values: { id: '1' }, returns: ['first'] },
        addNote: { values: { id: '2', text: 'two' }, shows: [] },
      },
    },
  },
});
const withIndex = {
  ...cases,
  system: { ...system, tables: { notes: { ...plain, ttl: 'expires', indexes: { byText: { partition: 'text' } } } } },
};
const withOtherKey = {
  ...cases,
  system: {
    ...system,
    tables: {
      notes: {
        ...plain,
        key: { partition: 'id' },
        entities: { Note: { attributes } },
        patterns: { addNote: patterns.addNote, note: { op: 'get', where: { id: '<id>' }, returns: ['Note'] } },
      },
    },
  },
};

const started: Local[] = [];
const startLocal: typeof start = async (...args) => {
  const local = await start(...args);
  started.push(local as Local);
  return local;
};
afterEach(async () => {
  for (const local of started.splice(0)) await local.stop();
});

test('starts with the items from the cases, and restores them on reset', async () => {
  const local = await startLocal(cases);
  const { note, addNote } = client(plain, local.tableName('notes'), local.send);
  expect(local.tableName('notes')).toBe('pad-dev-notes');
  expect(await note({ id: '1' })).toMatchObject({ text: 'one' });
  await addNote({ id: '2', text: 'two' });
  await local.reset();
  expect(await note({ id: '2' })).toBeUndefined();
  expect(() => local.tableName('note')).toThrow("'note' is not a table of 'pad'; its tables are notes");
});

test('keeps items when an index or TTL is added, and recreates a table when its key changes', async () => {
  const local = await startLocal(cases);
  const { note, addNote } = client(plain, local.tableName('notes'), local.send);
  await addNote({ id: '2', text: 'two' });
  expect(await local.bring(withIndex)).toEqual({ notes: 'changed' });
  expect(await note({ id: '2' })).toMatchObject({ text: 'two' });
  expect(await local.bring(withIndex)).toEqual({ notes: 'kept' });
  expect(await local.bring(cases)).toEqual({ notes: 'changed' });
  expect(await local.bring(withOtherKey as never)).toEqual({ notes: 'recreated' });
});

const withOtherTemplate = {
  ...cases,
  system: {
    ...system,
    tables: {
      notes: {
        ...plain,
        entities: { Note: { attributes, keys: { PK: 'MEMO#<id>' } } },
        patterns: { ...patterns, note: { op: 'get', where: { PK: 'MEMO#<id>' }, returns: ['Note'] } },
      },
    },
  },
} as unknown as typeof cases;

test('stores the items of the cases again if a key template changes, unless the table has other items', async () => {
  const local = await startLocal(cases);
  expect(await local.bring(withOtherTemplate)).toEqual({ notes: 'refilled' });
  const { note, addNote } = client(withOtherTemplate.system.tables.notes, local.tableName('notes'), local.send);
  expect(await note({ id: '1' })).toMatchObject({ text: 'one' });
  expect(await local.misfits('notes')).toEqual([]);
  await addNote({ id: '2', text: 'two' });
  expect(await local.bring(cases)).toEqual({ notes: 'kept' });
  const why = 'the item belongs to no entity of the design';
  const misfits = [...(await local.misfits('notes'))].sort((one, other) => one.key.localeCompare(other.key));
  expect(misfits).toEqual([
    { key: 'PK "MEMO#1"', why },
    { key: 'PK "MEMO#2"', why },
  ]);
});

test('fills a recreated table', async () => {
  const local = await startLocal(cases);
  await local.bring(withOtherKey as never);
  const { note } = client(withOtherKey.system.tables.notes as never, local.tableName('notes'), local.send) as never as {
    note(values: object): Promise<object | undefined>;
  };
  expect(await note({ id: '1' })).toMatchObject({ text: 'one' });
});

test('keeps items in a folder across restarts', async () => {
  const data = join(mkdtempSync(join(tmpdir(), 'local-')), 'data');
  const first = await startLocal(cases, { data });
  await client(plain, first.tableName('notes'), first.send).addNote({ id: '2', text: 'two' });
  await first.stop();
  const second = await startLocal(withIndex, { data });
  const { note } = client(plain, second.tableName('notes'), second.send);
  expect(await note({ id: '2' })).toMatchObject({ text: 'two' });
  await second.stop();
});

test('sends changes to a handler in order, and retries until the handler succeeds', async () => {
  const seen: string[] = [];
  let failures = 0;
  const handler = ({ Records }: { readonly Records: readonly StreamRecord[] }) => {
    if (failures++ === 0) throw new Error('not yet');
    for (const { dynamodb } of Records) seen.push(JSON.stringify(dynamodb?.NewImage?.id));
  };
  const errors: unknown[] = [];
  const local = await startLocal(cases, { onChange: handler, onFailure: (error) => errors.push(error) });
  const { addNote } = client(plain, local.tableName('notes'), local.send);
  for (const id of ['2', '3', '4']) await addNote({ id, text: 'more' });
  await until(() => seen.length === 3);
  expect(seen).toEqual(['{"S":"2"}', '{"S":"3"}', '{"S":"4"}']);
  expect(errors).toEqual([expect.objectContaining({ message: 'not yet' })]);
});

test('refuses a design with errors, and leaves no engine running', async () => {
  const broken = { ...plain, ttl: 'missing' } as unknown as typeof plain;
  await expect(startLocal(broken)).rejects.toThrow(/ttl/);
});

test('starts Azurite for an Azure system, and provides a connection string for other programs', async () => {
  const rows = defineTable({
    name: 'Notes',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    entities: { Note: { attributes: z.object({ id: z.string() }), keys: { PartitionKey: 'NOTE', RowKey: '<id>' } } },
    patterns: {
      note: { op: 'get', where: { PartitionKey: 'NOTE', RowKey: '<id>' }, returns: ['Note'] },
      add: { op: 'put', entity: 'Note' },
    },
  });
  const azure = defineSystem({ name: 'rows', cloud: 'azure', tables: { Notes: rows } });
  const azureCases = defineCases(azure, {
    tables: {
      Notes: {
        items: { a: ['Note', { id: 'a' }] },
        patterns: { note: { values: { id: 'a' }, returns: ['a'] }, add: { values: { id: 'b' }, shows: [] } },
      },
    },
  });
  const local = await startLocal(azureCases);
  expect(await azureClient(rows, local.tableName('Notes'), local.send).note({ id: 'a' })).toMatchObject({ id: 'a' });
  const keys = { PartitionKey: 'NOTE', RowKey: 'N-<id>' };
  const entities = { Note: { ...rows.entities.Note, keys } };
  const changed = { ...rows, entities, patterns: { ...rows.patterns, note: { ...rows.patterns.note, where: keys } } };
  const edited = { ...azureCases, system: { ...azure, tables: { Notes: changed } } } as unknown as typeof azureCases;
  expect(await local.bring(edited)).toEqual({ Notes: 'refilled' });
  await azureClient(rows, local.tableName('Notes'), local.send).add({ id: 'b' });
  expect(await local.misfits('Notes')).toEqual([
    { key: 'PartitionKey "NOTE", RowKey "b"', why: 'the item belongs to no entity of the design' },
  ]);
  expect(local.env.AZURE_STORAGE_CONNECTION_STRING).toContain(`TableEndpoint=${local.database.endpoint};`);
});
