import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';

const at = z.iso.datetime({ precision: 3 });
const id = z.uuid();
const KEY = { partition: 'PK', sort: 'SK' } as const;

function guesses(design: TableDesign | SystemDesign): readonly string[] {
  const found = check(design, { notes: true }).filter(({ rule }) => rule === 'likely-oversight');
  expect(found.filter(({ guess, severity }) => guess !== true || severity !== 'note')).toEqual([]);
  return found.map(({ cause, path }) => `${cause} ${path}`);
}

function table(
  entities: Readonly<Record<string, EntityDesign>>,
  patterns: Readonly<Record<string, PatternDesign>> = {},
  rest: Partial<TableDesign> = {},
): TableDesign {
  return { name: 'things', key: KEY, entities, patterns, ...rest };
}

describe('a number that alone distinguishes items', () => {
  const scores = (name: string, value: z.ZodType, part: string) =>
    guesses(
      table({
        Entry: { attributes: z.object({ boardId: id, [name]: value }), keys: { PK: 'BOARD#<boardId>', SK: part } },
      }),
    );

  test.each([
    ['score', z.int().min(0).max(999), 'SCORE#<score:3>'],
    ['totalPoints', z.int().min(0).max(999), 'P#<totalPoints:3>'],
    ['ratio', z.number(), 'R#<ratio>'],
  ])('notes a number that alone distinguishes items but is likely a measure: %s', (name, value, part) => {
    expect(scores(name, value, part)).toEqual(['measure-apart entities.Entry.keys.SK']);
  });

  test('accepts a chapter number that alone distinguishes items, and a score that precedes an id', () => {
    expect(scores('chapter', z.int().min(0).max(999), 'CHAPTER#<chapter:3>')).toEqual([]);
    expect(scores('score', z.int().min(0).max(999), 'SCORE#<score:3>#<boardId>')).toEqual([]);
  });
});

describe('a key part that users type', () => {
  const users = (name: string, value: z.ZodType, part: string, rest: Partial<EntityDesign> = {}) =>
    guesses(
      table({
        User: { attributes: z.object({ userId: id, [name]: value }), keys: { PK: part, SK: 'USER' }, ...rest },
      }),
    );

  test.each([
    ['email', z.email()],
    ['contact', z.email()],
    ['userName', z.string().regex(/^\w+$/)],
  ])(
    'notes a key part only if its name or format suggests that users type it, with any capitalization: %s',
    (name, value) => {
      const expected = name === 'userName' ? [] : ['any-case entities.User.keys.PK'];
      expect(users(name, value, `U#<${name}>`)).toEqual(expected);
    },
  );

  test.each([
    ['if the key converts it to lower case', 'email', z.email(), 'U#<email:lower>'],
    ['if the schema converts it to lower case', 'email', z.email().toLowerCase(), 'U#<email>'],
    ['if a regular expression allows only lower case', 'handle', z.string().regex(/^[a-z0-9-]+$/), 'U#<handle>'],
    ['if its name is that of an id', 'loginId', z.uuid(), 'U#<loginId>'],
  ])('accepts a key part %s', (_, name, value, part) => {
    expect(users(name, value, part)).toEqual([]);
  });
});

describe('a sparse index that items never leave', () => {
  const attributes = z.object({ taskId: id, flaggedAt: at.optional() });
  const Task = { attributes, keys: { PK: 'TASK#<taskId>', SK: 'TASK' } };
  const where = { PK: 'TASK#<taskId>', SK: 'TASK' };
  const flag: PatternDesign = { op: 'update', entity: 'Task', where, set: { flaggedAt: '<at>' } };
  const flagged: PatternDesign = { op: 'scan', index: 'flagged', returns: ['Task'] };
  const design = (more: Readonly<Record<string, PatternDesign>>) =>
    guesses(table({ Task }, { flag, flagged, ...more }, { indexes: { flagged: { partition: 'flaggedAt' } } }));

  test('notes a sparse index that items never leave, because no pattern removes the flag or the item', () => {
    expect(design({})).toEqual(['never-unflagged entities.Task.attributes.flaggedAt']);
    expect(design({ unflag: { op: 'update', entity: 'Task', where, remove: ['flaggedAt'] } })).toEqual([]);
    expect(design({ drop: { op: 'delete', entity: 'Task', where } })).toEqual([]);
  });
});

describe('a single item read through an index', () => {
  const attributes = z.object({ userId: id, email: z.email().toLowerCase() });
  const User: EntityDesign = { attributes, keys: { PK: 'USER#<userId>', SK: 'USER' } };
  const byEmail: PatternDesign = { op: 'query', index: 'byEmail', where: { email: '<email>' }, returns: ['User'] };
  const design = (User: EntityDesign) =>
    guesses(table({ User }, { byEmail }, { indexes: { byEmail: { partition: 'email' } } }));

  test('notes a read of a single item by a value that is not declared unique', () => {
    expect(design(User)).toEqual(['not-unique patterns.byEmail.index']);
    const unique = { email: { keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } } };
    expect(design({ ...User, unique })).toEqual([]);
  });
});

describe('a read of items that expire', () => {
  const Session = {
    attributes: z.object({ sessionId: id, expires: z.int() }),
    keys: { PK: 'SESSION#<sessionId>', SK: 'SESSION' },
  };
  const where = { PK: 'SESSION#<sessionId>', SK: 'SESSION' };
  const design = (rest: object) =>
    guesses(table({ Session }, { get: { op: 'get', where, returns: ['Session'], ...rest } }, { ttl: 'expires' }));

  test('notes a read that may return expired items until DynamoDB deletes them', () => {
    expect(design({})).toEqual(['may-be-expired ttl']);
    expect(design({ unexpired: true })).toEqual([]);
  });
});

test('combines all key parts that accept any text, except ids, into one note', () => {
  const attributes = z.object({
    userId: z.string(),
    tag: z.string(),
    name: z.string().max(40),
    slug: z.string().regex(/^[a-z]+$/),
  });
  const keys = { PK: 'USER#<userId>', SK: 'TAG#<tag>#<name>#<slug>' };
  const found = check(table({ Tag: { attributes, keys } }), { notes: true });
  expect(found).toMatchObject(
    [{ cause: 'any-text', guess: true, message: /^the schemas allow any text in <tag>, <name>,/ }].map((expected) => ({
      ...expected,
      message: expect.stringMatching(expected.message),
    })),
  );
});

test('accepts a computed attribute in a key unless one of its sources can be any text', () => {
  const attributes = z.object({
    reviewId: z.string(),
    at: z.iso.datetime({ precision: 3 }),
    name: z.string(),
    day: z.string(),
    sortName: z.string(),
  });
  const keys = { PK: 'DAY#<day>#<sortName>', SK: 'REVIEW#<reviewId>' };
  const computed = { day: '<at:date>', sortName: '<name:lower>' };
  const found = check(table({ Review: { attributes, keys, computed } }), { notes: true });
  expect(found.filter(({ cause }) => cause === 'any-text').map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the schema allows any text in <sortName>,/),
  ]);
});

test('notes a procedure that writes to two tables without a transaction', () => {
  const one = (name: string): TableDesign => ({
    name,
    key: { partition: 'id' },
    entities: { Thing: { attributes: z.object({ id }) } },
    patterns: {
      [`put${name}`]: { op: 'put', entity: 'Thing' },
      [`get${name}`]: { op: 'get', where: { id: '<id>' }, returns: ['Thing'] },
    },
  });
  const system = (uses: readonly string[]): SystemDesign => ({
    name: 'shop',
    cloud: 'aws',
    tables: { orders: one('orders'), counts: one('counts') },
    procedures: { order: { uses } },
  });
  expect(guesses(system(['putorders', 'putcounts']))).toEqual(['across-tables procedures.order.uses']);
  expect(guesses(system(['putorders', 'getcounts']))).toEqual([]);
});
