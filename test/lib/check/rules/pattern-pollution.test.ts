import { z } from 'zod';
import { patternPollution } from '../../../../lib/check/rules/pattern-pollution';
import type { Condition, QueryPattern } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings, shop } from '../../../fixtures/designs';
import { library, libraryWith, libraryWithStep } from '../../../fixtures/library';
import { trips } from '../../../fixtures/trips';

const found = (design: TableDesign) => findings(patternPollution, design);
const query = (pattern: Omit<QueryPattern, 'op'>) => found(libraryWith({ op: 'query', ...pattern }));

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('a query of the table', () => {
  test('reports a query whose partition contains other entities', () => {
    expect(query({ where: { PK: 'BOOK#<id>' }, returns: ['Copy'] })).toEqual([
      {
        path: 'patterns.mine.where',
        cause: 'whole-partition',
        entities: ['Book'],
        proposed: "{ beginsWith: 'COPY#' }",
      },
    ]);
  });

  test('reports a query whose range is too wide', () => {
    expect(query({ where: { PK: 'MEMBER#<id>', SK: { atLeast: 'LOAN#<from>' } }, returns: ['Loan'] })).toEqual([
      {
        path: 'patterns.mine.where',
        cause: 'same-range',
        entities: ['Member'],
        proposed: "{ between: ['LOAN#<from>', 'LOAN#~'] }",
      },
    ]);
    const between = { between: ['LOAN#<from>', 'LOAN#<to>'] } as const;
    expect(query({ where: { PK: 'MEMBER#<id>', SK: between }, returns: ['Loan'] })).toEqual([]);
  });

  test.each([{ beginsWith: 'COPY#' }, { beginsWith: 'C' }, { greaterThan: 'BOOK' }, 'COPY#<n:4>'])(
    'accepts a query with the narrower condition %j',
    (SK) => {
      expect(query({ where: { PK: 'BOOK#<id>', SK }, returns: ['Copy'] })).toEqual([]);
    },
  );

  test('accepts a query that returns all entities of its partition', () => {
    expect(query({ where: { PK: 'BOOK#<id>' }, returns: ['Copy', 'Book'] })).toEqual([]);
  });
});

describe('a query of an index', () => {
  const index = 'byAuthor';

  test('reports only foreign entities that are in the queried index', () => {
    expect(query({ index, where: { GSI1PK: 'AUTHOR#<id>' }, returns: ['Talk'] })).toEqual([
      {
        path: 'patterns.mine.where',
        cause: 'whole-partition',
        entities: ['Book'],
        proposed: "{ beginsWith: 'TALK#' }",
      },
    ]);
  });

  test("proposes no narrower condition if the returned entity's keys begin with a value", () => {
    expect(query({ index, where: { GSI1PK: 'AUTHOR#<id>' }, returns: ['Book'] })).toEqual([
      { path: 'patterns.mine.where', cause: 'whole-partition', entities: ['Talk'] },
    ]);
  });

  test.each([
    { between: ['<from:date>', '<to:date>'] },
    { between: ['<from>', '<to>'] },
    { beginsWith: '<published:year>-' },
    { beginsWith: '<day>#' },
  ] as const)(
    "infers a parameter's values from its place in the key, so %j matches dates, but never TALK",
    (GSI1SK) => {
      expect(query({ index, where: { GSI1PK: 'AUTHOR#<id>', GSI1SK }, returns: ['Book'] })).toEqual([]);
    },
  );

  test("assumes that a parameter takes only the values that the returned entity's schema lists", () => {
    const listed = (medium: string) => ({
      attributes: z.object({ authorId: z.string(), id: z.string(), medium: z.enum([medium]) }),
      keys: { PK: `${medium}#<id>`, SK: 'X', GSI1PK: 'AUTHOR#<authorId>', GSI1SK: '<medium>#<id>' },
    });
    const entities = { Tape: listed('tape'), Film: listed('film'), Song: listed('song') };
    const where = { GSI1PK: 'AUTHOR#<id>', GSI1SK: { beginsWith: '<medium>#' } };
    const mine = { op: 'query', index, where, returns: ['Tape', 'Film'] } as const;
    expect(found({ ...libraryWith(mine), entities })).toEqual([]);
    expect(found({ ...libraryWith(mine), entities: { ...entities, Song: listed('film') } })).toHaveLength(1);
  });

  test('assumes that a parameter can be any string if two returned entities have different attributes in its place', () => {
    const where = { GSI1PK: 'AUTHOR#<id>', GSI1SK: { beginsWith: '<what>#' } };
    const Poem = {
      attributes: library.entities.Book.attributes,
      keys: { PK: 'POEM#<isbn>', SK: 'POEM', GSI1PK: 'AUTHOR#<authorId>', GSI1SK: '<isbn>#POEM' },
    };
    const mine = { op: 'query', index, where, returns: ['Book', 'Poem'] } as const;
    const design = { ...libraryWith(mine), entities: { ...library.entities, Poem } };
    expect(found(design)).toEqual([{ path: 'patterns.mine.where', cause: 'same-range', entities: ['Talk'] }]);
  });
});

describe('listed values', () => {
  const things = (ofA: string, ofB: string): TableDesign => ({
    name: 'things',
    key: { partition: 'PK' },
    entities: {
      A: { attributes: library.entities.Member.attributes, keys: { PK: ofA } },
      B: { attributes: library.entities.Talk.attributes, keys: { PK: ofB } },
    },
    patterns: { mine: { op: 'query', where: { PK: 'X#<x>' }, returns: ['A'] } },
  });

  test('distinguishes two entities by listed values', () => {
    expect(found(things('X#<tier>', 'X#<medium>'))).toEqual([]);
    expect(found(things('X#<tier>', 'X#film'))).toEqual([]);
    expect(found(things('X#<tier>', 'X#gold'))).toHaveLength(1);
  });

  test('does not distinguish two entities by listed values if the attribute of one entity can be any string', () => {
    expect(found(things('X#<memberId>', 'X#<medium>'))).toEqual([
      { path: 'patterns.mine.where', cause: 'whole-partition', entities: ['B'] },
    ]);
  });
});

describe('a filter on the type attribute', () => {
  const filtered = (filter: Condition, rest: Partial<TableDesign> = {}) =>
    found({
      ...libraryWith({ op: 'query', where: { PK: 'MEMBER#<id>' }, returns: ['Member'], filter }),
      ...rest,
    });

  test.each<Condition>([{ kind: 'Member' }, { kind: { in: ['Member', 'Book'] } }, { kind: { not: 'LOAN' } }])(
    'recognizes that the filter %j excludes other entities',
    (filter) => {
      expect(filtered(filter)).toEqual([]);
    },
  );

  test.each<Condition>([
    { kind: 'LOAN' },
    { kind: '<kind>' },
    { kind: { in: ['Member', 'LOAN'] } },
    { kind: { in: ['Member', '<other>'] } },
    { kind: { not: 'Loan' } },
    { kind: { not: 'Member' } },
    { kind: { exists: true } },
    { kind: null },
    { tier: { not: 'gold' } },
    { tier: { exists: false } },
    { tier: '<tier?>' },
    {},
  ])('reports the foreign entity LOAN despite the filter %j', (filter) => {
    expect(filtered(filter)).toHaveLength(1);
  });

  test('ignores a filter on the type attribute if the table stores no type', () => {
    expect(filtered({ kind: { not: 'LOAN' } }, { typeAttribute: undefined })).toHaveLength(1);
    expect(filtered({}, { typeAttribute: 'constructor' })).toHaveLength(1);
  });

  test.each<Condition>([{ tier: 'gold' }, { tier: '<tier>' }, { tier: { in: ['gold'] } }, { tier: { exists: true } }])(
    'accepts the filter %j, which excludes LOAN by testing an attribute that LOAN does not have',
    (filter) => {
      expect(filtered(filter)).toEqual([]);
    },
  );
});

describe('the fix', () => {
  const twins = (ofA: string, ofB: string) => {
    const entity = (SK: string): EntityDesign => ({
      attributes: library.entities.Loan.attributes,
      keys: { PK: 'MEMBER#<memberId>', SK },
    });
    return found({
      ...libraryWith({ op: 'query', where: { PK: 'MEMBER#<id>' }, returns: ['A'] }),
      entities: { A: entity(ofA), B: entity(ofB) },
    })[0]?.proposed;
  };

  test.each([
    ['A#<at>', 'B#<at>', 'A#'],
    ['A#<at>', 'A', 'A#'],
    ['AB#<at>', 'A#<at>', 'AB#'],
    ['A', '<loanId>#A', undefined],
    ['A#<at>', 'A#<loanId>', undefined],
    ['A#<at>', '<loanId>', 'A#'],
    ['A', '<loanId>', undefined],
    ['<at>', 'B', undefined],
  ])('proposes a prefix only if the prefix distinguishes the entities: %s, %s', (ofA, ofB, prefix) => {
    expect(twins(ofA, ofB)).toBe(prefix && `{ beginsWith: '${prefix}' }`);
  });

  test('proposes no prefix if a returned entity is not in the index', () => {
    const where = { GSI1PK: 'AUTHOR#<id>' };
    expect(query({ index: 'byAuthor', where, returns: ['Talk', 'Copy'] })).toEqual([
      { path: 'patterns.mine.where', cause: 'whole-partition', entities: ['Book'] },
    ]);
  });

  test('proposes a range if the returned entities have two prefixes', () => {
    const design = libraryWith({ op: 'query', where: { PK: 'BOOK#<id>' }, returns: ['Book', 'Copy'] });
    const Review = { ...library.entities.Book, keys: { PK: 'BOOK#<isbn>', SK: 'REVIEW' } };
    expect(found({ ...design, entities: { ...design.entities, Review } })).toEqual([
      {
        path: 'patterns.mine.where',
        cause: 'whole-partition',
        entities: ['Review'],
        proposed: "{ between: ['BOOK', 'COPY#~'] }",
      },
    ]);
  });
});

test('lists all foreign entities in one finding', () => {
  const design = libraryWith({ op: 'query', where: { PK: 'MEMBER#<id>' }, returns: [] });
  expect(found(design)).toEqual([
    { path: 'patterns.mine.where', cause: 'whole-partition', entities: ['Loan', 'Member'] },
  ]);
});

test('ignores requests by key, and queries without a partition key', () => {
  const where = { PK: 'BOOK#<isbn>', SK: '<which>' };
  expect(found(libraryWith({ op: 'get', where, returns: [] }))).toEqual([]);
  expect(found(libraryWith({ op: 'batchGet', keys: { one: where }, returns: [] }))).toEqual([]);
  expect(found(libraryWithStep({ op: 'delete', entity: 'Copy', where }))).toEqual([]);
  expect(query({ where: { SK: 'BOOK' }, returns: [] })).toEqual([]);
});

test('ignores an entity if none of its items in the index can match the queried values', () => {
  const design = trips();
  const Parcel = {
    attributes: z.object({ parcelId: z.string(), state: z.string() }),
    keys: { PK: 'PARCEL#<parcelId>', SK: 'PARCEL', GPK: 'STATE#<state>', GSK: '<parcelId>' },
  };
  const parcels = { op: 'query', index: 'byState', where: { GPK: 'STATE#lost' }, returns: ['Parcel'] } as const;
  const of = (where: { GPK: string }) =>
    findings(patternPollution, {
      ...design,
      entities: { ...design.entities, Parcel },
      patterns: { parcels: { ...parcels, where } },
    }).map(({ entities }) => entities);
  expect(of({ GPK: 'STATE#lost' })).toEqual([]);
  expect(of({ GPK: 'STATE#late' })).toEqual([['Trip']]);
});
