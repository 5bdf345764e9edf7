import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../lib';
import { AS_STORED, type AzureCall, listCall } from '../../../../lib/azure-tables/calls';
import type { Entity } from '../../../../lib/azure-tables/edm';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import { readEntity } from '../../../../lib/azure-tables/entity';
import { azureStates } from '../../../../lib/azure-tables/migration/states';
import { azureStore } from '../../../../lib/azure-tables/migration/store';
import { lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import { runMigration } from '../../../../lib/evolve/migration/run/run';
import { loadState } from '../../../../lib/evolve/migration/run/state';
import type { StateStore } from '../../../../lib/evolve/migration/run/store';
import { verifyMigration } from '../../../../lib/evolve/migration/run/verify';
import { stackOf } from '../../../support/azurite';
import { randomOf } from '../../../support/migration-project';

const key = { partition: 'PartitionKey', sort: 'RowKey' };
const before = defineSystem({
  name: 'archive',
  cloud: 'azure',
  tables: {
    docs: defineTable({
      name: 'docs',
      key,
      typeAttribute: 'Kind',
      entities: {
        Doc: {
          attributes: z.object({
            docId: z.string(),
            size: z.number(),
            seen: z.iso.datetime(),
            tags: z.array(z.string()),
          }),
          keys: { PartitionKey: 'doc-<docId>', RowKey: 'doc' },
        },
        Tag: {
          attributes: z.object({ tagId: z.string(), nome: z.string(), note: z.string().nullable() }),
          keys: { PartitionKey: 'tag-<tagId>', RowKey: 'tag' },
        },
      },
      separator: '-',
      patterns: { putDoc: { op: 'put', entity: 'Doc' }, putTag: { op: 'put', entity: 'Tag' } },
    }),
  },
});
const after = defineSystem({
  ...before,
  tables: {
    docs: defineTable({
      ...before.tables.docs,
      entities: {
        Doc: {
          attributes: before.tables.docs.entities.Doc.attributes.extend({ pages: z.int().max(1000).default(1) }),
          keys: { PartitionKey: 'file-<docId>', RowKey: 'doc' },
        },
        Tag: {
          attributes: z.object({ tagId: z.string(), name: z.string(), note: z.string().nullable() }),
          keys: { PartitionKey: 'tag-<tagId>', RowKey: 'tag' },
        },
      },
    }),
  },
});
const lock = lockOf(before, { environment: 'prod' });
const plan = planFor(lock, after, { renamed: { 'docs.Tag.nome': 'name' } });
const migration = migrationFor(plan, lock, after, undefined, readEntity);

const docOf = (id: string, size = 1.5): Entity => ({
  partitionKey: `doc-${id}`,
  rowKey: 'doc',
  Kind: 'Doc',
  docId: id,
  size: { type: 'Double', value: String(size) },
  seen: { type: 'DateTime', value: '2026-01-02T03:04:05.123Z' },
  tags: '["a","b"]',
});
const tagOf = (id: string): Entity => ({
  partitionKey: `tag-${id}`,
  rowKey: 'tag',
  Kind: 'Tag',
  tagId: id,
  nome: `n${id}`,
});

let engine: AzureDatabase;
let states: StateStore;
let count = 0;
beforeAll(async () => {
  engine = await azuriteEngine();
  states = (await azureStates(engine, undefined, true)) as StateStore;
});
afterAll(() => engine.stop());

const create = (table: string, entity: Entity) => engine.send(table, { method: 'createEntity', args: [entity] });
const textOf = (property: unknown) => String((Object(property) as { value?: unknown }).value ?? property);
const plainOf = (property: unknown) =>
  (Object(property) as { type?: string }).type === 'Double' ? Number(textOf(property)) : textOf(property);
const allIn = async (table: string) => {
  const { entities = [] } = await engine.send(table, listCall({}));
  return entities.map(({ etag: _, timestamp: __, ...entity }) =>
    Object.fromEntries(
      Object.entries(entity)
        .filter(([name]) => !name.startsWith('odata.'))
        .map(([name, property]) => [name, plainOf(property)]),
    ),
  );
};
const movedDoc = (id: string, size = 1.5) => ({
  partitionKey: `file-${id}`,
  rowKey: 'doc',
  Kind: 'Doc',
  docId: id,
  size,
  seen: expect.stringMatching(/^2026-01-02T03:04:05\.1230*Z$/),
  tags: '["a","b"]',
  pages: '1',
});

async function scene(entities: readonly Entity[], of = migration) {
  const name = `docs${++count}`;
  await engine.provision(stackOf(name));
  for (const entity of entities) await create(name, entity);
  const writing = { states, id: `archive.${count}` };
  const base = { migration: of, phase: 'fill' as const, step: 'backfill' };
  const storeOn = (send: AzureDatabase['send']) =>
    azureStore({ database: { name: 'azurite', send }, migration: of, names: { docs: name }, pageSize: 2 });
  const store = storeOn(engine.send);
  const run = (send: AzureDatabase['send'] = engine.send) =>
    runMigration({ ...base, store: storeOn(send), writing, lease: 1500, wait: true, parallel: 1 });
  return { name, store, run, base, id: writing.id };
}

test('merges and moves items, and finally removes the attributes of the old design', async () => {
  const { name, store, run, base, id } = await scene([
    docOf('1'),
    docOf('2'),
    tagOf('1'),
    { partitionKey: 'x', rowKey: 'y', Kind: 'Session' },
  ]);
  expect(await runMigration({ ...base, store })).toMatchObject({
    passes: [{ counts: { moved: 2, updated: 1, unknown: 1 } }],
  });
  expect(await verifyMigration({ ...base, store })).toMatchObject({
    complete: false,
    forms: { 'docs.Doc': { old: 2 }, 'docs.Tag': { old: 1 } },
  });
  expect((await run()).status).toBe('done');
  const tag = { partitionKey: 'tag-1', rowKey: 'tag', Kind: 'Tag', tagId: '1', name: 'n1' };
  const session = { partitionKey: 'x', rowKey: 'y', Kind: 'Session' };
  expect(await allIn(name)).toEqual([movedDoc('1'), movedDoc('2'), { ...tag, nome: 'n1' }, session]);
  expect(await verifyMigration({ ...base, store })).toMatchObject({ complete: true, unknown: 1 });
  expect(await runMigration({ ...base, store, phase: 'clean', writing: { states, id: `${id}.clean` } })).toMatchObject({
    status: 'done',
  });
  expect(await allIn(name)).toEqual([movedDoc('1'), movedDoc('2'), tag, session]);
  const { entity } = await engine.send(name, { method: 'getEntity', args: ['file-1', 'doc', AS_STORED] });
  expect(entity?.pages).toMatchObject({ type: 'Int32' });
  expect((await loadState(states, id))?.state.status).toBe('done');
});

class Killed extends Error {}

/** Kills the sender at one call, before the call is sent or before the response arrives; later calls also fail. */
function killedAt(call: number, isDone: boolean): { readonly send: AzureDatabase['send']; calls(): number } {
  let calls = 0;
  return {
    calls: () => calls,
    send: async (table, asked: AzureCall) => {
      if (++calls > call) throw new Killed();
      if (calls === call && !isDone) throw new Killed();
      const output = await engine.send(table, asked);
      if (calls === call) throw new Killed();
      return output;
    },
  };
}

const splitInTwo = defineSystem({
  ...after,
  tables: {
    docs: defineTable({
      ...after.tables.docs,
      entities: {
        ...after.tables.docs.entities,
        DocSize: {
          attributes: z.object({ docId: z.string(), size: z.number(), unit: z.string().optional() }),
          keys: { PartitionKey: 'file-<docId>', RowKey: 'size' },
        },
      },
    }),
  },
});
const splitPlan = planFor(lock, splitInTwo, { renamed: { nome: 'name' }, split: { Doc: ['DocSize'] } });
const splitting = migrationFor(splitPlan, lock, splitInTwo, undefined, readEntity);
const sizeOf = (id: string, size = 1.5) => ({
  partitionKey: `file-${id}`,
  rowKey: 'size',
  Kind: 'DocSize',
  docId: id,
  size,
});

test('keeps a derived item consistent with its source, and deletes the derived item if the source is deleted during the run', async () => {
  const stale = { ...sizeOf('1'), size: { type: 'Double', value: '7' }, unit: 'KB' } as Entity;
  const first = await scene([docOf('1'), docOf('2'), stale], splitting);
  expect(await runMigration({ ...first.base, store: first.store })).toMatchObject({
    passes: [{ counts: { made: 2 } }],
  });
  expect((await first.run()).status).toBe('done');
  expect(await allIn(first.name)).toEqual([movedDoc('1'), { ...sizeOf('1'), unit: 'KB' }, movedDoc('2'), sizeOf('2')]);
  expect(await verifyMigration({ ...first.base, store: first.store })).toMatchObject({ complete: true });

  const { name, run } = await scene([docOf('1')], splitting);
  let isDone = false;
  await run(async (table, call) => {
    const output = await engine.send(table, call);
    if (call.method !== 'createEntity' || isDone) return output;
    isDone = true;
    await engine.send(table, { method: 'deleteEntity', args: ['doc-1', 'doc', { etag: '*' }] });
    return output;
  });
  expect(await allIn(name)).toEqual([]);
});

test.each([
  ['a move', migration, [movedDoc('1')]],
  ['a move of an entity that is split', splitting, [movedDoc('1'), sizeOf('1')]],
])('the next run completes %s after a run was killed at any step', async (_, of, expected) => {
  let call = 1;
  for (; ; call++) {
    const { name, run, id } = await scene([docOf('1')], of);
    const killer = killedAt(Math.ceil(call / 2), call % 2 === 0);
    const first = await run(killer.send).catch((error: unknown) => error);
    const isWhole = !(first instanceof Killed);
    if (!isWhole) expect((await run()).status).toBe('done');
    expect([call, await allIn(name)]).toEqual([call, expected]);
    expect((await loadState(states, id))?.state.status).toBe('done');
    if (isWhole) break;
  }
  // Every run reads, copies, verifies, deletes, and removes the mark, each with at least one call.
  expect(call).toBeGreaterThan(10);
});

test('keeps changes made to an item or its copy between writing the copy and deleting the original', async () => {
  const disturbed = async (act: (name: string) => Promise<unknown>) => {
    const { name, run } = await scene([docOf('1')]);
    let isDone = false;
    const result = await run(async (table, call) => {
      if (call.method === 'deleteEntity' && !isDone) {
        isDone = true;
        await act(table);
      }
      return engine.send(table, call);
    });
    return { result, items: await allIn(name) };
  };
  const merge = (partitionKey: string) => (table: string) =>
    engine.send(table, {
      method: 'updateEntity',
      args: [{ partitionKey, rowKey: 'doc', size: { type: 'Double', value: '9.5' } }, 'Merge', { etag: '*' }],
    });
  expect((await disturbed(merge('doc-1'))).items).toEqual([movedDoc('1', 9.5)]);
  expect((await disturbed(merge('file-1'))).items).toEqual([movedDoc('1', 9.5)]);
  const gone = await disturbed((table) =>
    engine.send(table, { method: 'deleteEntity', args: ['doc-1', 'doc', { etag: '*' }] }),
  );
  expect(gone.items).toEqual([]);
  const both = await disturbed(async (table) => {
    await merge('doc-1')(table);
    await engine.send(table, {
      method: 'updateEntity',
      args: [{ partitionKey: 'file-1', rowKey: 'doc', size: { type: 'Double', value: '7.5' } }, 'Merge', { etag: '*' }],
    });
  });
  expect(both.items).toHaveLength(2);
  expect(both.result).toMatchObject({
    status: 'stopped',
    failures: [
      {
        key: 'PartitionKey "doc-1", RowKey "doc"',
        why: 'the item should move to PartitionKey "file-1", RowKey "doc", but a different item is already stored there; remove one of the two items',
      },
    ],
  });
});

const SEED = Number(process.env.MIGRATION_SEED ?? Date.now() % 1_000_000);

test(`120 items survive 12 kills and 4 writers (seed ${SEED})`, async () => {
  const ids = Array.from({ length: 120 }, (_, i) => String(i));
  const { name, run, base, store } = await scene(ids.map((id) => docOf(id, 0)));
  const random = randomOf(SEED);
  const sizes = new Map(ids.map((id) => [id, 0]));
  let isWriting = true;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    const own = randomOf(SEED + writer + 1);
    while (isWriting) {
      const id = String(Math.floor(own() * 30) * 4 + writer);
      const size = (sizes.get(id) ?? 0) + 1;
      // A writer looks for the item under the old key and then under the new key, and changes the item if its ETag is
      // unchanged. Only the runner creates copies.
      for (let isDone = false; !isDone; ) {
        for (const partitionKey of [`doc-${id}`, `file-${id}`]) {
          const { entity } = await engine.send(name, { method: 'getEntity', args: [partitionKey, 'doc', AS_STORED] });
          if (entity === undefined) continue;
          const changed = { partitionKey, rowKey: 'doc', size: { type: 'Double' as const, value: String(size) } };
          isDone = await engine
            .send(name, { method: 'updateEntity', args: [changed, 'Merge', { etag: entity.etag as string }] })
            .then(
              () => true,
              ({ statusCode }) => {
                if (statusCode !== 412 && statusCode !== 404) throw new Error(`HTTP ${statusCode}`);
                return false;
              },
            );
          break;
        }
      }
      sizes.set(id, size);
      await sleep(20);
    }
  });
  for (let kills = 0; kills < 12; kills++) {
    const killer = killedAt(3 + Math.floor(random() * 60), random() < 0.5);
    await run(killer.send).catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
  }
  isWriting = false;
  await Promise.all(writers);
  expect((await run()).status).toBe('done');
  expect(await verifyMigration({ ...base, store })).toMatchObject({
    complete: true,
    forms: { 'docs.Doc': { new: 120 } },
  });
  const found = await allIn(name);
  expect(new Map(found.map(({ docId, size }) => [docId, size]))).toEqual(sizes);
  expect(found).toHaveLength(120);
  expect(found.filter((item) => 'tablewrightMove' in item)).toEqual([]);
});
