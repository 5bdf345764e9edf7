import { applied, sumOf } from '../../../lib/items/applied';
import type { Change } from '../../../lib/items/update';

const change = (some: Partial<Change>): Change => ({
  set: new Map(),
  copied: new Map(),
  computed: new Map(),
  added: new Map(),
  removed: [],
  ...some,
});

test('`applied` computes every new value from the original item, regardless of the order of changes', () => {
  const next = applied(
    { a: 1, b: 2 },
    change({
      copied: new Map([
        ['a', 'b'],
        ['b', 'a'],
      ]),
    }),
  );
  expect(next).toEqual({ a: 2, b: 1 });
});

test('`applied` follows paths into maps and lists', () => {
  const item = { map: { in: { x: 1 } }, list: ['a', 'b', 'c', 'd'] };
  const some = change({
    set: new Map<string, unknown>([
      ['map.in.y', 2],
      ['list[9]', 'e'],
    ]),
    removed: ['map.in.x', 'list[0]', 'list[2]'],
  });
  expect(applied(item, some)).toEqual({ map: { in: { y: 2 } }, list: ['b', 'd', 'e'] });
  expect(item).toEqual({ map: { in: { x: 1 } }, list: ['a', 'b', 'c', 'd'] });
});

test('`applied` appends and prepends to lists, and sets a missing value', () => {
  const some = change({
    computed: new Map([
      ['list', { how: 'append', value: [3] }],
      ['other', { how: 'prepend', value: [1] }],
      ['there', { how: 'ifMissing', value: 'new' }],
      ['missing', { how: 'ifMissing', value: 'new' }],
    ]),
  });
  expect(applied({ list: [1], there: 'old' }, some)).toEqual({
    list: [1, 3],
    other: [1],
    there: 'old',
    missing: 'new',
  });
});

test('`applied` adds and removes set elements, and deletes a set that becomes empty', () => {
  const some = change({
    computed: new Map([
      ['tags', { how: 'add', value: new Set(['b', 'c']) }],
      ['made', { how: 'add', value: new Set([1]) }],
      ['kept', { how: 'subtract', value: new Set([1, 9]) }],
      ['gone', { how: 'subtract', value: new Set([1]) }],
      ['missing', { how: 'subtract', value: new Set([1]) }],
    ]),
  });
  expect(applied({ tags: new Set(['a', 'b']), kept: new Set([1, 2]), gone: new Set([1]) }, some)).toEqual({
    tags: new Set(['a', 'b', 'c']),
    made: new Set([1]),
    kept: new Set([2]),
  });
});

test('`applied` does not modify the original item, and keeps the types of sets and bytes', () => {
  const before = { map: { x: 1 }, list: [{ y: 1 }], tags: new Set(['a']), bytes: new Uint8Array([1]) };
  const next = applied(
    before,
    change({
      set: new Map([
        ['map.x', 2],
        ['list[0].y', 2],
      ]),
    }),
  );
  expect(next).toEqual({ ...before, map: { x: 2 }, list: [{ y: 2 }] });
  expect(before).toEqual({ map: { x: 1 }, list: [{ y: 1 }], tags: new Set(['a']), bytes: new Uint8Array([1]) });
  expect([next.tags instanceof Set, next.bytes instanceof Uint8Array]).toEqual([true, true]);
});

test.each([
  ['set elements added to a string', change({ computed: new Map([['text', { how: 'add', value: new Set([1]) }]]) })],
  ['a change in a missing map', change({ set: new Map([['map.x', 1]]) })],
  ['a copy of a missing attribute', change({ copied: new Map([['a', 'nope']]) })],
  ['an addition to a string', change({ added: new Map([['text', 1]]) })],
])('`applied` rejects %s, as DynamoDB does', (_, some) => {
  expect(() => applied({ text: 'x' }, some)).toThrow(expect.objectContaining({ name: 'ValidationException' }));
});

test.each([
  [0.1, 0.2, 0.3],
  [1e21, 1, 1000000000000000000001n],
  [5, -7, -2],
  [9007199254740992n, 1, 9007199254740993n],
  [1.5e-7, 1, 1.00000015],
  [-0.5, 0.5, 0],
])('sumOf adds %s and %s exactly, as decimals, and returns %s', (a, b, sum) => {
  expect(sumOf(a, b)).toBe(sum);
});
