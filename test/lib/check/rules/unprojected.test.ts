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

describe('through a local index', () => {
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

  test('all can be read: what it does not project is fetched, which is a warning', () => {
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

  test('nothing is fetched of what it projects, or what is selected', () => {
    expect(orders('all')).toEqual([]);
    expect(orders('keys', { select: ['shopId', 'id', 'total'] })).toEqual([]);
  });

  test('a filter still looks at what is projected', () => {
    expect(orders('keys', { select: ['id'], filter: { number: 1 } }).map(({ cause }) => cause)).toEqual(['filtered']);
  });
});

describe('what a pattern returns', () => {
  test('is projected, or part of a key that it can be read back from; what is not is listed with what there is', () => {
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

  test('is not read back from a date, nor is a map from one of its values: only the whole is', () => {
    expect(found(['total', 'placedAt']).map(({ attributes }) => attributes)).toEqual([['delivery']]);
    expect(found(['total', 'placedAt', 'delivery'])).toEqual([]);
  });

  test('is only what is in the keys, where nothing else is projected', () => {
    expect(found('keys').map(({ attributes }) => attributes)).toEqual([['placedAt', 'total', 'delivery']]);
  });

  test.each(['all', undefined] as const)('is everything where the projection is %j', (projection) => {
    expect(found(projection, { filter: { note: 'x' } })).toEqual([]);
  });

  test('may be without what an item may be without', () => {
    expect(found(['total', 'placedAt', 'delivery'], { returns: ['Thing'] })).toEqual([]);
  });

  test('is read in full through the table itself, whatever its indexes project', () => {
    expect(found('keys', { index: undefined, where: { PK: 'SHOP#<shopId>' } })).toEqual([]);
  });
});

describe('what a pattern selects', () => {
  test('is projected, also where it is optional', () => {
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

  test('is all that counts', () => {
    expect(found(['total'], { select: ['shopId', 'id', 'number', 'total'] })).toEqual([]);
    expect(found('keys', { select: ['id'] })).toEqual([]);
  });

  test('is there on transporte, which selects the map it projects', () => {
    expect(findings(unprojected, transporte.tables.TransporteApp)).toEqual([]);
  });
});

describe('what a filter tests', () => {
  const projection = ['placedAt', 'delivery', 'total'];
  const missing = (tested: string) => ({
    path: `patterns.ofDay.filter.${tested}`,
    cause: 'filtered',
    index: 'GSI1',
    entities: ['Thing'],
  });

  test('is projected, also where it is optional or in a map', () => {
    expect(found(projection, { filter: { note: { exists: true } } })).toEqual([missing('note')]);
    expect(found(['placedAt'], { select: ['id'], filter: { 'delivery.city': 'X' } })).toEqual([
      missing('delivery.city'),
    ]);
    expect(found(projection, { filter: { total: { atLeast: 1 }, 'delivery.city': '<city>' } })).toEqual([]);
  });

  test('is stored under its own name: a filter reads nothing back from a key', () => {
    expect(found(projection, { filter: { id: '<id>' } })).toEqual([missing('id')]);
    expect(found([...projection, 'id'], { filter: { id: '<id>' } })).toEqual([]);
  });

  test('may be the type, which is projected like anything else', () => {
    expect(found(projection, { filter: { kind: 'Thing' } })).toEqual([missing('kind')]);
    expect(found([...projection, 'kind'], { filter: { kind: 'Thing' } })).toEqual([]);
  });
});

describe('where several entities share an index', () => {
  const two = (select?: readonly string[]): TableDesign => {
    const base = shop(['total', 'placedAt', 'delivery'], { returns: ['Thing', 'Refund'], ...(select && { select }) });
    const Refund = {
      attributes: z.object({ shopId: z.string(), day: z.string(), refundId: z.string(), reason: z.string() }),
      keys: { PK: 'SHOP#<shopId>', SK: 'REFUND#<refundId>', GSI1PK: 'SHOP#<shopId>#<day>', GSI1SK: 'R#<refundId>' },
    };
    return { ...base, entities: { ...base.entities, Refund } };
  };

  test('each is read in full, or not', () => {
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

  test('each has of a selection what it has', () => {
    expect(findings(unprojected, two(['total', 'refundId']))).toEqual([]);
    expect(findings(unprojected, two(['total', 'reason'])).map(({ path }) => path)).toEqual(['patterns.ofDay.select']);
  });
});

test('a natural key of the table or of the index is in it', () => {
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

test('an entity that is not there is a fault of its own', () => {
  expect(found(['total', 'placedAt', 'delivery'], { returns: ['Nothing', 'Thing'] })).toEqual([]);
});

test('it is an error, since nothing else would tell', () => {
  expect(unprojected).toMatchObject({ id: 'unprojected', severity: 'error' });
});

test('a filter is looked at in all of its depth', () => {
  const filter: Condition = { any: [{ number: 1 }, { none: [{ total: 2 }] }] };
  expect(found(['number', 'kind'], { select: ['number'], filter })).toEqual([
    { path: 'patterns.ofDay.filter.any.1.none.0.total', cause: 'filtered', index: 'GSI1', entities: ['Thing'] },
  ]);
});
