import { nearest, nearNames, oneOf, suggestion } from '../../../lib/design/names';

const known = ['getPost', 'getUser', 'postsByCategory', 'postsByAuthor', 'hasLiked'];

describe('a misspelt name may stand for those that are a slip or two away', () => {
  test.each([
    ['getPosts', ['getPost']],
    ['getpost', ['getPost']],
    ['postByCategory', ['postsByCategory']],
    ['getPusr', ['getPost', 'getUser']],
    ['invoices', []],
  ])('%s for %j', (name, near) => {
    expect(nearNames(name, known)).toEqual(near);
  });

  test('the nearest come first, and three are enough', () => {
    expect(nearNames('ab', ['abc', 'abd', 'abe', 'abf', 'ab'])).toEqual(['ab', 'abc', 'abd']);
  });

  test('a long name may have more slips than a short one', () => {
    expect(nearNames('postsByCategories', known)).toEqual(['postsByCategory']);
    expect(nearNames('id', ['at'])).toEqual([]);
  });
});

test.each([
  ['asignee', ['assignee', 'author'], 'assignee'],
  ['AUTHOR', ['assignee', 'author'], 'author'],
  ['auhtor', ['assignee', 'author'], 'author'],
  ['titel', ['title', 'tile'], 'title'],
  ['filters', ['filter'], 'filter'],
  ['tilte', ['title', 'body', 'title'], 'title'],
  ['GSI3', ['GSI1', 'GSI2'], undefined],
  ['createdAt', ['updatedAt'], undefined],
  ['colour', ['assignee', 'author'], undefined],
  ['a', ['bcd'], undefined],
  ['', ['at'], undefined],
  ['at', [], undefined],
])('%j of %j is probably %j', (name, names, expected) => {
  expect(nearest(name, names)).toBe(expected);
});

test('where nothing is near, all names are told', () => {
  expect(suggestion('getPosts', known)).toBe('did you mean getPost?');
  expect(suggestion('x', ['invoices', 'orders'])).toBe('there are invoices, orders');
  expect(suggestion('x', [])).toBe('there are none');
});

test('what is near is proposed alone, and otherwise all there is', () => {
  expect(oneOf('titel', ['title', 'body'])).toBe('write title, or add it to the design');
  expect(oneOf('colour', ['title', 'body'])).toBe('use one of title, body, or add it to the design');
  expect(oneOf('colour', [])).toBe('add it to the design');
});
