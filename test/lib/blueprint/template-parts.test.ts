import {
  digitsAt,
  isOnePart,
  leadAskedFor,
  piecesOf,
  placesOf,
  shownPart,
  templateOf,
  textWith,
} from '../../../lib/blueprint/template-parts';
import { type Part, render, template } from '../../../lib/design/template';

const post = template('POST#<at:date>#<id>-<n:4>');

test('piecesOf splits a template at its separators', () => {
  const pieces = piecesOf(post, '#').map(({ text, values, tail }) => [text, values.map(({ name }) => name), tail]);
  expect(pieces).toEqual([
    ['POST', [], ''],
    ['', ['at'], ''],
    ['', ['id', 'n'], '-'],
  ]);
  expect(piecesOf(post, undefined)).toHaveLength(1);
});

test('placesOf returns each part with the text before and after it', () => {
  const places = placesOf(template('A#<a><b>#<c>'));
  expect(places.map(({ part, lead }) => [part.name, lead])).toEqual([
    ['a', 'A#'],
    ['b', 'A#<>'],
    ['c', 'A#<><>#'],
  ]);
  expect(places.map(({ next }) => (typeof next === 'object' ? next.name : next))).toEqual(['b', '#', undefined]);
});

test('textWith renders a template with its own parts, with renamed parts, or without parts', () => {
  expect(textWith(post, shownPart)).toBe(post.text);
  expect(textWith(post, (part) => shownPart(part, `post.${part.name}`))).toBe(
    'POST#<post.at:date>#<post.id>-<post.n:4>',
  );
  expect(textWith(post, () => '')).toBe('POST##-');
});

test('templateOf makes a template from a single part', () => {
  const alone = templateOf(post.parts[2] as Part);
  expect([alone.text, isOnePart(alone), render(alone, { n: 7 })]).toEqual(['<n:4>', true, '0007']);
  expect(isOnePart(post)).toBe(false);
  expect(isOnePart(template('POST'))).toBe(false);
});

test('leadAskedFor returns a key prefix that uses the parameter names of the requested template', () => {
  expect(leadAskedFor(post, template('PAST#<from>'))).toBe('POST#<from:date>');
});

test('digitsAt returns the digits at the end of a bound if the key has a padded number there', () => {
  const key = template('A#<n:4>');
  expect(digitsAt(template('A#12'), key)).toEqual({ digits: '12', width: 4 });
  expect(digitsAt(template('A#x'), key)).toBeUndefined();
  expect(digitsAt(template('B#12'), key)).toBeUndefined();
  expect(digitsAt(template('A#12'), template('A#<n>'))).toBeUndefined();
});
