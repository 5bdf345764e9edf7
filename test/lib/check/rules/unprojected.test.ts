import { z } from 'zod';
import { unprojected } from '../../../../lib/check/rules/unprojected';
import type { Condition, QueryPattern } from '../../../../lib/design/pattern';
import type { IndexDesign, TableDesign } from '../../../../lib/design/table';
import { transporte } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({
  shopId: z.string(),
  id: z.string(),
  number: z.int().min(0).max(9999),
  placedAt: z.iso.datetime({ precision: 3 }),
  total: z.number(),
  delivery: z.object({ city: z.string() }),
  note: z.string().optional(),
});

const shop = (projection: IndexDesign['projection'], query: Partial<QueryPattern> = {}): TableDesign =>
  tableOf(
    {
      attributes,
      keys: {
        PK: 'SHOP#<shopId>',
        SK: 'ORDER#<id>',
        GSI1PK: 'SHOP#<shopId>#<placedAt:date>',
        GSI1SK: '<number:4>#<delivery.city>',
      },
    },
    {
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', projection } },
      typeAttribute: 'kind',
      patterns: {
        ofDay: {
          op: 'query',
          index: 'GSI1',
          where: { GSI1PK: 'SHOP#<shopId>#<day:date>' },
          returns: ['Thing'],
          ...query,
        },
      },
    },
  );
const found = (...args: Parameters<typeof shop>) => findings(unprojected, shop(...args));

describe('a query of a local index', () => {
  const orders = (projection: IndexDesign['projection'], query: Partial<QueryPattern> = {}) =>
    findings(
      unprojected,
      tableOf(
        { attributes, keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#<id>' } },
        {
          indexes: { byTotal: { local: true, partition: 'PK', sort: 'total', projection } },
          patterns: {
            dear: { op: 'query', index: 'byTotal', where: { PK: 'SHOP#<shopId>' }, returns: ['Thing'], ...query },
          },
        },
      ),
    );

  test('warns that a query of a local index fetches unprojected attributes from the table', () => {
    expect(orders(['number', 'placedAt', 'delivery'])).toEqual([
      {
        path: 'patterns.dear.returns',
        cause: 'fetched',
        severity: 'warning',
        index: 'byTotal',
        entities: ['Thing'],
        attributes: ['note'],
        proposed: "['shopId', 'id', 'number', 'placedAt', 'total', 'delivery']",
      },
    ]);
    expect(orders('keys', { select: ['number'] }).map(({ cause }) => cause)).toEqual(['fetched']);
  });

  test('accepts a query that selects only attributes projected by its local index', () => {
    expect(orders('all')).toEqual([]);
    expect(orders('keys', { select: ['shopId', 'id', 'total'] })).toEqual([]);
  });

  test('rejects a filter on an attribute that a local index does not project', () => {
    expect(orders('keys', { select: ['id'], filter: { number: 1 } }).map(({ cause }) => cause)).toEqual(['filtered']);
  });
});

describe('an attribute that a pattern returns', () => {
  test('lists the returned attributes that are neither projected nor part of a key', () => {
    expect(found(['total'])).toEqual([
      {
        path: 'patterns.ofDay.returns',
        cause: 'returned',
        index: 'GSI1',
        entities: ['Thing'],
        attributes: ['placedAt', 'delivery'],
        proposed: "['shopId', 'id', 'number', 'total']",
      },
    ]);
  });

  test('reports a returned time if a key contains only its date, and a returned map if a key contains only one of its values', () => {
    expect(found(['total', 'placedAt']).map(({ attributes }) => attributes)).toEqual([['delivery']]);
    expect(found(['total', 'placedAt', 'delivery'])).toEqual([]);
  });

  test('restores returned attributes from the keys of an index that projects only keys, and reports only the rest', () => {
    expect(found('keys').map(({ attributes }) => attributes)).toEqual([['placedAt', 'total', 'delivery']]);
  });

  test.each(['all', undefined] as const)('returns no findings for the projection %j', (projection) => {
    expect(found(projection, { filter: { note: 'x' } })).toEqual([]);
  });

  test('accepts a pattern that returns whole items although the index does not project an optional attribute', () => {
    expect(found(['total', 'placedAt', 'delivery'], { returns: ['Thing'] })).toEqual([]);
  });

  test('returns no findings for a query of the table itself', () => {
    expect(found('keys', { index: undefined, where: { PK: 'SHOP#<shopId>' } })).toEqual([]);
  });
});

describe('an attribute that a pattern selects', () => {
  test('rejects a pattern that selects an unprojected attribute, even if the attribute is optional', () => {
    expect(found(['total'], { select: ['total', 'note', 'placedAt'] })).toEqual([
      {
        path: 'patterns.ofDay.select',
        cause: 'selected',
        index: 'GSI1',
        entities: ['Thing'],
        attributes: ['placedAt', 'note'],
        proposed: "['shopId', 'id', 'number', 'total']",
      },
    ]);
  });

  test('does not require the index to project attributes that the query does not select', () => {
    expect(found(['total'], { select: ['shopId', 'id', 'number', 'total'] })).toEqual([]);
    expect(found('keys', { select: ['id'] })).toEqual([]);
  });

  test('returns no findings for transporte, whose patterns select only projected attributes', () => {
    expect(findings(unprojected, transporte.tables.TransporteApp)).toEqual([]);
  });
});

describe('an attribute that a filter tests', () => {
  const projection = ['placedAt', 'delivery', 'total'];
  const missing = (tested: string) => ({
    path: `patterns.ofDay.filter.${tested}`,
    cause: 'filtered',
    index: 'GSI1',
    entities: ['Thing'],
  });

  test('rejects a filter on an unprojected attribute that is optional or inside a map', () => {
    expect(found(projection, { filter: { note: { exists: true } } })).toEqual([missing('note')]);
    expect(found(['placedAt'], { select: ['id'], filter: { 'delivery.city': 'X' } })).toEqual([
      missing('delivery.city'),
    ]);
    expect(found(projection, { filter: { total: { atLeast: 1 }, 'delivery.city': '<city>' } })).toEqual([]);
  });

  test('rejects a filter on an attribute that exists in the index only as part of a key', () => {
    expect(found(projection, { filter: { id: '<id>' } })).toEqual([missing('id')]);
    expect(found([...projection, 'id'], { filter: { id: '<id>' } })).toEqual([]);
  });

  test('accepts a filter on the type attribute only if the index projects the attribute', () => {
    expect(found(projection, { filter: { kind: 'Thing' } })).toEqual([missing('kind')]);
    expect(found([...projection, 'kind'], { filter: { kind: 'Thing' } })).toEqual([]);
  });
});

describe('an index that several entities share', () => {
  const two = (select?: readonly string[]): TableDesign => {
    const base = shop(['total', 'placedAt', 'delivery'], { returns: ['Thing', 'Refund'], ...(select && { select }) });
    const Refund = {
      attributes: z.object({ shopId: z.string(), day: z.string(), refundId: z.string(), reason: z.string() }),
      keys: { PK: 'SHOP#<shopId>', SK: 'REFUND#<refundId>', GSI1PK: 'SHOP#<shopId>#<day>', GSI1SK: 'R#<refundId>' },
    };
    return { ...base, entities: { ...base.entities, Refund } };
  };

  test('checks every entity in a shared index', () => {
    expect(findings(unprojected, two())).toMatchObject([
      {
        path: 'patterns.ofDay.returns',
        cause: 'returned',
        index: 'GSI1',
        entities: ['Refund'],
        attributes: ['reason'],
      },
    ]);
  });

  test('requires each selected attribute only for the entities that have it', () => {
    expect(findings(unprojected, two(['total', 'refundId']))).toEqual([]);
    expect(findings(unprojected, two(['total', 'reason'])).map(({ path }) => path)).toEqual(['patterns.ofDay.select']);
  });
});

test('treats the natural keys of the table and the index as projected', () => {
  const design = tableOf(
    { attributes: z.object({ id: z.string(), email: z.email(), at: z.string() }) },
    {
      key: { partition: 'id' },
      indexes: { byEmail: { partition: 'email', sort: 'at', projection: 'keys' } },
      patterns: { byEmail: { op: 'query', index: 'byEmail', where: { email: '<email>' }, returns: ['Thing'] } },
    },
  );
  expect(findings(unprojected, design)).toEqual([]);
});

test('ignores an unknown entity, because `unknown-name` reports it', () => {
  expect(found(['total', 'placedAt', 'delivery'], { returns: ['Nothing', 'Thing'] })).toEqual([]);
});

test('reports an error rather than a warning, because attributes would silently be missing from the returned items', () => {
  expect(unprojected).toMatchObject({ id: 'unprojected', severity: 'error' });
});

test('finds unprojected attributes at any depth of a filter', () => {
  const filter: Condition = { any: [{ number: 1 }, { none: [{ total: 2 }] }] };
  expect(found(['number', 'kind'], { select: ['number'], filter })).toEqual([
    { path: 'patterns.ofDay.filter.any.1.none.0.total', cause: 'filtered', index: 'GSI1', entities: ['Thing'] },
  ]);
});
