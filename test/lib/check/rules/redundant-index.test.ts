import { z } from 'zod';
import { redundantIndex } from '../../../../lib/check/rules/redundant-index';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, orders, tableOf } from '../../../fixtures/designs';
import { trips } from '../../../fixtures/trips';

const found = (design: TableDesign) => findings(redundantIndex, design);
const repeats = (index: string, proposedIndex: string | null, cause = 'same-keys') => ({
  path: `indexes.${index}`,
  cause,
  proposedIndex,
});

const attributes = z.object({
  id: z.string(),
  userId: z.string(),
  email: z.email(),
  at: z.string(),
  status: z.enum(['OPEN', 'DONE']).optional(),
});
const things = (keys: EntityDesign['keys'], indexes: TableDesign['indexes']) =>
  tableOf({ attributes, keys: { PK: 'USER#<userId>', SK: 'THING#<id>', ...keys } }, { indexes });

describe('indexes with the same key attributes', () => {
  test.each([[{ partition: 'PK', sort: 'SK' }], [{ partition: 'PK' }]])(
    "reports the index %j, which only repeats the table's key attributes",
    (index) => {
      expect(found(things({}, { GSI1: index }))).toEqual([repeats('GSI1', null)]);
    },
  );

  test('reports all except the first of several indexes with the same key attributes', () => {
    const index = { partition: 'email', sort: 'at' };
    expect(found(things({}, { GSI1: index, GSI2: index, GSI3: index }))).toEqual([
      repeats('GSI2', 'GSI1'),
      repeats('GSI3', 'GSI1'),
    ]);
  });

  test('reports an index without a sort key if every item has the sort key of another index with the same partition key', () => {
    const indexes = { GSI1: { partition: 'email', sort: 'at' }, GSI2: { partition: 'email' } };
    expect(found(things({}, indexes))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test('accepts an index without a sort key if an item can lack the sort key of the other index with the same partition key', () => {
    const optional = { GSI1: { partition: 'email', sort: 'status' }, GSI2: { partition: 'email' } };
    expect(found(things({}, optional))).toEqual([]);
    const design = things({}, { GSI1: { partition: 'email', sort: 'at' }, GSI2: { partition: 'email' } });
    const Address = { attributes: z.object({ email: z.email() }), keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } };
    expect(found({ ...design, entities: { ...design.entities, Address } })).toEqual([]);
  });

  test.each([
    ["swaps the table's partition key and sort key", { partition: 'SK', sort: 'PK' }],
    ['shares only the partition key with the table', { partition: 'PK', sort: 'at' }],
    ['shares only the sort key with the table', { partition: 'email', sort: 'SK' }],
  ])('accepts an index whose key %s, because it sorts items differently', (_, index) => {
    expect(found(things({}, { GSI1: index }))).toEqual([]);
  });

  test('accepts an index that adds a sort key to the partition key of another index, because the sort key adds an order', () => {
    const indexes = { GSI1: { partition: 'email' }, GSI2: { partition: 'email', sort: 'at' } };
    expect(found(things({}, indexes))).toEqual([]);
  });
});

describe('indexes with the same templates under other attribute names', () => {
  const GSI1 = { partition: 'GSI1PK', sort: 'GSI1SK' };
  const GSI2 = { partition: 'GSI2PK', sort: 'GSI2SK' };

  test('reports an index whose templates are the same as in the key of the table', () => {
    const keys = { GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<id>' };
    expect(found(things(keys, { GSI1 }))).toEqual([repeats('GSI1', null)]);
  });

  test('reports an index whose templates are the same as in the key of another index', () => {
    const keys = { GSI1PK: '<email>', GSI1SK: '<at>', GSI2PK: '<email>', GSI2SK: '<at>' };
    expect(found(things(keys, { GSI1, GSI2 }))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test('reports an index that repeats the natural keys of another index', () => {
    const keys = { GSI2PK: '<email>', GSI2SK: '<at>' };
    expect(found(things(keys, { GSI1: { partition: 'email', sort: 'at' }, GSI2 }))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test.each([
    { GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<at>#<id>' },
    { GSI1PK: 'OWNER#<userId>', GSI1SK: 'THING#<id>' },
  ])('accepts an index whose templates differ in one word or part: %j', (keys) => {
    expect(found(things(keys, { GSI1 }))).toEqual([]);
  });

  test('accepts an index without a sort key if the table has a sort key', () => {
    expect(found(things({ GSI1PK: 'USER#<userId>' }, { GSI1: { partition: 'GSI1PK' } }))).toEqual([]);
  });

  test('accepts an index if one entity has different templates in the index and in the table', () => {
    const Note = {
      attributes,
      keys: { PK: 'USER#<userId>', SK: 'NOTE#<id>', GSI1PK: 'EMAIL#<email>', GSI1SK: 'NOTE#<id>' },
    };
    const design = things({ GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<id>' }, { GSI1 });
    expect(found({ ...design, entities: { ...design.entities, Note } })).toEqual([]);
  });

  test('ignores an index without entities, because `unused-index` or `unknown-name` reports it', () => {
    expect(found(things({}, { GSI1 }))).toEqual([]);
  });

  describe('two indexes with the same key, one of which contains more entities', () => {
    const keysOf = (kind: string) => ({ GSI1PK: 'BY#<userId>', GSI1SK: `${kind}<at>#<id>` });
    const withNotes = (mine: string, notes: string): TableDesign => {
      const { GSI1PK, GSI1SK } = keysOf(mine);
      const design = things({ GSI1PK, GSI1SK, GSI2PK: GSI1PK, GSI2SK: GSI1SK }, { GSI1, GSI2 });
      const Note = { attributes, keys: { PK: 'USER#<userId>', SK: 'NOTE#<id>', ...keysOf(notes) } };
      return { ...design, entities: { ...design.entities, Note } };
    };

    test('reports an index if a larger index has the same key, and a prefix distinguishes its entities', () => {
      expect(found(withNotes('THING#', 'NOTE#'))).toEqual([repeats('GSI2', 'GSI1')]);
    });

    test('accepts an index if a larger index has the same key, but no prefix distinguishes its entities', () => {
      expect(found(withNotes('', ''))).toEqual([]);
    });
  });
});

describe('the projection', () => {
  const index = { partition: 'email', sort: 'at' };

  test.each([
    ['all', 'keys'],
    [['id', 'status'], ['id']],
    [['id'], 'keys'],
    [undefined, 'all'],
  ] as const)(
    "reports the second index if the first index's projection %j covers its projection %j",
    (first, second) => {
      expect(
        found(things({}, { GSI1: { ...index, projection: first }, GSI2: { ...index, projection: second } })),
      ).toEqual([repeats('GSI2', 'GSI1')]);
    },
  );

  test.each([
    ['keys', 'all'],
    [['id'], undefined],
    [['id'], ['status']],
    ['keys', ['id']],
  ] as const)("proposes extending the first index's projection %j to cover %j", (first, second) => {
    expect(
      found(things({}, { GSI1: { ...index, projection: first }, GSI2: { ...index, projection: second } })),
    ).toEqual([repeats('GSI2', 'GSI1', 'same-keys-more-projected')]);
  });
});

test.each([orders, ...Object.values(systems).flatMap(({ tables }) => Object.values(tables))] as TableDesign[])(
  'returns no findings for the indexes of $name',
  (design) => {
    expect(found(design)).toEqual([]);
  },
);

test('reports a redundant index as a warning, because it costs money but breaks nothing', () => {
  expect(redundantIndex).toMatchObject({ id: 'redundant-index', severity: 'warning' });
});

test('accepts two indexes with the same key if a condition limits the items in one of them', () => {
  const design = trips();
  const copies = { all: { partition: 'GPK', sort: 'GSK' } };
  const { indexes: _, ...always } = design.entities.Trip as EntityDesign;
  const of = (Trip: EntityDesign) =>
    findings(redundantIndex, { ...design, entities: { Trip }, indexes: { ...copies, ...design.indexes } }).length;
  expect([of(design.entities.Trip as EntityDesign), of(always)]).toEqual([0, 1]);
});
