import { z } from 'zod';
import { refusedRequest } from '../../../../lib/check/rules/refused-request';
import type { PatternDesign, QueryPattern, TransactionStep } from '../../../../lib/design/pattern';
import { findings, tableOf } from '../../../fixtures/designs';

const found = (one: PatternDesign) =>
  findings(
    refusedRequest,
    tableOf(
      {
        attributes: z.object({ owner: z.string(), id: z.string(), place: z.object({ city: z.string() }) }),
        keys: { PK: 'O#<owner>', SK: 'T#<id>' },
      },
      { indexes: { byId: { partition: 'id' } }, patterns: { one } },
    ),
  );
const query = (rest: Partial<QueryPattern>): PatternDesign => ({
  op: 'query',
  where: { PK: 'O#<owner>' },
  returns: ['Thing'],
  ...rest,
});
const transaction = (steps: Record<string, TransactionStep>): PatternDesign => ({ op: 'transaction', steps });
const remove = (owner: string, id = '<id>'): TransactionStep => ({
  op: 'delete',
  entity: 'Thing',
  where: { PK: `O#${owner}`, SK: `T#${id}` },
});

describe('a query', () => {
  test('rejects a strongly consistent query of a global index', () => {
    expect(found(query({ index: 'byId', where: { id: '<id>' }, consistent: true }))).toEqual([
      { path: 'patterns.one.consistent', cause: 'consistent-index', index: 'byId' },
    ]);
    expect(found(query({ consistent: true }))).toEqual([]);
    expect(found(query({ index: 'byId', where: { id: '<id>' }, consistent: false }))).toEqual([]);
  });

  test.each([0, -1, 1.5, Number.NaN])('rejects a page size of %p', (pageSize) => {
    expect(found(query({ pageSize }))).toEqual([
      { path: 'patterns.one.pageSize', cause: 'page-size', count: pageSize },
    ]);
    expect(found(query({ pageSize: 1 }))).toEqual([]);
  });

  test('requires 1 to 100 values in an `in` list', () => {
    const listed = (count: number) =>
      query({ filter: { id: { in: Array.from({ length: count }, (_, i) => `${i}`) } } });
    expect(found(listed(0))).toEqual([{ path: 'patterns.one.filter.id', cause: 'list-size', count: 0 }]);
    expect(found(listed(101))).toEqual([{ path: 'patterns.one.filter.id', cause: 'list-size', count: 101 }]);
    expect(found(listed(100))).toEqual([]);
  });
});

describe('a transaction', () => {
  test('rejects a transaction without steps', () => {
    expect(found(transaction({}))).toEqual([{ path: 'patterns.one.steps', cause: 'empty' }]);
  });

  test('rejects a transaction with two steps for the same item', () => {
    expect(found(transaction({ a: remove('<owner>'), b: remove('<other>'), c: remove('<owner>') }))).toEqual([
      { path: 'patterns.one.steps.c', cause: 'one-item-twice', value: 'a' },
    ]);
    const put: TransactionStep = { op: 'put', entity: 'Thing' };
    expect(found(transaction({ a: put, b: remove('<a.owner>', '<a.id>') })).map(({ path }) => path)).toEqual([
      'patterns.one.steps.b',
    ]);
    expect(found(transaction({ a: put, b: put, c: remove('<a.owner>', '<b.id>') }))).toEqual([]);
  });

  test('warns about a reference to a nonexistent step if another step puts an item with that attribute', () => {
    expect(found(transaction({ a: { op: 'put', entity: 'Thing' }, b: remove('<aa.owner>') }))).toEqual([
      {
        severity: 'warning',
        path: 'patterns.one.steps.b.where.PK',
        cause: 'no-such-step',
        part: 'aa.owner',
        proposed: 'a.owner',
      },
    ]);
    expect(found(transaction({ a: { op: 'put', entity: 'Thing' }, b: remove('<a.owner>') }))).toEqual([]);
    expect(found(transaction({ a: { op: 'put', entity: 'Thing' }, b: remove('<given.value>') }))).toEqual([]);
    expect(found(transaction({ b: remove('<given.owner>') }))).toEqual([]);
    expect(found(transaction({ b: remove('<place.city>') }))).toEqual([]);
  });

  test('rejects a `require` step without a condition', () => {
    const where = { PK: 'O#<owner>', SK: 'T#<id>' };
    expect(found(transaction({ a: { op: 'require', entity: 'Thing', where, condition: {} } }))).toEqual([
      { path: 'patterns.one.steps.a.condition', cause: 'requires-nothing' },
    ]);
    const condition = { PK: { exists: true } };
    expect(found(transaction({ a: { op: 'require', entity: 'Thing', where, condition } }))).toEqual([]);
  });
});

describe('a batch', () => {
  const batch = (...owners: readonly string[]): PatternDesign => ({
    op: 'batchGet',
    keys: Object.fromEntries(owners.map((owner, i) => [`k${i}`, { PK: `O#${owner}`, SK: 'T#<id>' }])),
    returns: ['Thing'],
  });

  test('rejects a batch without keys', () => {
    expect(found(batch()).map(({ path }) => path)).toEqual(['patterns.one.keys']);
  });

  test('warns about a batch that requests the same item twice', () => {
    expect(found(batch('<a>', '<b>', '<a>'))).toEqual([
      { severity: 'warning', path: 'patterns.one.keys.k2', cause: 'one-key-twice', value: 'k0' },
    ]);
    expect(found(batch('<a>', '<b?>'))).toEqual([]);
  });
});
