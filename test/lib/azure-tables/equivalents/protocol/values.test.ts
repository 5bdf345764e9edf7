import { z } from 'zod';
import { columnsFor, itemIn } from '../../../../../lib/azure-tables/equivalents/protocol/values';
import { outline } from '../../../../../lib/blueprint/outline';

const [entity] = outline({
  name: 'things',
  key: { partition: 'id' },
  entities: { Thing: { attributes: z.looseObject({ id: z.string(), price: z.number(), count: z.int() }) } },
}).entities;
const stored = (item: Record<string, unknown>) => columnsFor(entity, { id: 'a', ...item });
const back = (item: Record<string, unknown>) => itemIn({ partitionKey: 'a', rowKey: '-', etag: 'e', ...stored(item) });

test.each([
  ['null', null],
  ['an empty string', ''],
  ['a long string', 'x'.repeat(100_000)],
  ['bytes', Uint8Array.of(0, 255)],
  ['a large whole number', 9007199254740993n],
  ['a fraction', -0.25],
  [
    'a map with values of several types',
    { list: [1, { $n: 'x' }, null], set: new Set(['a', 'b']), bytes: Uint8Array.of(7), big: 2n ** 60n },
  ],
])('round-trips %s', (_, value) => {
  expect(back({ value })).toEqual({ id: 'a', value });
});

test('keeps attributes whose names Azure rejects or the protocol reserves', () => {
  const odd = { 'first-name': 'Ada', etag: 'mine', _lock: 'mine', timestamp: 1, RowKey: 'mine' };
  expect(back(odd)).toEqual({ id: 'a', ...odd });
});

test('takes the type of a column from its attribute, not from its value', () => {
  expect(stored({ price: 5, count: 5 })).toEqual({
    id: 'a',
    price: { type: 'Double', value: '5' },
    count: { type: 'Int64', value: '5' },
  });
});

test.each([
  ['count', 2n ** 63n],
  ['count', 1e300],
  ['price', Number.POSITIVE_INFINITY],
])('rejects %s %s, which Azure cannot store', (name, value) => {
  expect(() => stored({ [name]: value })).toThrow(
    `Thing: ${name} is ${value}, but Azure Tables stores only doubles and 64-bit whole numbers; store it as a string`,
  );
});
