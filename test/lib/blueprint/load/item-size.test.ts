import { itemBytes, readUnits, valueBytes, writeUnits } from '../../../../lib/blueprint/load/item-size';

// These byte counts agree with DynamoDB Local, which charges a second write unit from the 1,025th byte on.
describe('valueBytes', () => {
  test.each<[unknown, number]>([
    ['abc', 3],
    ['é', 2],
    ['', 0],
    [0, 1],
    [7, 2],
    [42, 2],
    [100, 2],
    [1000, 2],
    [1200, 2],
    [12_000, 3],
    [1_000_000, 2],
    [100_001, 4],
    [-1, 3],
    [-1234, 4],
    [0.001, 2],
    [123.456, 5],
    [12.5, 3],
    [0.25, 2],
    [1e21, 2],
    [12345678901234567890n, 11],
    [true, 1],
    [null, 1],
    [new Uint8Array(10), 10],
    [new Set(['a', 'bc']), 3],
    [['a', 'b'], 3 + 2 * (1 + 1)],
    [{ a: 'b' }, 3 + 1 + 1 + 1],
    [{}, 3],
  ])('the size of %p is %d bytes', (value, bytes) => {
    expect(valueBytes(value)).toBe(bytes);
  });
});

test('the size of an item is the total size of its attribute names and values', () => {
  expect(itemBytes({ PK: 'POST#1', n: 42, gone: undefined })).toBe(2 + 6 + 1 + 2);
});

test('a write costs one unit per KB; a read costs one unit per 4 KB, or half a unit if it is eventually consistent', () => {
  expect([0, 1, 1024, 1025].map(writeUnits)).toEqual([1, 1, 1, 2]);
  expect([0, 4096, 4097].map((bytes) => readUnits(bytes, true))).toEqual([1, 1, 2]);
  expect(readUnits(4097, false)).toBe(1);
});
