import { isTypoOf, nearest, nearNames, oneOf, suggestion } from '../../../lib/design/names';

const known = ['getPost', 'getUser', 'postsByCategory', 'postsByAuthor', 'hasLiked'];

describe('nearNames', () => {
  test.each([
    ['getPosts', ['getPost']],
    ['getpost', ['getPost']],
    ['postByCategory', ['postsByCategory']],
    ['getPusr', ['getPost', 'getUser']],
    ['invoices', []],
  ])('nearNames finds the names near %s: %j', (name, near) => {
    expect(nearNames(name, known)).toEqual(near);
  });

  test('nearNames lists at most three names, with the nearest first', () => {
    expect(nearNames('ab', ['abc', 'abd', 'abe', 'abf', 'ab'])).toEqual(['ab', 'abc', 'abd']);
  });

  test('nearNames allows more typos in a long name than in a short name', () => {
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
])('the nearest name to %j in %j is %j', (name, names, expected) => {
  expect(nearest(name, names)).toBe(expected);
});

test('suggestion proposes a similar name, or lists all names if none is similar', () => {
  expect(suggestion('getPosts', known)).toBe('did you mean getPost?');
  expect(suggestion('x', ['invoices', 'orders'])).toBe('there are invoices, orders');
  expect(suggestion('x', [])).toBe('there are none');
});

test('oneOf proposes only similar names, or all names if no name is similar', () => {
  expect(oneOf('titel', ['title', 'body'])).toBe('write title, or add it to the design');
  expect(oneOf('colour', ['title', 'body'])).toBe('use one of title, body, or add it to the design');
  expect(oneOf('colour', [])).toBe('add it to the design');
});

test.each([
  ['membrId', 'memberId', true],
  ['mebmerId', 'memberId', true],
  ['memberIds', 'memberId', false],
  ['userB', 'userA', false],
  ['aUser', 'bUser', false],
  ['user2Id', 'user1Id', false],
  ['buyerId', 'userId', false],
  ['form', 'from', false],
])('isTypoOf tells whether %s is a typo of %s: %s', (name, other, expected) => {
  expect(isTypoOf(name, other)).toBe(expected);
});
