import { differencesOf } from '../../../lib/proof/differences';

test.each<[string, unknown, unknown, string]>([
  ['nothing', { a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, ''],
  ['a value', 1, 2, 'expected 1, got 2'],
  ['a missing value', { a: 1 }, undefined, 'expected {"a":1}, got none'],
  ['a nested value', { a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }, 'a.b.c: expected 1, got 2'],
  [
    'a missing attribute and an extra attribute',
    { a: 1 },
    { b: 2 },
    'a: expected 1, got none; b: expected none, got 2',
  ],
  ['a different kind', { a: [1] }, { a: { 0: 1 } }, 'a: expected [1], got {"0":1}'],
  ['a missing element, but not the elements after it', [1, 2, 3], [2, 3], '[0]: expected 1, got none'],
  ['an extra element', [2, 3], [1, 2, 3], '[]: got 1, which is not expected'],
  ['one of two equal elements is missing', [1, 1], [1], '[0]: expected 1, got none'],
  [
    'a different order',
    { a: [1, 2, 3] },
    { a: [3, 1, 2] },
    'a[]: got the expected elements in the wrong order: [2], [0], [1]',
  ],
  [
    'elements, each compared with the most similar one',
    [
      { id: 'a', name: 'A', n: 1 },
      { id: 'b', name: 'B', n: 1 },
    ],
    [
      { id: 'b', name: 'B', n: 2 },
      { id: 'c', name: 'C', n: 9 },
    ],
    '[1].n: expected 1, got 2; []: got {"id":"c","name":"C","n":9}, which is not expected; [0]: expected {"id":"a","name":"A","n":1}, got none',
  ],
])('reports a difference: %s', (_, expected, got, told) => {
  expect(differencesOf(expected, got)).toBe(told);
});

test('reports the first eight differences, and counts the rest', () => {
  const [zeros, ones] = [0, 1].map((value) =>
    Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`a${i}`, value])),
  );
  expect(differencesOf(zeros, ones)).toMatch(/^a0: .*a7: expected 0, got 1; and 12 more$/);
});
