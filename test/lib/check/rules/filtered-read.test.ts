import { z } from 'zod';
import { filteredRead } from '../../../../lib/check/rules/filtered-read';
import type { Condition, QueryPattern, Test } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { booking } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({
  shopId: z.string(),
  id: z.string(),
  email: z.email(),
  status: z.enum(['OPEN', 'SENT']),
  paid: z.boolean(),
  placedAt: z.iso.datetime({ precision: 3 }),
  number: z.int().min(0).max(9999),
  delivery: z.object({ city: z.string() }),
});
const where = { PK: 'SHOP#<shopId>', SK: { beginsWith: 'ORDER#' } };

/**
 * Returns the findings about a query with the given filter. The query reads a shop's orders, from a table with one
 * index.
 */
function found(filter: Condition, keys: EntityDesign['keys'] = {}, query: Partial<QueryPattern> = {}) {
  const design = tableOf(
    { attributes, keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#<id>', ...keys } },
    {
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
      patterns: { mine: { op: 'query', where, filter, returns: ['Thing'], ...query } },
    },
  );
  return findings(filteredRead, design);
}
const served = (path: string, proposedIndex = 'GSI1') => ({
  path: `patterns.mine.filter.${path}`,
  cause: 'other-key',
  proposedIndex,
});
const here = (path: string, proposed: string) => ({
  path: `patterns.mine.filter.${path}`,
  cause: 'this-key',
  proposed,
});

describe('a filter by one value', () => {
  const byStatus = { GSI1PK: 'SHOP#<shopId>#<status>', GSI1SK: '<placedAt>' };

  test.each(['OPEN', '<status>', '<any>'])('proposes an index for a filter by one value: %j', (status) => {
    expect(found({ status }, byStatus)).toEqual([served('status')]);
  });

  test('reports a filter by the next part of a sort key, which a key condition could contain', () => {
    expect(found({ status: 'OPEN' }, { GSI1PK: 'SHOP#<shopId>', GSI1SK: '<status>#<id>' })).toEqual([served('status')]);
    expect(found({ status: 'OPEN' }, { SK: 'ORDER#<status>#<id>' })).toEqual([here('status', 'ORDER#<status>#<id>')]);
  });

  test('accepts a filter by a key part if the pattern has no value for an earlier part of the key', () => {
    expect(found({ status: 'OPEN' }, { SK: 'ORDER#<id>#<status>' })).toEqual([]);
    expect(found({ status: 'OPEN' }, { GSI1PK: 'MAIL#<email>#<status>', GSI1SK: '<id>' })).toEqual([]);
    expect(found({ status: 'OPEN' }, { GSI1PK: 'MAIL#<email>', GSI1SK: '<status>' })).toEqual([]);
  });

  test('reports a filter by a value inside a map, and by a constant for a padded number', () => {
    const keys = { GSI1PK: 'SHOP#<shopId>#<delivery.city>', GSI1SK: '<number:4>' };
    expect(found({ 'delivery.city': 'X' }, keys)).toEqual([served('delivery.city')]);
    expect(found({ number: 7 }, { ...keys, GSI1PK: '<shopId>' })).toEqual([served('number')]);
  });

  test('reports a filter by the natural key of an index', () => {
    const design = tableOf(
      { attributes },
      {
        key: { partition: 'shopId', sort: 'id' },
        indexes: { byMail: { partition: 'email' } },
        patterns: { mine: { op: 'query', where: { shopId: '<s>' }, filter: { email: '<e>' }, returns: ['Thing'] } },
      },
    );
    expect(findings(filteredRead, design)).toEqual([served('email', 'byMail')]);
  });

  test('reports only the filtered attributes that are part of a key', () => {
    expect(found({ paid: true, status: 'OPEN', email: '<email>' }, byStatus)).toEqual([served('status')]);
  });
});

describe('key parts that the pattern already supplies', () => {
  test('recognizes a known key part by its place in the key, whatever the name of its parameter', () => {
    const query = { where: { PK: 'SHOP#<whose>', SK: { beginsWith: 'ORDER#<city>#' } } };
    const keys = {
      SK: 'ORDER#<delivery.city>#<id>',
      GSI1PK: '<delivery.city>#<status>',
      GSI1SK: '<shopId>#<placedAt>',
    };
    expect(found({ status: 'OPEN' }, keys, query)).toEqual([served('status')]);
  });

  test('proposes an index on a value that many items share only if the index also contains the known key part', () => {
    expect(found({ status: 'OPEN' }, { GSI1PK: 'STATUS#<status>', GSI1SK: '<id>' })).toEqual([]);
    expect(found({ paid: true }, { GSI1PK: 'PAID#<paid>', GSI1SK: '<id>' })).toEqual([]);
    expect(found({ placedAt: '<at>' }, { GSI1PK: 'AT#<placedAt>', GSI1SK: '<id>' })).toEqual([]);
    expect(found({ status: 'OPEN' }, { GSI1PK: 'STATUS#<status>', GSI1SK: '<shopId>' })).toEqual([served('status')]);
  });

  test('proposes an index on a value that distinguishes items even if the index lacks the known key part', () => {
    expect(found({ email: '<email>' }, { GSI1PK: 'MAIL#<email>', GSI1SK: '<id>' })).toEqual([served('email')]);
  });

  test('accepts a filter by a value that the key condition already contains', () => {
    const query = { where: { PK: 'SHOP#<shopId>', SK: 'ORDER#<id>' } };
    expect(found({ id: '<id>' }, {}, query)).toEqual([]);
    expect(found({ shopId: '<shopId>' })).toEqual([]);
  });

  test('does not treat a time as known if the pattern has only a piece of the time', () => {
    const day = { index: 'GSI1', where: { GSI1PK: 'DAY#<day:date>' } };
    const keys = { GSI1PK: 'DAY#<placedAt:date>', GSI1SK: '<placedAt>#<id>' };
    expect(found({ placedAt: { atLeast: '<from>' } }, keys, day)).toEqual([here('placedAt', '<placedAt>#<id>')]);
    expect(found({ placedAt: { beginsWith: '<day>' } }, { GSI1PK: '<shopId>', GSI1SK: '<placedAt:date>' })).toEqual([]);
  });

  test('does not treat the values of a range as known', () => {
    const query = { where: { PK: 'SHOP#<shopId>', SK: { between: ['ORDER#<a>', 'ORDER#<b>'] } } } as const;
    expect(found({ status: 'OPEN' }, { SK: 'ORDER#<id>#<status>' }, query)).toEqual([]);
    expect(found({ status: 'OPEN' }, { GSI1PK: '<shopId>#<status>', GSI1SK: '<id>' }, query)).toEqual([
      served('status'),
    ]);
  });
});

describe('a filter by a range of values', () => {
  const keys = { GSI1PK: 'SHOP#<shopId>', GSI1SK: '<placedAt>#<id>' };

  test.each<Test>([
    { atLeast: '<from>' },
    { atMost: '<to>' },
    { greaterThan: '<from>' },
    { lessThan: '<to>' },
    { between: ['<from>', '<to>'] },
    { beginsWith: '2026-' },
  ])('proposes a key condition with a range for the filter %j', (test) => {
    expect(found({ placedAt: test }, keys)).toEqual([served('placedAt')]);
  });

  test('proposes no partition key for a range filter, because a partition key needs one value', () => {
    expect(found({ email: { beginsWith: 'a' } }, { GSI1PK: 'MAIL#<email>', GSI1SK: '<id>' })).toEqual([]);
  });
});

test.each<Test>([
  { attribute: 'email' },
  { atLeast: { attribute: 'email' } },
  { between: ['<from>', { attribute: 'email' }] },
  { not: 'OPEN' },
  { in: ['OPEN', 'SENT'] },
  { contains: 'O' },
  { exists: true },
  null,
])('accepts the filter %j, which no key condition could replace', (test) => {
  expect(found({ status: test }, { GSI1PK: 'SHOP#<shopId>#<status>', GSI1SK: '<status>' })).toEqual([]);
});

describe('a filter in a query of several entities', () => {
  const Note = (keys: Record<string, string>) => ({
    attributes: z.object({ shopId: z.string(), noteId: z.string(), status: z.string() }),
    keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#N#<noteId>', ...keys },
  });
  const both = (keys: Record<string, string>): TableDesign => {
    const design = tableOf(
      { attributes, keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#<id>', GSI1PK: '<shopId>#<status>', GSI1SK: '<id>' } },
      { indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } } },
    );
    const mine = { op: 'query', where, filter: { status: 'OPEN' }, returns: ['Thing', 'Note'] } as const;
    return { ...design, entities: { ...design.entities, Note: Note(keys) }, patterns: { mine } };
  };

  test('reports a filter in a query of several entities only if one index contains all the entities', () => {
    expect(findings(filteredRead, both({ GSI1PK: '<shopId>#<status>', GSI1SK: '<noteId>' }))).toEqual([
      served('status'),
    ]);
    expect(findings(filteredRead, both({}))).toEqual([]);
  });

  test('ignores a filter if all entities of the query are unknown', () => {
    expect(found({ status: 'OPEN' }, { GSI1PK: '<shopId>#<status>', GSI1SK: 'X' }, { returns: ['Nothing'] })).toEqual(
      [],
    );
  });
});

describe('a filter by a key of the queried table or index', () => {
  const design = (partition: string, filter: Condition, rest: Partial<QueryPattern> = {}) =>
    tableOf(
      { attributes },
      {
        key: { partition: 'shopId', sort: 'id' },
        indexes: { byMail: { partition: 'email', sort: 'placedAt' } },
        patterns: { mine: { op: 'query', where: { [partition]: '<it>' }, filter, returns: ['Thing'], ...rest } },
      },
    );
  const refused = (path: string) => ({ severity: 'error', path: `patterns.mine.filter.${path}`, cause: 'key' });

  test.each<[string, Test]>([
    ['id', 'X'],
    ['id', { not: 'X' }],
    ['shopId', { exists: true }],
  ])('rejects every filter by a key of the queried table: %s %j', (path, test) => {
    expect(findings(filteredRead, design('shopId', { [path]: test }))).toEqual([refused(path)]);
  });

  test('rejects a filter by a key of the queried index', () => {
    const filter = { placedAt: { atLeast: '<from>' }, id: { contains: 'X' } } as const;
    expect(findings(filteredRead, design('email', filter, { index: 'byMail' }))).toEqual([refused('placedAt')]);
  });

  test('accepts a filter by a key on Azure, where key conditions are part of the filter', () => {
    const azure = { name: 'acme', cloud: 'azure', tables: {} } as const;
    expect(findings(filteredRead, design('shopId', { id: { contains: 'X' } }), azure)).toEqual([]);
  });
});

test('returns no findings for a query without a filter, or with a filter by an attribute that no key contains', () => {
  expect(found({})).toEqual([]);
  expect(found({ email: '<email>', nothing: 1 })).toEqual([]);
  expect(findings(filteredRead, booking.tables.Providers)).toEqual([]);
  const get = { op: 'get', where: { PK: 'SHOP#<shopId>', SK: 'ORDER#<id>' }, returns: ['Thing'] } as const;
  expect(findings(filteredRead, tableOf({ attributes }, { patterns: { get } }))).toEqual([]);
});

test('reports a filtered read only as a warning, because the filter is harmless if the query reads few items', () => {
  expect(filteredRead).toMatchObject({ id: 'filtered-read', severity: 'warning' });
});

test('proposes no key for a filter with `any` or `none`, but rejects the filter if it tests a key', () => {
  const keys = { GSI1PK: 'STATUS#<status>', GSI1SK: '<id>' };
  expect(found({ any: [{ status: 'OPEN' }, { paid: true }] }, keys)).toEqual([]);
  expect(found({ none: [{ paid: true, any: [{ SK: 'ORDER#1' }] }] }, keys)).toEqual([
    { path: 'patterns.mine.filter.none.0.any.0.SK', cause: 'key', severity: 'error' },
  ]);
});
