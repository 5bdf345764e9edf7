import { counted, show, withArticle } from '../../../lib/design/show';

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['', "''"],
  ['x'.repeat(61), `'${'x'.repeat(57)}…'`],
  [Number.NaN, 'NaN'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [{}, 'an empty object'],
  [{ a: 1, b: 2, c: 3, d: 4, e: 5 }, 'an object with a, b, c, d, …'],
  [() => 1, 'a function'],
])('show renders %j for an error message', (value, text) => {
  expect(show(value)).toBe(text);
});

test('counted uses the singular noun only if the count is 1', () => {
  expect([0, 1, 2].map((count) => counted(count, 'table'))).toEqual(['0 tables', '1 table', '2 tables']);
  expect(counted(2, 'entity', 'entities')).toBe('2 entities');
});

test.each([
  'an Order',
  'an array',
  'an Event',
  'an Update',
  'a User',
  'a Unit',
  'a OneTimeCode',
  'a uuid',
  'a url',
  'a Post',
])('withArticle writes %s', (text) => {
  expect(withArticle(text.slice(text.indexOf(' ') + 1))).toBe(text);
});
