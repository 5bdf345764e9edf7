import type { Condition } from '../../../lib/design/pattern';
import { failedTests } from '../../../lib/items/failed-tests';

const item = { n: 2, text: 'äb', list: ['x', 'y'], map: { a: 1 }, set: new Set(['x']), any: 1 };

test.each<[Condition, readonly string[]]>([
  [{ n: 2, text: 'äb' }, []],
  [{ n: 3, text: 'b' }, ['n', 'text']],
  [{ any: [{ n: 3 }, { text: 'äb' }] }, []],
  [{ any: [{ n: 3 }, { text: 'b', n: 4 }], list: { exists: true } }, ['n', 'text']],
  [{ none: [{ n: 3 }, { text: 'b' }] }, []],
  [{ none: [{ n: 2 }, { text: 'b' }] }, ['n']],
  [{ none: [{ any: [{ n: 1 }, { n: 2 }] }] }, ['n']],
  [{ any: [{ n: '<x?>' }], none: [{ n: '<x?>' }] }, []],
  [{ any: 1 }, []],
  [{ list: { size: 2 }, map: { size: 1 }, set: { size: 1 } }, []],
  // The size of a string is counted in bytes.
  [{ text: { size: 3 } }, []],
  [{ list: { size: { atLeast: 3 } }, n: { size: 1 } }, ['list', 'n']],
])('%j', (condition, expected) => {
  expect(failedTests(condition, [], item, {})).toEqual(expected);
});
