import { isPage } from '../../../lib/items/result';

test.each([
  ['a page', { items: [] }, true],
  ['a page with a cursor and a count of unknown items', { items: [{}], cursor: 'x', unknown: 1 }, true],
  ["an item with an attribute named 'items'", { items: ['pen'], orderId: '1' }, false],
  ["an item without an attribute named 'items'", { orderId: '1' }, false],
  ['nothing', undefined, false],
  ['null', null, false],
])('isPage distinguishes a page from other results: %s', (_, result, expected) => {
  expect(isPage(result)).toBe(expected);
});
