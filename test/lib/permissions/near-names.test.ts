import { nearNames, suggestion } from '../../../lib/permissions/near-names';

const known = ['getPost', 'getUser', 'postsByCategory', 'postsByAuthor', 'hasLiked'];

test.each([
  ['getPosts', ['getPost']],
  ['getpost', ['getPost']],
  ['postByCategory', ['postsByCategory']],
  ['getPusr', ['getPost', 'getUser']],
  ['invoices', []],
])('%s may mean %j', (name, near) => {
  expect(nearNames(name, known)).toEqual(near);
});

test('three names are enough', () => {
  expect(nearNames('ab', ['abc', 'abd', 'abe', 'abf', 'ab'])).toEqual(['ab', 'abc', 'abd']);
});

test('where nothing is near, all names are told', () => {
  expect(suggestion('getPosts', known)).toBe('did you mean getPost?');
  expect(suggestion('x', ['invoices', 'orders'])).toBe('there are invoices, orders');
  expect(suggestion('x', [])).toBe('there are none');
});
