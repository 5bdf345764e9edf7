import { links, routeOf, valuesIn } from '../../../../lib/explore/page/state';

test("an address contains a call's values and a result page's cursor", () => {
  const { query, names } = routeOf(links.pattern({ name: 'a/b' }, 't', 'p', { id: '#&?' }, 'abc='));
  expect(names).toEqual(['t', 'p']);
  expect(valuesIn(query.values)).toEqual({ values: { id: '#&?' } });
  expect(query.cursor).toBe('abc=');
});

test('reports values that are not a JSON object, and accepts an address without values', () => {
  expect(valuesIn(undefined)).toEqual({});
  for (const text of ['{broken', '5', '[1]', 'null', ''])
    expect(valuesIn(text)).toEqual({
      problem: `The values in the address are not a JSON object, so nothing was run: ${text}`,
    });
});
