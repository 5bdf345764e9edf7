import { type Client, client, EntityChanged, EntityExists, EntityMissing, etagOf } from '../../../../lib/azure-tables';
import type { AzureCall } from '../../../../lib/azure-tables/calls';
import { valueIn } from '../../../../lib/azure-tables/edm';
import { azuriteEngine } from '../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../lib/azure-tables/engine/database';
import type { TableDesign } from '../../../../lib/design/table';
import { planFor } from '../../../../lib/evolve';
import { evolving } from '../../../../lib/evolve/clients/azure-tables';
import { azureChangeNamed, deployedNotes, diaryLock } from '../../../fixtures/azure-changes';
import { stackOf } from '../../../support/azurite';

let engine: AzureDatabase;
beforeAll(async () => {
  engine = await azuriteEngine();
});
afterAll(() => engine.stop());
beforeEach(() => engine.provision(stackOf('Notes', 'Papers')));
afterEach(async () => {
  for (const table of ['Notes', 'Papers']) await engine.drop(table);
});

/** The patterns of any design; the values are untyped here, but the design checks them. */
type Calls = Readonly<
  Record<string, (values: object, options?: object) => Promise<Record<string, never> & { items: object[] }>>
>;

const old = () => client(deployedNotes, 'Notes', engine.send) as unknown as Client<typeof deployedNotes>;

/** Returns a client of the release for one step of a change's plan. */
function releaseOf(name: string, step: string, send = engine.send): Calls {
  const { after, answers, migration } = azureChangeNamed(name);
  const plan = planFor(diaryLock, after, answers);
  const [design] = Object.values(after.tables) as [TableDesign];
  const value = evolving({ lock: diaryLock, plan, step, design: after, ...(migration && { migration }) });
  return client(design, design.name, send, { onUnknown: 'throw', evolving: value }) as unknown as Calls;
}

const note = (noteId: string, text = 'Tables', stars = 4) => ({
  owner: 'ana',
  noteId,
  text,
  stars,
  editedAt: '2026-03-01T10:00:00.250Z',
  topic: null,
});
const id = (noteId: string) => ({ owner: 'ana', noteId });

async function stored(table = 'Notes') {
  const rows: Record<string, unknown>[] = [];
  for await (const row of engine.scan(table)) rows.push(row);
  return rows.map(({ etag: _, timestamp: __, ...row }) =>
    Object.fromEntries(Object.entries(row).map(([name, property]) => [name, valueIn(property)])),
  );
}
const keysOf = async (table?: string) => (await stored(table)).map((row) => `${row.partitionKey} ${row.rowKey}`).sort();

describe('a key change', () => {
  const CHANGE = 'a primary key';

  test('a query returns old and new items in order, and each item only once across pages', async () => {
    await old().addNote(note('1'));
    await old().addNote(note('3'));
    const filling = releaseOf(CHANGE, 'backfill');
    await filling.addNote?.(note('2'));
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_2', 'OWNER_ana NOTE_1', 'OWNER_ana NOTE_3']);
    for (const noteId of ['1', '2', '3']) expect(await filling.getNote?.(id(noteId))).toMatchObject(note(noteId));
    const { items } = (await filling.notesOf?.({ owner: 'ana' })) ?? { items: [] };
    expect(items).toMatchObject([note('1'), note('2'), note('3')]);
    const paged: unknown[] = [];
    const all = (filling.notesOf as unknown as ReturnType<typeof old>['notesOf']).all({ owner: 'ana' }, { limit: 1 });
    for await (const { noteId } of all) paged.push(noteId);
    expect(paged.sort()).toEqual(['1', '2', '3']);
  });

  test('items keep their old key while the previous release may still run', async () => {
    await old().addNote(note('1'));
    const expanding = releaseOf(CHANGE, 'expand-1');
    await expanding.addNote?.(note('2'));
    await expanding.rewrite?.({ ...id('1'), text: 'Rows' });
    expect(await keysOf()).toEqual(['OWNER_ana NOTE_1', 'OWNER_ana NOTE_2']);
    expect(await old().getNote(id('1'))).toMatchObject({ text: 'Rows' });
    expect(await old().getNote(id('2'))).toMatchObject(note('2'));
    await expect(expanding.addNote?.(note('1'))).rejects.toThrow(EntityExists);
    await expanding.removeNote?.(id('1'));
    expect(await keysOf()).toEqual(['OWNER_ana NOTE_2']);
  });

  test('once the previous release has stopped, every write moves its item, and a moved item stays at its new key', async () => {
    for (const one of ['1', '2', '3']) await old().addNote(note(one));
    const [draining, filling] = [releaseOf(CHANGE, 'drain'), releaseOf(CHANGE, 'backfill')];
    await filling.rewrite?.({ ...id('1'), text: 'Rows' });
    await filling.storeNote?.(note('2', 'Keys'));
    await filling.removeNote?.(id('3'));
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_1', 'BOOK_ana NOTE_2']);
    // The drain release, which may still be running, follows the item to its new key.
    await draining.rewrite?.({ ...id('1'), text: 'Columns' });
    await draining.storeNote?.(note('2', 'Filters'));
    await expect(draining.addNote?.(note('1'))).rejects.toThrow(EntityExists);
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_1', 'BOOK_ana NOTE_2']);
    expect(await filling.getNote?.(id('1'))).toMatchObject(note('1', 'Columns'));
    expect(await filling.getNote?.(id('2'))).toMatchObject(note('2', 'Filters'));
    await expect(filling.rewrite?.({ ...id('9'), text: 'x' })).rejects.toThrow(EntityMissing);
    expect((await stored()).some((row) => 'tablewrightMove' in row)).toBe(false);
  });

  test('an ETag survives the move, but goes stale when another writer changes the item', async () => {
    await old().addNote(note('1'));
    const filling = releaseOf(CHANGE, 'backfill');
    const read = await filling.getNote?.(id('1'));
    await filling.rate?.({ ...id('1'), stars: 1 }, { etag: etagOf(read) });
    await expect(filling.rate?.({ ...id('1'), stars: 2 }, { etag: etagOf(read) })).rejects.toThrow(EntityChanged);
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_1']);
    await old().addNote(note('2'));
    const stale = await filling.getNote?.(id('2'));
    await old().rewrite({ ...id('2'), text: 'Rows' });
    await expect(filling.rate?.({ ...id('2'), stars: 2 }, { etag: etagOf(stale) })).rejects.toThrow(EntityChanged);
    expect(await filling.getNote?.(id('2'))).toMatchObject(note('2', 'Rows'));
  });

  test('an ETag goes stale if another writer changes the item between the move and the update', async () => {
    await old().addNote(note('1'));
    const filling = releaseOf(CHANGE, 'backfill');
    const etag = etagOf(await filling.getNote?.(id('1')));
    const interrupted = releaseOf(CHANGE, 'backfill', async (table, call) => {
      const output = await engine.send(table, call);
      // This write completes the move, after which others may change the item.
      const isMoved = call.method === 'updateEntity' && call.args[1] === 'Replace';
      if (isMoved) await filling.rewrite?.({ ...id('1'), text: 'faster' });
      return output;
    });
    await expect(interrupted.rate?.({ ...id('1'), stars: 1 }, { etag })).rejects.toThrow(EntityChanged);
    expect(await filling.getNote?.(id('1'))).toMatchObject(note('1', 'faster'));
  });

  test('one release gets a conflict if two releases create the same item, one under the old key and one under the new key', async () => {
    let isFirst = true;
    const filling = releaseOf(CHANGE, 'backfill', async (table, call) => {
      if (call.method === 'createEntity' && isFirst) {
        isFirst = false;
        await releaseOf(CHANGE, 'drain').addNote?.(note('1', 'first'));
      }
      return engine.send(table, call);
    });
    await expect(filling.addNote?.(note('1', 'second'))).rejects.toThrow(EntityExists);
    expect(await keysOf()).toEqual(['OWNER_ana NOTE_1']);
    expect(await filling.getNote?.(id('1'))).toMatchObject(note('1', 'first'));
  });

  test('a read skips the copy that a killed release left behind, and returns the old item', async () => {
    await old().addNote(note('1'));
    // The release dies before it deletes the old item.
    const killed: typeof engine.send = async (table, call) => {
      if (call.method === 'deleteEntity') throw new Error('killed');
      return engine.send(table, call);
    };
    await expect(releaseOf(CHANGE, 'backfill', killed).rewrite?.({ ...id('1'), text: 'x' })).rejects.toThrow('killed');
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_1', 'OWNER_ana NOTE_1']);
    await old().rewrite({ ...id('1'), text: 'Rows' });
    const filling = releaseOf(CHANGE, 'backfill');
    expect((await filling.notesOf?.({ owner: 'ana' }))?.items).toMatchObject([note('1', 'Rows')]);
    await filling.rate?.({ ...id('1'), stars: 1 }, { etag: etagOf(await filling.getNote?.(id('1'))) });
    expect(await filling.getNote?.(id('1'))).toMatchObject(note('1', 'Rows', 1));
    expect(await keysOf()).toEqual(['BOOK_ana NOTE_1']);
  });

  describe.each([
    ['copied', (call: AzureCall) => call.method === 'createEntity'],
    ['verified', (call: AzureCall) => call.method === 'updateEntity' && call.args[1] === 'Replace'],
  ])('a release that dies once it has %s an item', (_, isLast) => {
    /**
     * The next release. It lets another release run just before it copies the item, and dies after one of its own
     * requests.
     */
    const dying = (meanwhile: () => Promise<unknown>) => {
      let [isDone, isDead] = [false, false];
      return releaseOf(CHANGE, 'backfill', async (table, call) => {
        if (isDead) throw new Error('killed');
        if (!isDone && call.method === 'createEntity') {
          isDone = true;
          await meanwhile();
        }
        const output = await engine.send(table, call);
        isDead = isLast(call);
        if (isDead) throw new Error('killed');
        return output;
      });
    };
    const rewrite = (release: Calls) => release.rewrite?.({ ...id('1'), text: 'x' }).catch(() => undefined);
    beforeEach(() => old().addNote(note('1')));

    test('the next release does not restore an item that the drain release deletes', async () => {
      const draining = releaseOf(CHANGE, 'drain');
      await rewrite(dying(async () => draining.removeNote?.(id('1'))));
      const filling = releaseOf(CHANGE, 'backfill');
      expect(await filling.getNote?.(id('1'))).toBeUndefined();
      expect((await filling.notesOf?.({ owner: 'ana' }))?.items).toEqual([]);
      await expect(filling.rewrite?.({ ...id('1'), text: 'y' })).rejects.toThrow(EntityMissing);
      await filling.addNote?.(note('1', 'again'));
      expect(await keysOf()).toEqual(['BOOK_ana NOTE_1']);
    });

    test('the next release keeps an edit made by the drain release', async () => {
      const draining = releaseOf(CHANGE, 'drain');
      await rewrite(dying(async () => draining.rewrite?.({ ...id('1'), text: 'late' })));
      expect(await releaseOf(CHANGE, 'backfill').getNote?.(id('1'))).toMatchObject({ text: 'late' });
      await draining.removeNote?.(id('1'));
      expect(await releaseOf(CHANGE, 'backfill').getNote?.(id('1'))).toBeUndefined();
    });
  });

  describe('a release whose write comes after a move', () => {
    /** The drain release; another release moves the item just before the drain release writes it. */
    const late = (method: AzureCall['method'], meanwhile: () => Promise<unknown>) => {
      let isDone = false;
      return releaseOf(CHANGE, 'drain', async (table, call) => {
        if (call.method === method && !isDone) {
          isDone = true;
          await meanwhile();
        }
        return engine.send(table, call);
      });
    };
    const move = () => releaseOf(CHANGE, 'backfill').rewrite?.({ ...id('1'), text: 'moved' }) as Promise<unknown>;
    beforeEach(() => old().addNote(note('1')));

    test.each<[string, AzureCall['method'], (release: Calls) => Promise<unknown> | undefined, object | undefined]>([
      ['updates', 'updateEntity', (release) => release.rewrite?.({ ...id('1'), text: 'late' }), note('1', 'late')],
      ['replaces', 'upsertEntity', (release) => release.storeNote?.(note('1', 'late')), note('1', 'late')],
      ['deletes', 'deleteEntity', (release) => release.removeNote?.(id('1')), undefined],
    ])('%s the item under its new key', async (_, method, write, after) => {
      await write(late(method, move));
      const found = await releaseOf(CHANGE, 'backfill').getNote?.(id('1'));
      if (after === undefined) expect(found).toBeUndefined();
      else expect(found).toMatchObject(after);
      expect(await keysOf()).toEqual(after === undefined ? [] : ['BOOK_ana NOTE_1']);
    });

    test('a late put of an existing item gets a conflict, and leaves no duplicate', async () => {
      const release = late('createEntity', () => releaseOf(CHANGE, 'backfill').addNote?.(note('2', 'first')) as never);
      await expect(release.addNote?.(note('2', 'second'))).rejects.toThrow(EntityExists);
      expect(await keysOf()).toEqual(['BOOK_ana NOTE_2', 'OWNER_ana NOTE_1']);
      expect(await releaseOf(CHANGE, 'backfill').getNote?.(id('2'))).toMatchObject(note('2', 'first'));
    });
  });
});

test('while a table is renamed, every release uses both the old and the new table', async () => {
  await old().addNote(note('1'));
  const [expanding, filling] = ['expand-2', 'backfill'].map((step) => releaseOf('a renamed table', step));
  await expanding?.rewrite?.({ ...id('1'), text: 'Rows' });
  expect([await keysOf('Notes'), await keysOf('Papers')]).toEqual([['OWNER_ana NOTE_1'], []]);
  await filling?.addNote?.(note('2'));
  await filling?.rewrite?.({ ...id('1'), text: 'Columns' });
  expect([await keysOf('Notes'), await keysOf('Papers')]).toEqual([[], ['OWNER_ana NOTE_1', 'OWNER_ana NOTE_2']]);
  expect((await expanding?.notesOf?.({ owner: 'ana' }))?.items).toMatchObject([note('1', 'Columns'), note('2')]);
});

describe('when keys do not change', () => {
  test('a write stores a renamed attribute under both names, and a filter on the new name finds old items', async () => {
    await old().addNote(note('1', 'Tables'));
    const both = releaseOf('a renamed attribute', 'expand-1');
    const { text: _, ...rest } = note('2');
    await both.addNote?.({ ...rest, body: 'Keys' });
    await both.rewrite?.({ ...id('2'), body: 'Rows' });
    expect(await old().getNote(id('2'))).toMatchObject({ text: 'Rows' });
    expect(await both.getNote?.(id('1'))).toMatchObject({ body: 'Tables' });
    expect((await both.notesSaying?.({ owner: 'ana', body: 'Tables' }))?.items).toMatchObject([id('1')]);
    expect((await both.notesWithStars?.({ owner: 'ana', stars: 4 }))?.items).toEqual([
      { noteId: '1', body: 'Tables', kind: 'Note' },
      { noteId: '2', body: 'Rows', kind: 'Note' },
    ]);
    expect((await both.bodiesOf?.({ owner: 'ana' }))?.items).toEqual([
      { noteId: '1', body: 'Tables', kind: 'Note' },
      { noteId: '2', body: 'Rows', kind: 'Note' },
    ]);
    await releaseOf('a renamed attribute', 'contract-1').rewrite?.({ ...id('2'), body: 'Columns' });
    expect(await stored()).toContainEqual(expect.objectContaining({ rowKey: 'NOTE_2', text: 'Rows', body: 'Columns' }));
  });

  test('a read completes old items with the values from `up`, and a filter finds the items by those values', async () => {
    await old().addNote(note('1'));
    const tolerant = releaseOf('a required attribute', 'expand-1');
    expect(await tolerant.getNote?.(id('1'))).toMatchObject({ ...note('1'), language: 'en' });
    const { items } = (await tolerant.notesWithStars?.({ owner: 'ana', stars: 4 })) ?? {};
    expect(items).toEqual([{ noteId: '1', text: 'Tables', kind: 'Note' }]);
    const read = await tolerant.getNote?.(id('1'));
    await tolerant.saveNote?.({ ...note('1', 'Rows'), language: 'pt' }, { etag: etagOf(read) });
    expect(await old().getNote(id('1'))).toMatchObject({ text: 'Rows' });
    expect(await tolerant.notesWithStars?.({ owner: 'ana', stars: 4 })).toEqual({ items: [] });
  });

  test('a write keeps the old name of a renamed entity until the previous release has stopped', async () => {
    await releaseOf('a renamed entity', 'expand-1').addNote?.(note('1'));
    expect(await old().getNote(id('1'))).toMatchObject(note('1'));
    await releaseOf('a renamed entity', 'backfill').addNote?.(note('2'));
    expect((await stored()).map(({ kind }) => kind)).toEqual(['Note', 'Memo']);
    const { items } = (await releaseOf('a renamed entity', 'verify').notesOf?.({ owner: 'ana' })) ?? {};
    expect(items).toMatchObject([
      { noteId: '1', kind: 'Memo' },
      { noteId: '2', kind: 'Memo' },
    ]);
  });
});
