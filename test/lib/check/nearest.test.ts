import { nearest, oneOf } from '../../../lib/check/nearest';

test.each([
  ['asignee', ['assignee', 'author'], 'assignee'],
  ['AUTHOR', ['assignee', 'author'], 'author'],
  ['auhtor', ['assignee', 'author'], 'author'],
  ['titel', ['title', 'tile'], 'title'],
  ['filters', ['filter'], 'filter'],
  ['colour', ['assignee', 'author'], undefined],
  ['a', ['bcd'], undefined],
  ['', ['at'], undefined],
  ['at', [], undefined],
])('%j of %j is probably %j', (name, known, expected) => {
  expect(nearest(name, known)).toBe(expected);
});

test('what is near is proposed alone, and otherwise all there is', () => {
  expect(oneOf('titel', ['title', 'body'])).toBe('write title, or add it to the design');
  expect(oneOf('colour', ['title', 'body'])).toBe('use one of title, body, or add it to the design');
  expect(oneOf('colour', [])).toBe('add it to the design');
});
