import { z } from 'zod';
import { check } from '../../../../lib/check';
import { indexMembership } from '../../../../lib/check/rules/index-membership';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings } from '../../../fixtures/designs';
import { trips } from '../../../fixtures/trips';

const found = (design: TableDesign) => findings(indexMembership, design);
const trip = (entity: Partial<EntityDesign>) => trips(undefined, entity);
const { keys, indexes } = trips().entities.Trip as Required<EntityDesign>;

test('accepts an index that items can enter and leave', () => {
  expect(found(trips())).toEqual([]);
  expect(check(trips())).toEqual([]);
});

test('rejects a condition on an index if the entity does not have the index keys', () => {
  const { GSK: _, GPK: __, ...rest } = keys;
  expect(found(trip({ keys: rest }))).toEqual([
    { path: 'entities.Trip.indexes.byState', cause: 'no-keys', index: 'byState' },
  ]);
});

describe('an index that an item cannot leave', () => {
  const inIndex = (index: { partition: string; sort?: string }, more: TableDesign['indexes'] = {}) => {
    const design = trips();
    return found({ ...design, indexes: { ...design.indexes, byState: index, ...more } });
  };
  const always = [{ path: 'entities.Trip.indexes.byState', cause: 'cannot-leave', index: 'byState' }];

  test('rejects an index that no item can leave because all index keys are ordinary attributes', () => {
    expect(inIndex({ partition: 'name' })).toEqual(always);
    expect(inIndex({ partition: 'name', sort: 'GSK' })).toEqual([]);
  });

  test('rejects an index that no item can leave because the index keys belong to the table or another index', () => {
    expect(inIndex({ partition: 'PK', sort: 'day' })).toEqual(always);
    expect(inIndex({ partition: 'GPK' }, { all: { partition: 'GPK' } })).toEqual(always);
    expect(inIndex({ partition: 'GPK' }, { byDay: { partition: 'GPK' } })).toContainEqual(always[0]);
  });

  test('accepts two indexes with the same keys if an item leaves both at the same time', () => {
    const both = { byState: { while: { called: ['on'] } }, byDay: { while: { called: ['on'] } } };
    const design = trip({ indexes: both });
    const byBoth = { byState: { partition: 'GPK', sort: 'GSK' }, byDay: { partition: 'GPK', sort: 'GSK' } };
    expect(found({ ...design, indexes: byBoth })).toEqual([]);
  });
});

test('rejects a condition with a value that the attribute cannot have', () => {
  const tests = { called: ['on', 'maybe'], day: ['today'], count: [1, 'one'], data: ['x'] };
  const paths = found(trip({ indexes: { ...indexes, byState: { while: tests } } })).map(({ path, cause }) => [
    path,
    cause,
  ]);
  expect(paths).toEqual(
    ['called', 'day', 'count', 'data'].map((name) => [`entities.Trip.indexes.byState.while.${name}`, 'never-had']),
  );
});

test('rejects a condition with a value that the schema would change', () => {
  const attributes = z.object({
    userId: z.string(),
    tripId: z.string(),
    day: z.iso.date(),
    called: z.string().toLowerCase(),
  });
  const { GPK: _, GSK: __, ...rest } = keys;
  const of = (value: string) =>
    found(trip({ attributes, keys: rest, indexes: { byDay: { while: { called: [value] } } } })).length;
  expect([of('on'), of('ON')]).toEqual([0, 1]);
});
