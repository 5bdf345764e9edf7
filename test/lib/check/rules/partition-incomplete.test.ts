import { partitionIncomplete } from '../../../../lib/check/rules/partition-incomplete';
import type { KeyCondition, PatternDesign, TransactionStep } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, shop } from '../../../fixtures/designs';
import { libraryWith, libraryWithStep } from '../../../fixtures/library';
import { sales } from '../../../fixtures/sound/sales';

const found = (design: TableDesign) => findings(partitionIncomplete, design);
const at = (mine: PatternDesign) => found(libraryWith(mine));

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('a query', () => {
  const query = (where: Record<string, KeyCondition>, index?: string): PatternDesign => ({
    op: 'query',
    where,
    returns: ['Book'],
    ...(index === undefined ? {} : { index }),
  });

  test('requires the partition key, but not the sort key, in a query of the table or an index', () => {
    expect(at(query({ PK: 'BOOK#<isbn>' }))).toEqual([]);
    expect(at(query({ GSI1PK: 'AUTHOR#<id>', GSI1SK: { beginsWith: '<day>' } }, 'byAuthor'))).toEqual([]);
  });

  test.each<[Record<string, KeyCondition>, string | undefined, string]>([
    [{ SK: 'BOOK' }, undefined, 'PK'],
    [{}, undefined, 'PK'],
    [{ GSI1SK: { beginsWith: '2020' } }, 'byAuthor', 'GSI1PK'],
    [{ PK: 'BOOK#<isbn>' }, 'byAuthor', 'GSI1PK'],
    [{ since: { atLeast: '<day>' } }, 'byStatus', 'status'],
  ])('reports that a query with the condition %j on index %s lacks the partition key', (where, index, name) => {
    expect(at(query(where, index))).toEqual([{ path: 'patterns.mine.where', cause: 'not-given', attribute: name }]);
  });

  test.each<[string, KeyCondition]>([
    ['beginsWith', { beginsWith: 'BOOK#' }],
    ['between', { between: ['BOOK#a', 'BOOK#b'] }],
    ['atLeast', { atLeast: 'BOOK#<isbn>' }],
  ])('rejects a partition key with the range %s', (kind, PK) => {
    expect(at(query({ PK }))).toEqual([{ path: 'patterns.mine.where.PK', cause: 'left-open', value: kind }]);
  });

  test('rejects an optional part in the partition key of a query', () => {
    expect(at(query({ PK: 'BOOK#<isbn?>#<edition?>' }))).toEqual([
      { path: 'patterns.mine.where.PK', cause: 'optional-part', part: 'isbn', proposed: '<isbn>' },
      { path: 'patterns.mine.where.PK', cause: 'optional-part', part: 'edition', proposed: '<edition>' },
    ]);
  });

  test('ignores a query of an unknown index, because `unknown-name` reports it', () => {
    expect(at(query({}, 'byTitle'))).toEqual([]);
  });
});

describe('a query of an index with a multi-attribute key', () => {
  const of = (where: Record<string, KeyCondition>) => {
    const asked: PatternDesign = { op: 'query', index: 'byRegion', where, returns: ['Order'] };
    return found({ ...sales, patterns: { asked } } as TableDesign);
  };
  const place = { tenantId: '<tenantId>', region: '<region>' };
  const path = 'patterns.asked.where';

  test.each<[Record<string, KeyCondition>]>([
    [place],
    [{ ...place, status: '<status>' }],
    [{ ...place, status: { beginsWith: 'o' } }],
    [{ ...place, status: 'open', createdAt: { atLeast: '<from>' } }],
    [{ ...place, status: 'open', createdAt: '<createdAt>', amount: '<amount>' }],
  ])('accepts the key condition %j', (where) => {
    expect(of(where)).toEqual([]);
  });

  test('requires a fixed value for every attribute of a partition key', () => {
    expect(of({ tenantId: '<tenantId>' })).toEqual([{ path, cause: 'not-given', attribute: 'region' }]);
    expect(of({ status: 'open' }).map(({ attribute }) => attribute)).toEqual(['tenantId', 'region']);
    expect(of({ ...place, region: { beginsWith: 'eu' } })).toEqual([
      { path: `${path}.region`, cause: 'left-open', value: 'beginsWith' },
    ]);
  });

  test('rejects a query that skips an attribute of the sort key', () => {
    expect(of({ ...place, createdAt: '<createdAt>', amount: '<amount>' })).toEqual([
      { path: `${path}.createdAt`, cause: 'gap', attribute: 'status' },
      { path: `${path}.amount`, cause: 'gap', attribute: 'status' },
    ]);
    expect(of({ ...place, status: 'open', amount: { atLeast: '<least>' } })).toEqual([
      { path: `${path}.amount`, cause: 'gap', attribute: 'createdAt' },
    ]);
  });

  test('rejects a sort key attribute after an attribute with a range', () => {
    expect(of({ ...place, status: 'open', createdAt: { beginsWith: '<day>' }, amount: '<amount>' })).toEqual([
      { path: `${path}.amount`, cause: 'after-range', attribute: 'createdAt' },
    ]);
  });

  test('rejects an optional part in an attribute that must have a fixed value', () => {
    expect(of({ ...place, status: '<status?>', createdAt: '<createdAt>' })).toEqual([
      { path: `${path}.status`, cause: 'optional-part', part: 'status', proposed: '<status>' },
    ]);
  });
});

describe('a request by key', () => {
  const whole = { PK: 'BOOK#<isbn>', SK: 'COPY#<n:4>' };
  const missing = (path: string, attribute: string) => ({ path, cause: 'not-given', attribute });

  test('requires both keys in a get', () => {
    const get = (where: Record<string, string>): PatternDesign => ({ op: 'get', where, returns: ['Copy'] });
    expect(at(get(whole))).toEqual([]);
    expect(at(get({ PK: 'BOOK#<isbn>' }))).toEqual([missing('patterns.mine.where', 'SK')]);
    expect(at(get({}))).toEqual([missing('patterns.mine.where', 'PK'), missing('patterns.mine.where', 'SK')]);
  });

  test.each<Extract<TransactionStep, { op: 'update' | 'delete' }>>([
    { op: 'update', entity: 'Copy', where: { PK: 'BOOK#<isbn>' } },
    { op: 'delete', entity: 'Copy', where: { PK: 'BOOK#<isbn>' } },
  ])('requires both keys in a `$op`, on its own and in a transaction', (step) => {
    expect(at(step)).toEqual([missing('patterns.mine.where', 'SK')]);
    expect(found(libraryWithStep(step))).toEqual([missing('patterns.mine.steps.step.where', 'SK')]);
    expect(at({ ...step, where: whole })).toEqual([]);
  });

  test('requires both keys in a `require` step', () => {
    const step = { op: 'require', entity: 'Copy', where: { SK: 'BOOK' }, condition: {} } as const;
    expect(found(libraryWithStep(step))).toEqual([missing('patterns.mine.steps.step.where', 'PK')]);
  });

  test('requires no key in a put, because a put takes its key from the entity', () => {
    expect(at({ op: 'put', entity: 'Copy' })).toEqual([]);
    expect(at({ op: 'put', entity: 'Nothing' })).toEqual([]);
  });

  test('requires both keys in a batch, and accepts an optional part in a batch but not in a get', () => {
    const batch = (keys: Record<string, Record<string, string>>): PatternDesign => ({
      op: 'batchGet',
      keys,
      returns: ['Copy'],
    });
    expect(at(batch({ one: whole, two: { PK: 'BOOK#<isbn>', SK: 'COPY#<n?>' } }))).toEqual([]);
    expect(at(batch({ one: whole, two: { PK: 'BOOK#<isbn>' } }))).toEqual([missing('patterns.mine.keys.two', 'SK')]);
    expect(at({ op: 'get', where: { PK: 'BOOK#<isbn>', SK: 'COPY#<n?>' }, returns: ['Copy'] })).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'optional-part', part: 'n', proposed: '<n>' },
    ]);
  });

  test('requires fixed values in a key, even in a design that the compiler has not checked', () => {
    const where = { PK: 'BOOK#<isbn>', SK: { beginsWith: 'COPY#' } as unknown as string };
    expect(at({ op: 'delete', entity: 'Copy', where })).toEqual([
      { path: 'patterns.mine.where.SK', cause: 'left-open', value: 'beginsWith' },
    ]);
  });

  test('requires no sort key if the table has none', () => {
    const { stock } = shop.tables;
    const get = (where: Record<string, string>): PatternDesign => ({ op: 'get', where, returns: ['Article'] });
    expect(found({ ...stock, patterns: { mine: get({ articleId: '<id>' }) } })).toEqual([]);
    expect(found({ ...stock, patterns: { mine: get({}) } })).toEqual([missing('patterns.mine.where', 'articleId')]);
  });
});

test('reports a missing key even if its name is a property that every object inherits', () => {
  const patterns = { mine: { op: 'query', where: {}, returns: [] } } as const;
  const design: TableDesign = { name: 'odd', key: { partition: 'constructor' }, entities: {}, patterns };
  expect(found(design)).toMatchObject([{ path: 'patterns.mine.where' }]);
});

describe('the prefix of a sort key', () => {
  const query = (SK: KeyCondition) => at({ op: 'query', where: { PK: 'BOOK#<isbn>', SK }, returns: ['Book'] });
  const fault = (part: string, value: string) => [
    { path: 'patterns.mine.where.SK', cause: 'optional-part', part, value },
  ];

  test('accepts optional parts at the end of a prefix', () => {
    expect(query({ beginsWith: 'A#<a?>' })).toEqual([]);
    expect(query({ beginsWith: 'A#<a>#<b:4?>#<c?>' })).toEqual([]);
  });

  test.each<[KeyCondition, string, string]>([
    [{ beginsWith: 'A#<a?>#<b>' }, 'a', 'A#<a?>#<b>'],
    [{ beginsWith: '<a?>#<b?>' }, 'a', '<a?>#<b?>'],
    [{ atLeast: 'A#<a?>' }, 'a', 'A#<a?>'],
    ['A#<a>#<b?>', 'b', 'A#<a>#<b?>'],
  ])('rejects the optional part in %j', (condition, part, value) => {
    expect(query(condition)).toEqual(fault(part, value));
  });
});
