import { z } from 'zod';
import { defineTable } from '../../../lib';
import { client, type Observation, RequestError, raw, stored, written } from '../../../lib/dynamodb';
import { type Local, startLocal } from '../../../lib/local';
import type { Database } from '../../../lib/proof';

const tasks = defineTable({
  name: 'tasks',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byDue: { partition: 'duePK', sort: 'dueSK', purpose: 'tasks by date' } },
  typeAttribute: 'kind',
  entities: {
    Task: {
      attributes: z.object({
        project: z.string(),
        id: z.string(),
        title: z.string().max(20),
        points: z.int().min(0),
        due: z.iso.date(),
        tags: z.array(z.string()).optional(),
        remark: z.string().max(5).optional(),
      }),
      keys: { PK: 'PROJECT#<project>', SK: 'TASK#<id>', duePK: 'PROJECT#<project>', dueSK: '<due>#<id>' },
      stored: { remark: 'r' },
    },
    Note: {
      attributes: z.object({ project: z.string(), noteId: z.string(), version: z.int() }),
      keys: { PK: 'PROJECT#<project>', SK: 'NOTE#<noteId>' },
      version: 'version',
    },
  },
  patterns: {
    addTask: { op: 'put', entity: 'Task' },
    task: { op: 'get', where: { PK: 'PROJECT#<project>', SK: 'TASK#<id>' }, returns: ['Task'] },
  },
});

let local: Local<Database>;
beforeAll(async () => {
  local = await startLocal(tasks);
});
beforeEach(() => local.reset());
afterAll(() => local.stop());

function rawTasks() {
  const observed: Observation[] = [];
  const observe = (observation: Observation) => observed.push(observation);
  const table = local.tableName('tasks');
  return { db: raw(tasks, table, local.send, { observe }), observed, table };
}

const task = (id: string, more: object = {}) => ({
  ...{ project: 'p', id, title: `task ${id}`, points: 1, due: `2026-12-0${id}` },
  ...more,
});
const key = (id: string) => ({ project: 'p', id });

async function fill(...all: ReturnType<typeof task>[]): Promise<void> {
  const { addTask } = client(tasks, local.tableName('tasks'), local.send, { written, stored });
  for (const one of all) await addTask(one);
}

test('runs a query with a custom expression page by page, and parses the items as a pattern does', async () => {
  await fill(task('1'), task('2', { points: 5 }), task('3', { points: 5 }), task('4', { points: 5 }));
  const { db, observed, table } = rawTasks();
  const { duePK } = db.key('Task', { project: 'p' }, 'byDue');
  const query = (cursor?: string) =>
    db.query(
      'largeTasks',
      ['Task'],
      {
        IndexName: 'byDue',
        KeyConditionExpression: 'duePK = :pk',
        FilterExpression: 'points >= :points AND size(title) > :length',
        ExpressionAttributeValues: { ':pk': duePK as string, ':points': 5, ':length': 3 },
        Limit: 3,
      },
      { cursor },
    );
  const first = await query();
  expect(first.items).toEqual([
    { ...task('2', { points: 5 }), kind: 'Task' },
    { ...task('3', { points: 5 }), kind: 'Task' },
  ]);
  const second = await query(first.cursor);
  expect(second.items.map(({ id }) => id)).toEqual(['4']);
  expect(second.cursor).toBeUndefined();
  expect(observed).toMatchObject([
    { table, pattern: 'largeTasks', operation: 'Query', capacity: expect.any(Number) },
    { table, pattern: 'largeTasks', operation: 'Query' },
  ]);
});

test('seals cursors as a client does, and refuses a cursor from another request', async () => {
  await fill(task('1'), task('2'));
  const cursors = { secret: 'a secret of this test' };
  const db = raw(tasks, local.tableName('tasks'), local.send, { cursors });
  const { cursor } = await db.scan('allTasks', ['Task'], { Limit: 1 });
  expect((await db.scan('allTasks', ['Task'], {}, { cursor })).items).toHaveLength(1);
  await expect(db.scan('otherTasks', ['Task'], {}, { cursor })).rejects.toThrow('cursor');
});

test('counts and reports a stored item that does not fit the design', async () => {
  await fill(task('1'));
  const { db, observed, table } = rawTasks();
  const Item = { PK: 'PROJECT#p', SK: 'TASK#2', kind: 'Task', title: 'no points' };
  await local.send('Put', { TableName: table, Item });
  expect(await db.scan('allTasks', ['Task'])).toMatchObject({ items: [{ id: '1' }], unknown: 1 });
  expect(observed[0]?.unknown).toHaveLength(1);
  await expect(db.scan('allTasks', ['Task'], {}, { onUnknown: 'throw' })).rejects.toThrow('points');
});

test('updates an existing item with an expression, and returns the item', async () => {
  await fill(task('1', { tags: ['a'] }));
  const { db, observed } = rawTasks();
  const updated = await db.update('tag', 'Task', key('1'), {
    UpdateExpression: 'SET tags = list_append(tags, :tags), #t = :title',
    ConditionExpression: 'NOT contains(tags, :tag)',
    ExpressionAttributeNames: { '#t': 'title' },
    ExpressionAttributeValues: { ':tags': ['b'], ':tag': 'b', ':title': 'tagged' },
  });
  expect(updated).toEqual({ ...task('1', { tags: ['a', 'b'], title: 'tagged' }), kind: 'Task' });
  const missing = db.update('tag', 'Task', key('9'), {
    UpdateExpression: 'SET title = :title',
    ExpressionAttributeValues: { ':title': 'x' },
  });
  await expect(missing).rejects.toMatchObject({ kind: 'missing', writes: [{ entity: 'Task' }] });
  const refused = db.update('tag', 'Task', key('1'), {
    UpdateExpression: 'SET title = :title',
    ConditionExpression: 'points > :points',
    ExpressionAttributeValues: { ':title': 'x', ':points': 7 },
  });
  await expect(refused).rejects.toBeInstanceOf(RequestError);
  await expect(refused).rejects.toMatchObject({ kind: 'condition', writes: [{ item: { points: 1 } }] });
  expect(observed.map(({ pattern, error }) => [pattern, error === undefined])).toEqual([
    ['tag', true],
    ['tag', false],
    ['tag', false],
  ]);
});

test.each([
  ['a key', 'SET PK = :v', 'x', 'PK is a key or the type'],
  ['the type', 'SET kind = :v', 'x', 'kind is a key or the type'],
  ['an attribute that is part of a key', 'SET points = :v, due = :v', 3, 'due is part of dueSK'],
  ['an attribute that the design does not declare', 'REMOVE titel', 'x', "'titel' is not an attribute of Task"],
  ['an attribute to an invalid value', 'SET title = :v REMOVE tags', 'x'.repeat(21), 'title: '],
])(
  'refuses an update of %s before sending it, and reports the refusal to the observer',
  async (_, UpdateExpression, value, message) => {
    await fill(task('1'));
    const { db, observed, table } = rawTasks();
    const ExpressionAttributeValues = { ':v': value };
    const update = db.update('change', 'Task', key('1'), { UpdateExpression, ExpressionAttributeValues });
    await expect(update).rejects.toThrow(`${table}: change: `);
    await expect(update).rejects.toThrow(message);
    expect(observed).toMatchObject([{ pattern: 'change', error: { name: 'ItemError' } }]);
    expect(await client(tasks, table, local.send, { written, stored }).task(key('1'))).toMatchObject(task('1'));
  },
);

test('accepts stored names in expressions, and returns items with the names in the design', async () => {
  await fill(task('1', { remark: 'old' }));
  const { db } = rawTasks();
  const update = (remark: string) =>
    db.update('remark', 'Task', key('1'), {
      UpdateExpression: 'SET r = :r',
      ExpressionAttributeValues: { ':r': remark },
    });
  expect(await update('new')).toMatchObject({ remark: 'new' });
  await expect(update('too long')).rejects.toThrow('remark: ');
});

test('reports that an update succeeded even if the updated item does not fit the design', async () => {
  await fill(task('1'));
  const { db } = rawTasks();
  const update = db.update('spend', 'Task', key('1'), {
    UpdateExpression: 'SET points = points - :n',
    ExpressionAttributeValues: { ':n': 2 },
  });
  await expect(update).rejects.toThrow('spend: the update succeeded, but the item no longer fits the design');
});

test('puts a validated item with all its keys, and deletes the item conditionally', async () => {
  const { db, table } = rawTasks();
  await db.put('import', 'Task', task('1'));
  await expect(db.put('import', 'Task', task('1'))).rejects.toMatchObject({ kind: 'exists' });
  await expect(db.put('import', 'Task', task('2', { points: -1 }))).rejects.toThrow('points');
  const ifSmall = { ConditionExpression: 'points < :n', ExpressionAttributeValues: { ':n': 2 } };
  await db.put('import', 'Task', task('1', { points: 8 }), ifSmall);
  const { Item } = await local.send('Get', { TableName: table, Key: db.key('Task', key('1')) });
  expect(Item).toMatchObject({ kind: 'Task', points: 8, dueSK: '2026-12-01#1' });
  await expect(db.delete('drop', 'Task', key('1'), ifSmall)).rejects.toMatchObject({ kind: 'condition' });
  await db.delete('drop', 'Task', key('1'));
  expect((await db.scan('allTasks', ['Task'])).items).toEqual([]);
});

test('renders table keys and index keys, and omits a sort key whose values are missing', () => {
  const { db } = rawTasks();
  expect(db.key('Task', key('1'))).toEqual({ PK: 'PROJECT#p', SK: 'TASK#1' });
  expect(db.key('Task', { project: 'p', due: '2026-12-01' }, 'byDue')).toEqual({ duePK: 'PROJECT#p' });
  expect(() => db.key('Task', { id: '1' })).toThrow('project');
  expect(() => db.key('Task', { project: 'a#b' })).toThrow('#');
  expect(() => db.key('Note', { project: 'p' }, 'byDue')).toThrow('Note is not in byDue: it has no duePK');
});

test('refuses a request if only a pattern can handle it correctly', async () => {
  const { db } = rawTasks();
  const note = { UpdateExpression: 'REMOVE project' };
  await expect(db.update('n', 'Note', { project: 'p', noteId: '1' }, note)).rejects.toThrow("op: 'update'");
  await expect(db.scan('task', ['Task'])).rejects.toThrow('a name no pattern uses');
  await expect(db.scan('s', ['Tsak' as 'Task'])).rejects.toThrow('it has Task, Note');
  const some: object = { ProjectionExpression: 'title' };
  await expect(db.scan('s', ['Task'], some)).rejects.toThrow('leave out ProjectionExpression');
  await expect(db.scan('s', ['Task'], { IndexName: 'byDeu' }, { cursor: 'x' })).rejects.toThrow('it has byDue');
});
