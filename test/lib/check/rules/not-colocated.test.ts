import { notColocated } from '../../../../lib/check/rules/not-colocated';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, shop } from '../../../fixtures/designs';
import { libraryWith, libraryWithStep } from '../../../fixtures/library';

const found = (design: TableDesign) => findings(notColocated, design);
const query = (pattern: Omit<Extract<PatternDesign, { op: 'query' }>, 'op'>) =>
  found(libraryWith({ op: 'query', ...pattern }));

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('a query', () => {
  test('reports an entity outside the partition that the query reads', () => {
    expect(query({ where: { PK: 'BOOK#<isbn>' }, returns: ['Book', 'Copy', 'Loan'] })).toEqual([
      { path: 'patterns.mine.returns', cause: 'other-partition', entities: ['Loan'], proposed: "'MEMBER#<memberId>'" },
    ]);
  });

  test('reports an entity outside the range that the query reads', () => {
    const where = { PK: 'MEMBER#<id>', SK: { beginsWith: 'LOAN#' } };
    expect(query({ where, returns: ['Loan', 'Member'] })).toEqual([
      { path: 'patterns.mine.returns', cause: 'other-sort', entities: ['Member'], proposed: "{ beginsWith: 'TIER#' }" },
    ]);
  });

  test('reports an entity that is not in the queried index', () => {
    const where = { GSI1PK: 'AUTHOR#<id>' };
    expect(query({ index: 'byAuthor', where, returns: ['Book', 'Talk', 'Copy'] })).toEqual([
      { path: 'patterns.mine.returns', cause: 'not-in-index', entities: ['Copy'] },
    ]);
  });

  test('proposes the table or index in which a query could find the missing entity', () => {
    const where = { GSI1PK: 'BOOK#<id>', GSI1SK: '<any>' };
    const entities = { ...libraryWith({ op: 'put', entity: 'Book' }).entities };
    const Shelf = { ...entities.Book, keys: { ...entities.Book?.keys, GSI1PK: 'BOOK#<isbn>', GSI1SK: '<authorId>' } };
    const mine = { op: 'query', index: 'byAuthor', where, returns: ['Shelf', 'Book'] } as const;
    const design = { ...libraryWith(mine), entities: { ...entities, Shelf } as TableDesign['entities'] };
    expect(found(design)).toMatchObject([{ cause: 'other-partition', entities: ['Book'], proposedIndex: null }]);
  });

  test('reports every entity in `returns` that the query never returns', () => {
    const returns = ['Copy', 'Loan', 'Book', 'Member', 'Talk'];
    expect(query({ where: { PK: 'BOOK#<isbn>' }, returns }).map(({ entities }) => entities)).toEqual([
      ['Loan'],
      ['Member'],
      ['Talk'],
    ]);
  });

  test('accepts a query whose range can contain the entity', () => {
    expect(query({ where: { PK: 'BOOK#<isbn>' }, returns: ['Book', 'Copy'] })).toEqual([]);
    expect(query({ where: { PK: 'BOOK#<x>', SK: { atLeast: 'B' } }, returns: ['Book', 'Copy'] })).toEqual([]);
    expect(query({ where: { PK: 'MEMBER#<x>' }, returns: ['Member', 'Loan'] })).toEqual([]);
  });

  test('ignores a query that returns no entity, because `pattern-unserved` reports it', () => {
    expect(query({ where: { PK: 'NOWHERE' }, returns: ['Book', 'Copy'] })).toEqual([]);
  });
});

describe('a get', () => {
  test('reports a get if an entity in `returns` can never have the requested key', () => {
    const where = { PK: 'BOOK#<isbn>', SK: '<which>' };
    expect(found(libraryWith({ op: 'get', where, returns: ['Book', 'Copy'] }))).toMatchObject([
      { path: 'patterns.mine.returns', cause: 'other-sort', entities: ['Copy'], proposed: "'COPY#<number:4>'" },
    ]);
    expect(found(libraryWith({ op: 'get', where, returns: ['Book'] }))).toEqual([]);
  });
});

describe('a batch', () => {
  const book = { PK: 'BOOK#<isbn>', SK: 'BOOK' };
  const copy = { PK: 'BOOK#<isbn>', SK: 'COPY#<n:4>' };
  const batch = (keys: Record<string, Record<string, string>>, returns: string[]) =>
    found(libraryWith({ op: 'batchGet', keys, returns }));

  test("accepts a batch if every returned entity can have one of the batch's keys", () => {
    expect(batch({ book, copy }, ['Book', 'Copy'])).toEqual([]);
    expect(batch({ copy, book }, ['Book', 'Copy'])).toEqual([]);
  });

  test("reports a batch if a returned entity can have none of the batch's keys", () => {
    expect(batch({ book, copy }, ['Book', 'Copy', 'Loan'])).toEqual([
      { path: 'patterns.mine.returns', cause: 'other-partition', entities: ['Loan'], proposed: "'MEMBER#<memberId>'" },
    ]);
  });

  test('ignores a batch with a key that fits no entity, because `pattern-unserved` reports that key', () => {
    expect(batch({ book, copy: { ...copy, SK: 'COPIES' } }, ['Book', 'Copy'])).toEqual([]);
  });

  test('returns no findings for a batch without keys', () => {
    expect(batch({}, ['Book'])).toEqual([]);
  });
});

test('ignores operations on a single entity', () => {
  const where = { PK: 'NOWHERE', SK: 'NOTHING' };
  expect(found(libraryWith({ op: 'update', entity: 'Book', where }))).toEqual([]);
  expect(found(libraryWithStep({ op: 'require', entity: 'Book', where, condition: {} }))).toEqual([]);
});
