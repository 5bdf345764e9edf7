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

describe('the same key attributes', () => {
  test.each([[{ partition: 'PK', sort: 'SK' }], [{ partition: 'PK' }]])('%j is the table itself', (index) => {
    expect(found(things({}, { GSI1: index }))).toEqual([repeats('GSI1', null)]);
  });

  test('make the second of two indexes redundant, and a third', () => {
    const index = { partition: 'email', sort: 'at' };
    expect(found(things({}, { GSI1: index, GSI2: index, GSI3: index }))).toEqual([
      repeats('GSI2', 'GSI1'),
      repeats('GSI3', 'GSI1'),
    ]);
  });

  test('serve a partition alone where every item has the sort key too', () => {
    const indexes = { GSI1: { partition: 'email', sort: 'at' }, GSI2: { partition: 'email' } };
    expect(found(things({}, indexes))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test('do not where an item can be without the sort key, which is in the second index alone', () => {
    const optional = { GSI1: { partition: 'email', sort: 'status' }, GSI2: { partition: 'email' } };
    expect(found(things({}, optional))).toEqual([]);
    const design = things({}, { GSI1: { partition: 'email', sort: 'at' }, GSI2: { partition: 'email' } });
    const Address = { attributes: z.object({ email: z.email() }), keys: { PK: 'EMAIL#<email>', SK: 'EMAIL' } };
    expect(found({ ...design, entities: { ...design.entities, Address } })).toEqual([]);
  });

  test.each([
    ['turned round', { partition: 'SK', sort: 'PK' }],
    ['of which only the partition is the same', { partition: 'PK', sort: 'at' }],
    ['of which only the sort key is the same', { partition: 'email', sort: 'SK' }],
  ])('%s, are another order', (_, index) => {
    expect(found(things({}, { GSI1: index }))).toEqual([]);
  });

  test('with a sort key more are an order more', () => {
    const indexes = { GSI1: { partition: 'email' }, GSI2: { partition: 'email', sort: 'at' } };
    expect(found(things({}, indexes))).toEqual([]);
  });
});

describe('the same templates under other names', () => {
  const GSI1 = { partition: 'GSI1PK', sort: 'GSI1SK' };
  const GSI2 = { partition: 'GSI2PK', sort: 'GSI2SK' };

  test('are the table itself', () => {
    const keys = { GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<id>' };
    expect(found(things(keys, { GSI1 }))).toEqual([repeats('GSI1', null)]);
  });

  test('are another index', () => {
    const keys = { GSI1PK: '<email>', GSI1SK: '<at>', GSI2PK: '<email>', GSI2SK: '<at>' };
    expect(found(things(keys, { GSI1, GSI2 }))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test('are another index also where that one takes the attributes as they are', () => {
    const keys = { GSI2PK: '<email>', GSI2SK: '<at>' };
    expect(found(things(keys, { GSI1: { partition: 'email', sort: 'at' }, GSI2 }))).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test.each([
    { GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<at>#<id>' },
    { GSI1PK: 'OWNER#<userId>', GSI1SK: 'THING#<id>' },
  ])('may differ in one word or part, so that nothing repeats: %j', (keys) => {
    expect(found(things(keys, { GSI1 }))).toEqual([]);
  });

  test('of a partition alone do not repeat a key with an order', () => {
    expect(found(things({ GSI1PK: 'USER#<userId>' }, { GSI1: { partition: 'GSI1PK' } }))).toEqual([]);
  });

  test('repeat an index only if all of its entities have them', () => {
    const Note = {
      attributes,
      keys: { PK: 'USER#<userId>', SK: 'NOTE#<id>', GSI1PK: 'EMAIL#<email>', GSI1SK: 'NOTE#<id>' },
    };
    const design = things({ GSI1PK: 'USER#<userId>', GSI1SK: 'THING#<id>' }, { GSI1 });
    expect(found({ ...design, entities: { ...design.entities, Note } })).toEqual([]);
  });

  test('of an index that no entity is in are a fault of another kind', () => {
    expect(found(things({}, { GSI1 }))).toEqual([]);
  });

  describe('with other entities in the first index', () => {
    const keysOf = (kind: string) => ({ GSI1PK: 'BY#<userId>', GSI1SK: `${kind}<at>#<id>` });
    const withNotes = (mine: string, notes: string): TableDesign => {
      const { GSI1PK, GSI1SK } = keysOf(mine);
      const design = things({ GSI1PK, GSI1SK, GSI2PK: GSI1PK, GSI2SK: GSI1SK }, { GSI1, GSI2 });
      const Note = { attributes, keys: { PK: 'USER#<userId>', SK: 'NOTE#<id>', ...keysOf(notes) } };
      return { ...design, entities: { ...design.entities, Note } };
    };

    test('are redundant where a prefix tells those apart', () => {
      expect(found(withNotes('THING#', 'NOTE#'))).toEqual([repeats('GSI2', 'GSI1')]);
    });

    test('are not where those lie between: the second index is how to read without them', () => {
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
  ] as const)('of the first, %j, has all of %j', (first, second) => {
    expect(
      found(things({}, { GSI1: { ...index, projection: first }, GSI2: { ...index, projection: second } })),
    ).toEqual([repeats('GSI2', 'GSI1')]);
  });

  test.each([
    ['keys', 'all'],
    [['id'], undefined],
    [['id'], ['status']],
    ['keys', ['id']],
  ] as const)('of the first, %j, has to take in that of the second, %j', (first, second) => {
    expect(
      found(things({}, { GSI1: { ...index, projection: first }, GSI2: { ...index, projection: second } })),
    ).toEqual([repeats('GSI2', 'GSI1', 'same-keys-more-projected')]);
  });
});

test.each([orders, ...Object.values(systems).flatMap(({ tables }) => Object.values(tables))] as TableDesign[])(
  'no index of $name is redundant',
  (design) => {
    expect(found(design)).toEqual([]);
  },
);

test('it is a warning, since the index only costs', () => {
  expect(redundantIndex).toMatchObject({ id: 'redundant-index', severity: 'warning' });
});

test('accepts an index of some items beside an index of all items or of other items', () => {
  const design = trips();
  const copies = { all: { partition: 'GPK', sort: 'GSK' } };
  const { indexes: _, ...always } = design.entities.Trip as EntityDesign;
  const of = (Trip: EntityDesign) =>
    findings(redundantIndex, { ...design, entities: { Trip }, indexes: { ...copies, ...design.indexes } }).length;
  expect([of(design.entities.Trip as EntityDesign), of(always)]).toEqual([0, 1]);
});
