import { embeddedEngine } from '../../../lib/engine/embedded';
import type { Engine } from '../../../lib/engine/engine';
import { faultOf, Stage } from '../../../lib/proof/stage';
import type { Item } from '../../../lib/request/plan';
import { notes, notesCases, notesWith, TABLE, templateOf } from './notes';

let engine: Engine;
let provisioned = 0;
beforeAll(async () => {
  const embedded = await embeddedEngine();
  engine = {
    ...embedded,
    provision: (template) => {
      provisioned++;
      return embedded.provision(template);
    },
  };
});
afterAll(() => engine.stop());

let stage: Stage;
beforeEach(() => {
  provisioned = 0;
  stage = new Stage(notes, notesCases, engine, templateOf(notes), 'dev');
});
afterEach(() => stage.drop());

const ana = { user: 'ana' };
const note = { ...ana, id: 'z', text: 'new' };

describe('the tables', () => {
  const keys = async () => {
    const { Items } = await engine.send('Query', {
      TableName: TABLE,
      KeyConditionExpression: 'PK = :p',
      ExpressionAttributeValues: { ':p': 'USER#ana' },
    });
    return (Items as Item[]).map(({ SK }) => SK);
  };

  test('hold the items, with their keys', async () => {
    await stage.refresh();
    expect(await keys()).toEqual(['NOTE#a', 'NOTE#b', 'NOTE#c', 'PROFILE']);
  });

  test('hold the documented items as they are', async () => {
    await stage.refresh();
    const { Item } = await engine.send('Get', { TableName: TABLE, Key: { PK: 'USER#eva', SK: 'PROFILE' } });
    expect(Item).toEqual(notesCases.tables.notes?.documented.example?.item);
  });

  test('are made once for any number of reads', async () => {
    await stage.refresh();
    await stage.patterns.notesOfUser?.(ana);
    await stage.patterns.twoNotes?.({ ...ana, one: 'a', other: 'b' });
    await stage.patterns.getProfile?.(ana);
    await stage.refresh();
    expect(provisioned).toBe(1);
  });

  test('are made anew after a write, whether it was done or refused', async () => {
    await stage.refresh();
    await stage.patterns.addNote?.(note);
    expect(await keys()).toContain('NOTE#z');
    await stage.refresh();
    expect(await keys()).toEqual(['NOTE#a', 'NOTE#b', 'NOTE#c', 'PROFILE']);
    await stage.patterns.addNote?.({ ...note, id: 'a' }).catch(() => undefined);
    await stage.refresh();
    expect(provisioned).toBe(3);
  });

  test('are gone after drop, which may be called again', async () => {
    await stage.refresh();
    await stage.drop();
    await stage.drop();
    await expect(engine.drop(TABLE)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

test('requests and capacity are counted from one look to the next', async () => {
  await stage.refresh();
  expect(stage.count()).toEqual({ requests: 0, capacity: 0 });
  await stage.patterns.getProfile?.(ana);
  await stage.patterns.twoNotes?.({ ...ana, one: 'a', other: 'b' });
  expect(stage.count()).toEqual({ requests: 2, capacity: 1.5 });
  expect(stage.count()).toEqual({ requests: 0, capacity: 0 });
});

describe('an item is expected', () => {
  test('as it was given, with its type', () => {
    expect(stage.expected('notesOfUser', 'a')).toEqual({
      ...ana,
      id: 'a',
      tag: 'red',
      text: 'the note a',
      kind: 'Note',
    });
  });

  test('with what a pattern selects', () => {
    expect(stage.expected('notesByTag', 'a')).toEqual({ ...ana, id: 'a', text: 'the note a', kind: 'Note' });
  });

  test('also where it is documented, or only there after a write', () => {
    expect(stage.expected('getProfile', 'example')).toEqual({ user: 'eva', count: 0, kind: 'Profile' });
    expect(stage.expected('notesOfUser', 'd')).toMatchObject({ id: 'd' });
  });

  test('not under a name that no case has, or of a pattern that the system has not', () => {
    expect(stage.expected('notesOfUser', 'nobody')).toBeUndefined();
    expect(stage.expected('nothing', 'a')).toBeUndefined();
  });

  test('under its name, by which it is found again', () => {
    expect(stage.nameOf('notesByTag', { ...ana, id: 'a', text: 'the note a', kind: 'Note' })).toBe('a');
    expect(stage.nameOf('notesByTag', { ...ana, id: 'a', text: 'changed', kind: 'Note' })).toBeUndefined();
  });
});

describe('what a read returns', () => {
  beforeEach(() => stage.refresh());

  test('is one page of one item, or of none, for a get', async () => {
    expect(await stage.pages({ pattern: 'getProfile', values: ana })).toMatchObject([[{ count: 3 }]]);
    expect(await stage.pages({ pattern: 'getProfile', values: { user: 'nobody' } })).toEqual([[]]);
  });

  test('is every page, in order', async () => {
    const pages = await stage.pages({ pattern: 'pagesOfUser', values: ana });
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['c', 'b'], ['a']]);
  });

  test('has an order, unless it is a batch', () => {
    expect(stage.isOrdered('pagesOfUser')).toBe(true);
    expect(stage.isOrdered('twoNotes')).toBe(false);
  });
});

describe('a documented item has a fault', () => {
  const item = { PK: 'USER#ana', SK: 'NOTE#x', kind: 'Note', ...ana, id: 'x', text: '' };
  const fault = (more: object, design = notes.tables.notes) =>
    faultOf(design, { entity: 'Note', item: { ...item, ...more } });

  test('not where the design makes the same of it', () => {
    expect(fault({})).toBeUndefined();
  });

  test('not where it leaves out the keys of an index', () => {
    expect(fault({ tag: 'red' })).toBeUndefined();
    expect(fault({ tag: 'red', GSI1PK: 'TAG#ana#red', GSI1SK: 'NOTE#x' })).toBeUndefined();
  });

  test.each([
    ['a value that does not validate', { text: 1 }, /^Note PK "USER#ana", SK "NOTE#x": text: /],
    ['an attribute that would be lost', { mood: 'good', age: 1 }, /^mood would be lost; age would be lost$/],
    ['another key', { SK: 'N#x' }, /^SK: expected "N#x", got "NOTE#x"$/],
    ['another key of an index', { tag: 'red', GSI1PK: 'red' }, /^GSI1PK: expected "red", got "TAG#ana#red"$/],
    ['a key of an index that it would not be in', { GSI1PK: 'nothing' }, /^GSI1PK would be lost$/],
    ['another type', { kind: 'NOTE' }, /^kind: expected "NOTE", got "Note"$/],
  ])('with %s', (_, more, expected) => {
    expect(fault(more)).toMatch(expected);
  });

  test('where the design would have it under another key', () => {
    const { notes: other } = notesWith('entities.Note.keys.SK', 'REMARK#<id>').tables;
    expect(fault({}, other as typeof notes.tables.notes)).toBe('SK: expected "NOTE#x", got "REMARK#x"');
  });
});
