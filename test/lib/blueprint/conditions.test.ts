import { decisiveTests, testsIn } from '../../../lib/blueprint/conditions';
import type { Condition } from '../../../lib/design/pattern';

const condition: Condition = { a: 1, any: [{ b: 2 }, { c: 3, none: [{ a: { exists: true } }] }], 'd.e': { size: 1 } };

test('testsIn finds the tests at every depth, each with its place', () => {
  expect(testsIn(condition)).toEqual([
    { path: 'a', test: 1, place: 'a', isDecisive: true },
    { path: 'b', test: 2, place: 'any.0.b', isDecisive: false },
    { path: 'c', test: 3, place: 'any.1.c', isDecisive: false },
    { path: 'a', test: { exists: true }, place: 'any.1.none.0.a', isDecisive: false },
    { path: 'd.e', test: { size: 1 }, place: 'd.e', isDecisive: true },
  ]);
});

test('decisiveTests lists the tests outside groups, including tests of an attribute that is named like a group', () => {
  expect(decisiveTests(condition).map(([path]) => path)).toEqual(['a', 'd.e']);
  expect(decisiveTests({ any: 1, none: 'x' })).toEqual([
    ['any', 1],
    ['none', 'x'],
  ]);
});
