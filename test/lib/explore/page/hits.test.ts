import type { SystemDesign } from '../../../../lib/design/system';
import { search } from '../../../../lib/explore/page/hits';
import { explore } from '../../../../lib/explore/system';
import { systems } from '../../../../lib/systems';

const views = Object.values(systems).map((system) => explore(system as SystemDesign).view);
const found = (text: string) => search(views, text).map(({ kind, name, where }) => `${kind} ${name} (${where})`);

test('a search for several words finds the entries that contain all of the words, in any order', () => {
  expect(found('posts author')[0]).toBe('pattern postsByAuthor (blog · blog)');
  expect(found('author posts')[0]).toBe('pattern postsByAuthor (blog · blog)');
});

test('a search for the beginning of a key finds the entities whose keys begin with it', () => {
  expect(found('POST#')).toContain('key PK POST#<postId> (blog · blog · Post)');
  expect(found('post#<postid>')[0]).toMatch(/^key \w+ POST#<postId>/);
});

test('ranks names that start with the text first, then names that contain it, and then other mentions', () => {
  const names = search(views, 'post').map(({ name }) => name.toLowerCase());
  const ranks = names.map((name) => (name.startsWith('post') ? 0 : name.includes('post') ? 1 : 2));
  expect(ranks).toEqual([...ranks].sort());
  expect(ranks[0]).toBe(0);
});

test('the name of a system limits a search to that system, but finds only entries with a matching name if it is the whole search', () => {
  expect(found('blog getPost')[0]).toBe('pattern getPost (blog · blog)');
  expect(found('booking getPost')).toEqual([]);
  expect(found('blog')).toEqual(expect.arrayContaining(['table blog (blog · blog)']));
  expect(found('blog')).not.toContain('pattern getPost (blog · blog)');
  expect(found('  ')).toEqual([]);
});
