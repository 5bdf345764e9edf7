import { z } from 'zod';
import { defineTable } from '../../../lib';
import { check } from '../../../lib/check';
import type { TableDesign } from '../../../lib/design/table';
import { client, RequestError, requests, unique, written } from '../../../lib/dynamodb';

const where = { PK: 'NOTE#<id>', SK: 'NOTE' } as const;

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byName: { partition: 'kind', sort: 'GSI1SK' } },
  typeAttribute: 'kind',
  entities: {
    Note: {
      attributes: z.object({
        id: z.string(),
        name: z.string().trim(),
        from: z.string(),
        to: z.string(),
        note: z.string().optional(),
        sortName: z.string(),
        pair: z.string(),
        short: z.string().optional(),
        day: z.iso.date(),
        rev: z.int().min(1),
        createdAt: z.iso.datetime({ precision: 0 }),
        updatedAt: z.int(),
      }),
      keys: { ...where, GSI1SK: '<sortName>#<updatedAt:13>' },
      version: 'rev',
      timestamps: { created: 'createdAt', updated: 'updatedAt' },
      computed: {
        sortName: '<name:lower>',
        pair: { sorted: ['<from>', '<to>'], separator: '~' },
        short: 'note: <note>',
        day: '<createdAt:date>',
      },
    },
  },
  patterns: {
    note: { op: 'get', where, returns: ['Note'] },
    add: { op: 'put', entity: 'Note' },
    save: { op: 'put', entity: 'Note', replace: true },
    rename: {
      op: 'update',
      entity: 'Note',
      where,
      set: { name: '<newName?>', note: '<note?>' },
      condition: { sortName: '<was?>' },
    },
    stamp: { op: 'update', entity: 'Note', where, set: { to: '<to>' }, condition: { name: '<name>', from: '<from>' } },
    forget: { op: 'update', entity: 'Note', where, remove: ['note'], condition: { sortName: '<sortName>' } },
    renameTwo: {
      op: 'transaction',
      steps: {
        one: { op: 'update', entity: 'Note', where, set: { name: '<name>' } },
        added: { op: 'put', entity: 'Note' },
      },
    },
    spelled: {
      op: 'put',
      entity: 'Note',
      item: { id: '<id>', name: 'New', from: '<a>', to: '<b>' },
    },
  },
});

const NOW = Date.parse('2026-05-06T07:08:09.123Z');
const patterns = requests(notes, 'notes', { written, clock: () => NOW });
const note = { id: 'n', name: ' Ana ', from: 'z', to: 'a' };
const stored = {
  ...{ PK: 'NOTE#n', SK: 'NOTE', GSI1SK: `ana#${NOW}`, kind: 'Note', id: 'n', name: 'Ana', from: 'z', to: 'a' },
  ...{ sortName: 'ana', pair: 'a~z', day: '2026-05-06', rev: 1, createdAt: '2026-05-06T07:08:09Z', updatedAt: NOW },
};

/** Returns the assignments of an update, keyed by attribute. */
function changes(input: object): Record<string, unknown> {
  const { UpdateExpression, ExpressionAttributeNames, ExpressionAttributeValues } = input as {
    UpdateExpression: string;
    ExpressionAttributeNames: Record<string, string>;
    ExpressionAttributeValues: Record<string, unknown>;
  };
  const [sets = '', removed] = UpdateExpression.replace(/^SET /, '').split(' REMOVE ');
  const set = sets.split(/, (?=#\d+ =)/).map((one) => {
    const [name = '', value = ''] = one.split(' = ');
    return [
      ExpressionAttributeNames[name],
      ExpressionAttributeValues[value] ??
        value.replace(/.* \+ (:\d+)$/, (_, by) => `+${ExpressionAttributeValues[by]}`),
    ];
  });
  const gone = (removed?.split(', ') ?? []).map((name) => [ExpressionAttributeNames[name], undefined]);
  return Object.fromEntries([...set, ...gone]);
}

describe('a put', () => {
  test('writes the first version, the timestamps and the computed attributes from validated values', () => {
    expect(patterns.add(note).Item).toEqual(stored);
    expect(patterns.spelled({ id: 'n', a: 'z', b: 'a' }).Item).toEqual({
      ...stored,
      name: 'New',
      sortName: 'new',
      GSI1SK: `new#${NOW}`,
    });
  });

  test('omits a computed attribute if an attribute that it depends on is missing', () => {
    expect(patterns.add({ ...note, note: 'hi' }).Item).toMatchObject({ short: 'note: hi' });
    expect(patterns.add(note).Item).not.toHaveProperty('short');
  });

  test('accepts an item that a read returned', () => {
    const read = { ...stored, name: 'Ana', createdAt: '2020-01-01T00:00:00Z', day: '2020-01-01', updatedAt: 7, rev: 3 };
    expect(patterns.add(read).Item).toEqual(stored);
    const { Item, ConditionExpression, ExpressionAttributeValues } = patterns.save(read);
    expect(Item).toEqual({ ...stored, createdAt: '2020-01-01T00:00:00Z', day: '2020-01-01', rev: 4 });
    expect(ConditionExpression).toBe('#0 = :0');
    expect(ExpressionAttributeValues).toEqual({ ':0': 3 });
  });

  test.each([
    [{ sortName: 'bob' }, `sortName is "bob", but the computed value is "ana"`],
    [{ kind: 'Book' }, `kind is "Book", not "Note"`],
    [{ PK: 'NOTE#m' }, `PK is "NOTE#m", not "NOTE#n"`],
    [{ rev: 'x' }, 'rev: Invalid input'],
  ])('refuses an item that has %j', (wrong, message) => {
    expect(() => patterns.add({ ...note, ...wrong } as never)).toThrow(message);
  });

  test('refuses a value that contains the separator between the sorted values', () => {
    expect(() => patterns.add({ ...note, from: 'a~b' })).toThrow(`pair: "a~b" contains '~'`);
  });

  test('a put with `replace` can only create an item unless the caller passes the version', () => {
    expect(patterns.save(note).ConditionExpression).toBe('attribute_not_exists(#0)');
  });
});

describe('an update', () => {
  test('increments the version, and writes the timestamp and the attributes computed from changed values', () => {
    expect(changes(patterns.rename({ id: 'n', newName: ' Bob ' }))).toEqual({
      ...{ name: 'Bob', sortName: 'bob', updatedAt: NOW, rev: '+1', GSI1SK: `bob#${NOW}` },
    });
  });

  test('leaves a computed attribute unchanged if the caller omits the values on which it depends', () => {
    expect(changes(patterns.rename({ id: 'n', note: 'hi', was: 'ana' }))).toEqual({
      ...{ note: 'hi', short: 'note: hi', updatedAt: NOW, rev: '+1', GSI1SK: `ana#${NOW}` },
    });
  });

  test("computes an attribute in an index key from values that the update's condition requires", () => {
    const to = changes(patterns.stamp({ id: 'n', to: 'a', name: 'Ana', from: 'z' }));
    expect(to).toEqual({ to: 'a', pair: 'a~z', updatedAt: NOW, rev: '+1', GSI1SK: `ana#${NOW}` });
  });

  test('removes a computed attribute if the update removes an attribute that it depends on', () => {
    expect(changes(patterns.forget({ id: 'n', sortName: 'ana' }))).toMatchObject({ note: undefined, short: undefined });
  });

  test('an update succeeds only if the stored version is the one that the caller passes', () => {
    const { ConditionExpression } = patterns.rename({ id: 'n', newName: 'Bob', rev: 3 });
    expect(ConditionExpression).toMatch(/^attribute_exists\(#\d\) AND #\d = :\d$/);
  });

  test("accepts the version for a transaction step under the step's name", () => {
    const { TransactItems } = patterns.renameTwo({ id: 'm', name: 'Bob', one: { rev: 3 }, added: note });
    expect(TransactItems[0]?.Update?.ConditionExpression).toContain(' AND ');
    expect(TransactItems[1]?.Put?.Item).toEqual(stored);
  });
});

describe('a `unique` declaration on a computed attribute', () => {
  const contacts = defineTable({
    name: 'contacts',
    key: { partition: 'PK', sort: 'SK' },
    entities: {
      Contact: {
        attributes: z.object({ id: z.string(), name: z.string(), login: z.string() }),
        keys: { PK: 'CONTACT#<id>', SK: 'CONTACT' },
        computed: { login: '<name:lower>' },
        unique: { login: { keys: { PK: 'LOGIN#<login>', SK: 'LOGIN' } } },
      },
    },
    patterns: {
      rename: {
        op: 'update',
        entity: 'Contact',
        where: { PK: 'CONTACT#<id>', SK: 'CONTACT' },
        set: { name: '<name>' },
        condition: { name: '<formerName>' },
      },
      remove: {
        op: 'delete',
        entity: 'Contact',
        where: { PK: 'CONTACT#<id>', SK: 'CONTACT' },
        condition: { name: '<name>' },
      },
    },
  });
  const of = requests(contacts, 'contacts', { written, unique });
  const claimed = (input: object) => {
    const { TransactItems = [] } = input as { TransactItems?: readonly Record<string, Written>[] };
    const writes = TransactItems.slice(1).flatMap((write) => Object.entries(write));
    return writes.map(([op, { Item, Key }]) => `${op} ${(Item ?? Key)?.PK}`);
  };
  type Written = Readonly<Partial<Record<'Item' | 'Key', Readonly<Record<string, unknown>>>>>;

  test("moves a computed attribute's guard, and finds the old guard by the value that the condition requires", () => {
    expect(claimed(of.rename({ id: '1', name: 'BOB', formerName: 'Ana' }))).toEqual([
      'Put LOGIN#bob',
      'Delete LOGIN#ana',
    ]);
    expect(claimed(of.remove({ id: '1', name: 'Ana' }))).toEqual(['Delete LOGIN#ana']);
  });

  test('the check reports an update of a unique computed attribute if no condition states the former value', () => {
    expect(check(contacts)).toEqual([]);
    const { condition: _, ...rename } = contacts.patterns.rename;
    const unpinned = { ...contacts, patterns: { rename } };
    expect(check(unpinned as TableDesign).map(({ cause, fix }) => [cause, fix])).toEqual([
      ['unpinned', "write condition: { name: '<formerName>' }"],
    ]);
  });
});

test('an update that loses a race fails with an error of kind `stale`', async () => {
  const refused = Object.assign(new Error('no'), {
    name: 'ConditionalCheckFailedException',
    Item: { PK: { S: 'NOTE#n' }, SK: { S: 'NOTE' }, rev: { N: '4' }, sortName: { S: 'ana' } },
  });
  const notesClient = client(notes, 'notes', () => Promise.reject(refused), { written });
  const error = await notesClient.rename({ id: 'n', newName: 'Bob', rev: 3 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestError);
  expect((error as RequestError).kind).toBe('stale');
  expect((error as RequestError).message).toContain('has changed since it was read; read it again');
});

test('refuses values for attributes that the library writes', () => {
  // @ts-expect-error the library writes createdAt
  patterns.add({ ...note, createdAt: '2020-01-01T00:00:00Z' });
  // @ts-expect-error the caller cannot set a timestamp in an update
  patterns.forget({ id: 'n', sortName: 'ana', updatedAt: 1 });
});

test('requires the option `written` for a design with attributes that the library writes', () => {
  expect(() => requests(notes, 'notes')).toThrow(`Note needs the option { written } from 'tablewright/dynamodb'`);
});
