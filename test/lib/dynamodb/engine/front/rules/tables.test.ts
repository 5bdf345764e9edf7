import {
  checkProjections,
  DURATION,
  describedTable,
  updatedTable,
  updatedTtl,
} from '../../../../../../lib/dynamodb/engine/front/rules/tables';
import { table } from '../table';

const include = (...NonKeyAttributes: readonly string[]) => ({
  IndexName: 'new',
  KeySchema: [{ AttributeName: 'a', KeyType: 'HASH' }],
  Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes },
});
const create = (index = include('x'), AttributeType = 'S') => ({
  AttributeDefinitions: [{ AttributeName: 'a', AttributeType }],
  GlobalSecondaryIndexUpdates: [{ Create: index }],
});

describe('an index', () => {
  test('refuses a second index change until the new index is active', () => {
    const two = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'all' } }, { Delete: { IndexName: 'keys' } }] };
    expect(() => updatedTable(table, two, 0)).toThrow(/^Subscriber limit exceeded: Only 1 online index/);
    const next = updatedTable(table, create(), 0);
    const remove = { GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'all' } }] };
    expect(() => updatedTable(next, remove, DURATION.index - 1)).toThrow(/^Subscriber limit exceeded/);
    expect(() => updatedTable(next, remove, DURATION.index)).not.toThrow();
  });

  test('describes a new index as CREATING and then as ACTIVE', () => {
    const next = updatedTable(table, create(), 0);
    const description = {
      TableStatus: 'ACTIVE',
      GlobalSecondaryIndexes: [{ IndexName: 'new', IndexStatus: 'ACTIVE' }],
    };
    expect(describedTable(description, next, 0)).toMatchObject({
      TableStatus: 'UPDATING',
      GlobalSecondaryIndexes: [{ IndexStatus: 'CREATING' }],
    });
    expect(describedTable(description, next, DURATION.index)).toBe(description);
  });

  test("refuses a new index that changes an attribute's type", () => {
    const retyped = { ...create(), AttributeDefinitions: [{ AttributeName: 'g1pk', AttributeType: 'N' }] };
    expect(() => updatedTable(table, retyped, 0)).toThrow(/Attribute g1pk cannot be redefined/);
  });

  test.each([
    ['an empty list', [], /must not be empty/],
    ['a name twice', ['x', 'x'], /contains duplicates/],
    ['more than 100 names', Array.from({ length: 101 }, (_, i) => `a${i}`), /cannot exceed 100/],
  ])('refuses an index that projects %s', (_, names, message) => {
    expect(() => checkProjections([include(...names)])).toThrow(message);
  });
});

test("refuses to change a stream's view type while the stream is on", () => {
  const view = (StreamViewType: string) => ({ StreamSpecification: { StreamEnabled: true, StreamViewType } });
  const on = updatedTable(table, view('KEYS_ONLY'), 0);
  expect(() => updatedTable(on, view('NEW_IMAGE'), 0)).toThrow(/already has an enabled stream/);
  const off = updatedTable(on, { StreamSpecification: { StreamEnabled: false } }, 0);
  expect(updatedTable(off, view('NEW_IMAGE'), 0).stream).toBe('NEW_IMAGE');
});

test('refuses to change TTL twice within an hour, or to change the TTL attribute while TTL is on', () => {
  const ttl = (AttributeName: string, Enabled: boolean) => ({ TimeToLiveSpecification: { AttributeName, Enabled } });
  const on = updatedTtl(table, ttl('x', true), 0);
  expect(() => updatedTtl(on, ttl('x', true), DURATION.ttl)).toThrow('TimeToLive is already enabled');
  expect(() => updatedTtl(on, ttl('y', true), DURATION.ttl)).toThrow(/active on a different AttributeName/);
  expect(() => updatedTtl(on, ttl('x', false), DURATION.ttl - 1)).toThrow(/modified multiple times/);
  expect(updatedTtl(on, ttl('x', false), DURATION.ttl).ttl).toMatchObject({ isOn: false });
});
