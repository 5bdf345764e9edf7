import { partitionIncomplete } from '../../../../lib/check/rules/partition-incomplete';
import type { KeyCondition, PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, shop } from '../../../fixtures/designs';
import { libraryWith, libraryWithStep } from '../../../fixtures/library';

const found = (design: TableDesign) => findings(partitionIncomplete, design);
const at = (mine: PatternDesign) => found(libraryWith(mine));

test.each(Object.values(shop.tables) as TableDesign[])('finds nothing in $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('a query', () => {
  const query = (where: Record<string, KeyCondition>, index?: string): PatternDesign => ({
    op: 'query',
    where,
    returns: ['Book'],
    ...(index === undefined ? {} : { index }),
  });

  test('names its partition, in the table and in an index; the sort key may stay open', () => {
    expect(at(query({ PK: 'BOOK#<isbn>' }))).toEqual([]);
    expect(at(query({ GSI1PK: 'AUTHOR#<id>', GSI1SK: { beginsWith: '<day>' } }, 'byAuthor'))).toEqual([]);
  });

  test.each<[Record<string, KeyCondition>, string | undefined, string]>([
    [{ SK: 'BOOK' }, undefined, 'PK'],
    [{}, undefined, 'PK'],
    [{ GSI1SK: { beginsWith: '2020' } }, 'byAuthor', 'GSI1PK'],
    [{ PK: 'BOOK#<isbn>' }, 'byAuthor', 'GSI1PK'],
    [{ since: { atLeast: '<day>' } }, 'byStatus', 'status'],
  ])('%j of %s does not', (where, index, name) => {
    expect(at(query(where, index))).toEqual([
      {
        path: 'patterns.mine.where',
        message: `${name} is not given, and a query needs the whole partition key`,
        fix: `add ${name}: '…', or query an index whose partition key is given`,
      },
    ]);
  });

  test.each<[string, KeyCondition]>([
    ['beginsWith', { beginsWith: 'BOOK#' }],
    ['between', { between: ['BOOK#a', 'BOOK#b'] }],
    ['atLeast', { atLeast: 'BOOK#<isbn>' }],
  ])('does not leave its partition open by %s', (kind, PK) => {
    expect(at(query({ PK }))).toEqual([
      {
        path: 'patterns.mine.where.PK',
        message: `${kind} leaves PK open, and a query needs the whole partition key`,
        fix: "give PK one value: '…'",
      },
    ]);
  });

  test('has no partition that may be left out, in any of its parts', () => {
    expect(at(query({ PK: 'BOOK#<isbn?>#<edition?>', SK: '<x?>' }))).toEqual([
      {
        path: 'patterns.mine.where.PK',
        message: '<isbn?> may be left out, and a query needs the whole partition key',
        fix: 'write <isbn>',
      },
      {
        path: 'patterns.mine.where.PK',
        message: '<edition?> may be left out, and a query needs the whole partition key',
        fix: 'write <edition>',
      },
    ]);
  });

  test('of an index that is not there is another matter', () => {
    expect(at(query({}, 'byTitle'))).toEqual([]);
  });
});

describe('a request by key', () => {
  const whole = { PK: 'BOOK#<isbn>', SK: 'COPY#<n:4>' };
  const missing = (path: string, name: string, action: string) => ({
    path,
    message: `${name} is not given, and ${action === 'update' ? 'an' : 'a'} ${action} needs the whole key`,
    fix: `add ${name}: '…', or use a query`,
  });

  test('get names both keys', () => {
    const get = (where: Record<string, string>): PatternDesign => ({ op: 'get', where, returns: ['Copy'] });
    expect(at(get(whole))).toEqual([]);
    expect(at(get({ PK: 'BOOK#<isbn>' }))).toEqual([missing('patterns.mine.where', 'SK', 'get')]);
    expect(at(get({}))).toEqual([
      missing('patterns.mine.where', 'PK', 'get'),
      missing('patterns.mine.where', 'SK', 'get'),
    ]);
  });

  test.each<Extract<TransactionStep, { op: 'update' | 'delete' }>>([
    { op: 'update', entity: 'Copy', where: { PK: 'BOOK#<isbn>' } },
    { op: 'delete', entity: 'Copy', where: { PK: 'BOOK#<isbn>' } },
  ])('$op names both keys, alone and in a transaction', (step) => {
    expect(at(step)).toEqual([missing('patterns.mine.where', 'SK', step.op)]);
    expect(found(libraryWithStep(step))).toEqual([missing('patterns.mine.steps.step.where', 'SK', step.op)]);
    expect(at({ ...step, where: whole })).toEqual([]);
  });

  test('require names both keys', () => {
    const step = { op: 'require', entity: 'Copy', where: { SK: 'BOOK' }, condition: {} } as const;
    expect(found(libraryWithStep(step))).toEqual([missing('patterns.mine.steps.step.where', 'PK', 'require')]);
  });

  test('put has the key of its entity', () => {
    expect(at({ op: 'put', entity: 'Copy' })).toEqual([]);
    expect(at({ op: 'put', entity: 'Nothing' })).toEqual([]);
  });

  test('every key of a batch is whole, and only there may a part be left out', () => {
    const batch = (keys: Record<string, Record<string, string>>): PatternDesign => ({
      op: 'batchGet',
      keys,
      returns: ['Copy'],
    });
    expect(at(batch({ one: whole, two: { PK: 'BOOK#<isbn>', SK: 'COPY#<n?>' } }))).toEqual([]);
    expect(at(batch({ one: whole, two: { PK: 'BOOK#<isbn>' } }))).toEqual([
      missing('patterns.mine.keys.two', 'SK', 'batchGet'),
    ]);
    expect(at({ op: 'get', where: { PK: 'BOOK#<isbn>', SK: 'COPY#<n?>' }, returns: ['Copy'] })).toEqual([
      {
        path: 'patterns.mine.where.SK',
        message: '<n?> may be left out, and a get needs the whole key',
        fix: 'write <n>',
      },
    ]);
  });

  test('asks for one value, where a design that was not compiled asks for more', () => {
    const where = { PK: 'BOOK#<isbn>', SK: { beginsWith: 'COPY#' } as unknown as string };
    expect(at({ op: 'delete', entity: 'Copy', where })).toEqual([
      {
        path: 'patterns.mine.where.SK',
        message: 'beginsWith leaves SK open, and a delete needs the whole key',
        fix: "give SK one value: '…'",
      },
    ]);
  });

  test('needs no sort key where the table has none', () => {
    const { stock } = shop.tables;
    const get = (where: Record<string, string>): PatternDesign => ({ op: 'get', where, returns: ['Article'] });
    expect(found({ ...stock, patterns: { mine: get({ articleId: '<id>' }) } })).toEqual([]);
    expect(found({ ...stock, patterns: { mine: get({}) } })).toEqual([
      missing('patterns.mine.where', 'articleId', 'get'),
    ]);
  });
});

test('a key named as what every object has by birth is not given by that', () => {
  const patterns = { mine: { op: 'query', where: {}, returns: [] } } as const;
  const design: TableDesign = { name: 'odd', key: { partition: 'constructor' }, entities: {}, patterns };
  expect(found(design)).toMatchObject([{ path: 'patterns.mine.where' }]);
});
