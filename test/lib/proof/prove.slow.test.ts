import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { Proof, ProofInput } from '../../../lib/proof/prove';
import { changed } from '../../support/changed';
import { casesWith, changing, notes, notesCases, notesWith, proofs, TABLE, templateOf } from './notes';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

/** Runs a proof and returns its failures, keyed by the name of what failed. */
async function failures(input: Partial<ProofInput>, on: Database = engine): Promise<Record<string, string>> {
  const found = await proofs(on, input);
  return Object.fromEntries(found.flatMap(({ name, failure }) => (failure === undefined ? [] : [[name, failure]])));
}

const isGone = (tableName: string) =>
  expect(engine.drop(tableName)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });

afterEach(() => isGone(TABLE));

describe('the proof of a correct system', () => {
  let found: readonly Proof[];
  beforeAll(async () => {
    found = await proofs(engine);
  });
  const proof = (name: string) => found.find((one) => one.name === name);

  // `addNote` adds a note with the tag that `notesByTag` queries next, so the tables must be restored in between.
  test('proves every pattern, procedure, entity and documented item', () => {
    expect(found.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'document notes example',
      'entity notes Note',
      'entity notes Profile',
      'read getProfile',
      'read notesOfUser',
      'read pagesOfUser',
      'write addNote',
      'read notesByTag',
      'read twoNotes',
      'procedure addTwo',
    ]);
    expect(found.filter(({ failure }) => failure !== undefined)).toEqual([]);
  });

  test("reports each pattern's operation, index, requests, items and capacity", () => {
    const about = { system: 'notes', kind: 'read' };
    expect(proof('getProfile')).toEqual({
      ...about,
      name: 'getProfile',
      operation: 'get',
      requests: 1,
      items: 1,
      capacity: 0.5,
    });
    expect(proof('notesByTag')).toMatchObject({ operation: 'query ByTag', requests: 1, items: 2, capacity: 0.5 });
    expect(proof('notesOfUser')).toMatchObject({ operation: 'query table', requests: 1, items: 3 });
  });

  test('proves a paged read page by page, with one request per page', () => {
    expect(proof('pagesOfUser')).toMatchObject({ requests: 2, items: 3 });
  });

  test('counts only the requests of a write, not the reads that verify it', () => {
    expect(proof('addNote')).toMatchObject({ requests: 1, items: 4, capacity: 2 });
    expect(proof('addTwo')).toMatchObject({ operation: 'procedure', requests: 2, items: 5 });
  });

  test('accepts the items of a batch in any order', () => {
    expect(proof('twoNotes')).toMatchObject({ operation: 'batchGet', requests: 1, items: 2 });
  });

  test('calls `started` with each name before its proof begins', async () => {
    const started: string[] = [];
    await proofs(engine, { started: (name) => started.push(name) });
    const items = ['document', 'entity'];
    expect(started).toEqual(found.filter(({ kind }) => !items.includes(kind)).map(({ name }) => name));
  });
});

describe('a read fails its proof', () => {
  const returns = (pattern: string, ...names: string[]) => ({ cases: casesWith(`patterns.${pattern}.returns`, names) });

  test('a read fails its proof if its items are in the wrong order', async () => {
    expect(await failures(returns('notesOfUser', 'b', 'a', 'c'))).toEqual({
      notesOfUser: 'expected [b, a, c], got [a, b, c]',
    });
  });

  test('a read fails its proof if an item is missing', async () => {
    expect(await failures(returns('notesByTag', 'a', 'b', 'c'))).toEqual({
      notesByTag: 'expected [a, b, c], got [a, c]',
    });
  });

  test('a read fails its proof if it returns an extra item', async () => {
    expect(await failures(returns('notesByTag', 'a'))).toEqual({ notesByTag: 'expected [a], got [a, c]' });
    expect(await failures(returns('getProfile'))).toEqual({ getProfile: 'expected [], got [profile]' });
    expect(await failures(returns('twoNotes', 'a'))).toEqual({ twoNotes: 'expected [a], got [c, a]' });
  });

  test('a read fails its proof if it returns the wrong item', async () => {
    expect(await failures({ cases: casesWith('patterns.notesByTag.values', { user: 'bob', tag: 'red' }) })).toEqual({
      notesByTag: 'expected [a, c], got [ofBob]',
    });
  });

  test('a read fails its proof if it returns an item of another entity; the message names that entity', async () => {
    const system = notesWith('patterns.notesOfUser.where', { PK: 'USER#<user>' });
    expect(await failures({ system })).toMatchObject({
      notesOfUser:
        'ItemError: notes-dev-notes: notesOfUser: the item PK "USER#ana", SK "PROFILE" is a Profile, but the pattern returns Note',
    });
  });

  test('a read fails its proof if a value differs from what was written; the message names the item and the attribute', async () => {
    const forgetful = changing(engine, (item) => (item.text === 'the note b' ? { ...item, text: '' } : item));
    expect((await failures({}, forgetful)).notesOfUser).toBe(
      'expected [a, b, c], got [a, b (text: expected "the note b", got ""), c]',
    );
  });

  test('a read fails its proof if an item lacks attributes or has extra attributes', async () => {
    const selecting = (...select: string[]) => failures({ system: notesWith('patterns.notesByTag.select', select) });
    expect((await selecting('user', 'id')).notesByTag).toBe(
      'expected [a, c], got [a (text: expected "the note a", got none), c (text: expected "the note c", got none)]',
    );
    expect((await selecting('user', 'id', 'tag', 'text')).notesByTag).toBe(
      'expected [a, c], got [a (tag: expected none, got "red"), c (tag: expected none, got "red")]',
    );
  });

  test('a read fails its proof if the pattern selects attributes but its case does not; the message shows the line to add', async () => {
    const path = 'patterns.notesByTag';
    const values = { user: 'ana', tag: 'red' };
    expect((await failures({ cases: casesWith(path, { values, returns: ['a', 'c'] }) })).notesByTag).toMatch(
      /^expected \[a, c\], got \[a \(.*\), c \(.*\)\]; the pattern reads only part of each item; if this is intended, add this to the case: select: \['user', 'id', 'text'\]$/,
    );
    expect((await failures({ cases: casesWith(path, { values, returns: ['a'] }) })).notesByTag).not.toContain('select');
  });

  test('a read fails its proof if its case expects attributes that the index does not project', async () => {
    const template = structuredClone(templateOf(notes));
    for (const { Properties } of Object.values(template.Resources ?? {})) {
      Object.assign(Properties?.GlobalSecondaryIndexes?.[0] ?? {}, { Projection: { ProjectionType: 'KEYS_ONLY' } });
    }
    expect(Object.keys(await failures({ template }))).toEqual(['notesByTag']);
  });

  test('a read fails its proof if it takes more than one page but the design declares no pages', async () => {
    const long = ['a', 'b', 'c', 'd'].map((id) => [id, ['Note', { user: 'eve', id, text: 'x'.repeat(380_000) }]]);
    const items = { ...notesCases.tables.notes?.items, ...Object.fromEntries(long) };
    const cases = changed(casesWith('items', items), ['tables', 'notes', 'patterns', 'notesOfUser'], {
      values: { user: 'eve' },
      returns: ['a', 'b', 'c', 'd'],
    });
    expect((await failures({ cases })).notesOfUser).toBe('expected one page, got 2');
  });

  test("a read fails its proof if its case expects an item named 'constructor' that does not exist", async () => {
    expect(await failures(returns('notesByTag', 'a', 'constructor'))).toEqual({
      notesByTag: "Error: the case expects 'constructor', but there is no item with this name",
    });
  });

  test('a read fails its proof if its case expects an item that the cases do not contain', async () => {
    expect(await failures(returns('notesByTag', 'a', 'z'))).toEqual({
      notesByTag: "Error: the case expects 'z', but there is no item with this name; did you mean a or b or c?",
    });
    expect(await failures(returns('getProfile', 'profil'))).toEqual({
      getProfile: "Error: the case expects 'profil', but there is no item with this name; did you mean profile?",
    });
  });

  test("a read fails its proof if its case misspells a value's name; the message suggests the right name", async () => {
    const cases = casesWith('patterns.getProfile', { values: { usr: 'ana' }, returns: ['profile'] });
    expect(await failures({ cases })).toEqual({
      getProfile: "Error: the case passes a value named 'usr', which getProfile does not accept; did you mean user?",
    });
  });
});

describe('a write fails its proof', () => {
  test('a write fails its proof if the engine refuses the write', async () => {
    const values = { user: 'ana', id: 'a', text: 'again' };
    expect(await failures({ cases: casesWith('patterns.addNote.values', values) })).toEqual({
      addNote: expect.stringMatching(/^ConditionalCheckFailedException: /),
    });
  });

  test('a write fails its proof if it does not have the expected effect', async () => {
    const select = ['user', 'id', 'text'];
    const shows = [{ pattern: 'notesByTag', values: { user: 'ana', tag: 'red' }, returns: ['a', 'c'], select }];
    expect(await failures({ cases: casesWith('patterns.addNote.shows', shows) })).toEqual({
      addNote: 'after the write, notesByTag: expected [a, c], got [a, c, d]',
    });
  });

  test('a write fails its proof if a later call does not throw the expected error', async () => {
    const look = (values: object) => ({ pattern: 'addNote', values, returns: [], error: 'ItemError' });
    const failing = (values: object) => failures({ cases: casesWith('patterns.addNote.shows', [look(values)]) });
    const refusal = { user: 'ana', id: 'e' };
    expect((await failing({ ...refusal, text: 'done' })).addNote).toBe(
      'after the write, addNote: expected ItemError, got: no error',
    );
    expect((await failing({ ...refusal, id: 'a', text: 'again' })).addNote).toMatch(
      /^after the write, addNote: expected ItemError, got: ConditionalCheckFailedException: /,
    );
    expect((await failing(refusal)).addNote).toBeUndefined();
  });

  test('a write fails its proof if it accepts a call that it must refuse', async () => {
    expect(await failures({ system: notesWith('patterns.addNote.replace', true) })).toEqual({
      addNote:
        'expected a second note with the same id to be refused with ConditionalCheckFailedException, got: no error',
      addTwo: 'expected the same item again to be refused with ConditionalCheckFailedException, got: no error',
    });
  });

  test('a write fails its proof if it refuses a call for the wrong reason', async () => {
    const cases = casesWith('patterns.addNote.refuses', [
      { why: 'a note without text', values: { user: 'ana', id: 'e' }, error: 'ConditionalCheckFailedException' },
    ]);
    expect(await failures({ cases })).toEqual({
      addNote: expect.stringMatching(
        /^expected a note without text to be refused with ConditionalCheckFailedException, got: ItemError: notes-dev-notes: addNote: Note: text/,
      ),
    });
  });

  test('a write fails its proof if a call that it refuses still changes an item', async () => {
    const run = async (
      client: { addNote(values: object): Promise<unknown> },
      { id }: { id: string },
    ): Promise<unknown> => {
      await client.addNote({ user: 'ana', id, text: `the note ${id}` });
      return id === 'e' ? undefined : client.addNote({ user: 'ana', id: 'a', text: 'again' });
    };
    const cases = casesWith('procedures.addTwo', {
      run,
      values: { id: 'e' },
      shows: [{ pattern: 'notesOfUser', values: { user: 'ana' }, returns: ['a', 'b', 'c', 'e'] }],
      refuses: [{ why: 'half of it', values: { id: 'f' }, error: 'ConditionalCheckFailedException' }],
    });
    expect((await failures({ cases })).addTwo).toMatch(
      /^after refusing half of it, notesOfUser: expected \[.*\], got \[.*"id":"f".*\]$/,
    );
  });
});

describe('without a case', () => {
  const hasNone = (name: string) => ({
    [name]: `'${name}' has no case; 'npx tablewright cases' drafts it, or says why you have to write it yourself`,
  });

  test('a pattern without a case fails its proof', async () => {
    expect(await failures({ cases: casesWith('patterns.getProfile', undefined) })).toEqual(hasNone('getProfile'));
    expect(await failures({ cases: casesWith('patterns.addNote', undefined) })).toEqual(hasNone('addNote'));
  });

  test('a procedure without a case fails its proof', async () => {
    expect(await failures({ cases: casesWith('procedures.addTwo', undefined) })).toEqual({
      addTwo: "'addTwo' has no case; procedures are your own code, so write the case under 'procedures'",
    });
  });

  test('counts no requests for a pattern without a case, not even the reads that verify the write before it', async () => {
    const found = await proofs(engine, { cases: casesWith('patterns.notesByTag', undefined) });
    expect(found.find(({ name }) => name === 'notesByTag')).toMatchObject({ requests: 0, capacity: 0, items: 0 });
  });

  test('every proof fails if there are no cases', async () => {
    const cases = { tables: {}, procedures: {} } as unknown as ProofInput['cases'];
    expect(Object.keys(await failures({ cases }))).toHaveLength(9);
  });
});

test('a case for a pattern that does not exist fails, but all other cases are still proved', async () => {
  const cases = casesWith('patterns.getProfil', { values: {}, returns: [] });
  expect(await failures({ cases })).toEqual({
    getProfil: "the cases include 'getProfil', but table 'notes' has no pattern of that name; did you mean getProfile?",
  });
});

describe('a documented item fails its proof', () => {
  const documented = (item: object) => casesWith('documented.example.item', item);
  const item = { PK: 'USER#eva', SK: 'PROFILE', kind: 'Profile', user: 'eva', count: 0 };

  test('a documented item fails its proof if it does not validate', async () => {
    expect(await failures({ cases: documented({ ...item, count: 'many' }) })).toEqual({
      'notes example': expect.stringMatching(/^Profile PK "USER#eva", SK "PROFILE": count: /),
    });
  });

  test('a documented item fails its proof if the design would drop one of its attributes', async () => {
    expect(await failures({ cases: documented({ ...item, nickname: 'Evita' }) })).toEqual({
      'notes example': "'nickname' would be lost",
    });
  });

  test('a documented item fails its proof if the design would add an attribute to it', async () => {
    const cases = documented({ PK: 'USER#eva', SK: 'PROFILE', kind: 'Profile', count: 0 });
    expect(await failures({ cases })).toEqual({ 'notes example': "'user' would be added" });
  });

  test('a documented item fails its proof if the design would give the item a different key', async () => {
    expect(await failures({ cases: documented({ ...item, SK: 'METADATA' }) })).toEqual({
      'notes example': 'SK: expected "METADATA", got "PROFILE"',
    });
  });
});

describe('an entity fails its proof', () => {
  test('an entity fails its proof if the design gives an item a different key than its cases list', async () => {
    expect((await failures({ system: notesWith('entities.Note.keys.GSI1SK', 'N#<id>') }))['notes Note']).toBe(
      `GSI1SK of 'a': expected "NOTE#a", got "N#a"`,
    );
  });

  test('an entity fails its proof if the cases do not list all of its keys', async () => {
    expect(await failures({ cases: casesWith('stored.a', { PK: 'USER#ana', SK: 'NOTE#a' }) })).toEqual({
      'notes Note':
        `'a' has the key GSI1PK ("TAG#ana#red"), but 'stored' does not list it; ` +
        `'a' has the key GSI1SK ("NOTE#a"), but 'stored' does not list it; ` +
        "the cases show no value for GSI1PK, GSI1SK; add an item with these keys to 'stored'",
    });
  });
});

describe('unexpected stored values', () => {
  /** Returns an engine that adds attributes to every item it stores. */
  const storing = (more: object) => changing(engine, (item) => ({ ...item, ...more }));

  test('a pattern fails its proof if a stored item has an unexpected attribute, even one that no read returns', async () => {
    const found = await failures({}, storing({ mood: 'good' }));
    expect(found.notesOfUser).toBe(`a: 'mood' is stored ("good"), but not expected`);
    expect(found.addNote).toBe(`after the write, notesOfUser: a: 'mood' is stored ("good"), but not expected`);
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['getProfile', 'pagesOfUser', 'twoNotes', 'addTwo']));
  });

  test('a pattern fails its proof if a stored item has keys of an index that must not contain the item', async () => {
    const found = await failures({}, storing({ GSI1PK: 'TAG#ana#blue' }));
    expect(found.pagesOfUser).toMatch(/blue/);
    expect(found.getProfile).toBe(`profile: 'GSI1PK' is stored ("TAG#ana#blue"), but not expected`);
  });

  test('a pattern passes if the stored item equals the expected item', async () => {
    expect(await failures({}, storing({}))).toEqual({});
  });
});
