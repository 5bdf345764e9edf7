import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { Item } from '../../../lib/items/item';
import { fixtureIn } from '../../../lib/proof/fixture';
import { Stage } from '../../../lib/proof/stage';
import { notes, notesCases, TABLE, templateOf } from './notes';

let engine: Database;
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
  const input = { system: notes, cases: notesCases, template: templateOf(notes), environment: 'dev' };
  stage = new Stage(notes, notesCases, (seen) => fixtureIn(engine, input, seen));
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

  const contents = async () => {
    const items: Item[] = [];
    for await (const item of engine.scan(TABLE)) items.push(item);
    return items.sort((one, other) =>
      JSON.stringify([one.PK, one.SK]) < JSON.stringify([other.PK, other.SK]) ? -1 : 1,
    );
  };

  test('the tables contain the example items, with the keys from the design', async () => {
    await stage.refresh();
    expect(await keys()).toEqual(['NOTE#a', 'NOTE#b', 'NOTE#c', 'PROFILE']);
  });

  test('the tables contain the documented items unchanged', async () => {
    await stage.refresh();
    const { Item } = await engine.send('Get', { TableName: TABLE, Key: { PK: 'USER#eva', SK: 'PROFILE' } });
    expect(Item).toEqual(notesCases.tables.notes?.documented?.example?.item);
  });

  test('the tables are created only once, however many reads follow', async () => {
    await stage.refresh();
    await stage.patterns.notesOfUser?.(ana);
    await stage.patterns.twoNotes?.({ ...ana, one: 'a', other: 'b' });
    await stage.patterns.getProfile?.(ana);
    await stage.refresh();
    expect(provisioned).toBe(1);
  });

  test('the tables are restored after a write, whether the write succeeded or was refused', async () => {
    await stage.refresh();
    const before = await contents();
    await stage.patterns.addNote?.(note);
    expect(await keys()).toContain('NOTE#z');
    await stage.refresh();
    expect(await contents()).toEqual(before);
    await stage.patterns.addNote?.({ ...note, id: 'a' }).catch(() => undefined);
    await stage.refresh();
    expect(await contents()).toEqual(before);
    expect(provisioned).toBe(1);
  });

  test('the tables are restored even if items were changed, removed or added without a pattern', async () => {
    await stage.refresh();
    const before = await contents();
    const Key = { PK: 'USER#ana', SK: 'NOTE#a' };
    await engine.send('Delete', { TableName: TABLE, Key });
    await engine.send('Put', { TableName: TABLE, Item: { ...Key, SK: 'NOTE#b', text: 'other' } });
    await engine.send('Put', { TableName: TABLE, Item: { PK: 'X', SK: 'Y' } });
    await stage.patterns.addNote?.(note);
    await stage.refresh();
    expect(await contents()).toEqual(before);
    expect(provisioned).toBe(1);
  });

  test('`drop` deletes the tables, and is idempotent', async () => {
    await stage.refresh();
    await stage.drop();
    await stage.drop();
    await expect(engine.drop(TABLE)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

test('counts requests and capacity since the previous count', async () => {
  await stage.refresh();
  expect(stage.count()).toEqual({ requests: 0, capacity: 0 });
  await stage.patterns.getProfile?.(ana);
  await stage.patterns.twoNotes?.({ ...ana, one: 'a', other: 'b' });
  expect(stage.count()).toEqual({ requests: 2, capacity: 1.5 });
  expect(stage.count()).toEqual({ requests: 0, capacity: 0 });
});

describe('an expected item', () => {
  const select = ['user', 'id', 'text'];

  test('an expected item has the given values and the type attribute', () => {
    expect(stage.expected({ pattern: 'notesOfUser' }, 'a')).toEqual({
      ...ana,
      id: 'a',
      tag: 'red',
      text: 'the note a',
      kind: 'Note',
    });
  });

  test('an expected item has only its type and the selected attributes', () => {
    expect(stage.expected({ pattern: 'notesByTag', select }, 'a')).toEqual({
      ...ana,
      id: 'a',
      text: 'the note a',
      kind: 'Note',
    });
  });

  test('an expected item can be a documented item, or an item that exists only after a write', () => {
    expect(stage.expected({ pattern: 'getProfile' }, 'example')).toEqual({ user: 'eva', count: 0, kind: 'Profile' });
    expect(stage.expected({ pattern: 'notesOfUser' }, 'd')).toMatchObject({ id: 'd' });
  });

  test('there is no expected item for an unknown name or an unknown pattern', () => {
    expect(stage.expected({ pattern: 'notesOfUser' }, 'nobody')).toBeUndefined();
    expect(stage.expected({ pattern: 'nothing' }, 'a')).toBeUndefined();
  });

  test('a returned item gets the name of the expected item that it equals', () => {
    expect(stage.nameOf({ pattern: 'notesByTag', select }, { ...ana, id: 'a', text: 'the note a', kind: 'Note' })).toBe(
      'a',
    );
    expect(
      stage.nameOf({ pattern: 'notesByTag', select }, { ...ana, id: 'a', text: 'changed', kind: 'Note' }),
    ).toBeUndefined();
  });
});

describe('the result of a read', () => {
  beforeEach(() => stage.refresh());

  test('a get returns one page with at most one item', async () => {
    expect(await stage.pages({ pattern: 'getProfile', values: ana })).toMatchObject([[{ count: 3 }]]);
    expect(await stage.pages({ pattern: 'getProfile', values: { user: 'nobody' } })).toEqual([[]]);
  });

  test('a query returns every page in order', async () => {
    const pages = await stage.pages({ pattern: 'pagesOfUser', values: ana });
    expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['c', 'b'], ['a']]);
  });

  test('a read returns its items in a defined order, unless the read is a batch', () => {
    expect(stage.isOrdered('pagesOfUser')).toBe(true);
    expect(stage.isOrdered('twoNotes')).toBe(false);
  });
});
