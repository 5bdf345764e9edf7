import { KeyError } from '../../../lib/design/template';
import { faultsOf } from '../../../lib/explore/faults';

const required = { optional: false };
const parameters = [
  { name: 'title', kind: 'string', ...required, minimum: 2, maximum: 4 },
  { name: 'year', kind: 'number', ...required, integer: true, minimum: 1 },
  { name: 'shelf', kind: 'string', ...required, values: ['A', 'B'] },
  { name: 'lent', kind: 'boolean', optional: true },
];
const good = { title: 'Dune', year: 1965, shelf: 'A' };
const of = (values: object, error: unknown = new Error()) => faultsOf(parameters, { ...good, ...values }, error);

test('reports no faults for valid values', () => {
  expect(of({})).toEqual([]);
  expect(of({ lent: true })).toEqual([]);
});

test.each([
  [{ title: undefined }, 'title', 'needs a value; "" is an empty string'],
  [{ year: undefined }, 'year', 'needs a value'],
  [{ title: 'a' }, 'title', 'must have at least 2 characters'],
  [{ title: 'abcde' }, 'title', 'must have at most 4 characters'],
  [{ year: 1965.5 }, 'year', 'must be a whole number'],
  [{ year: 'soon' }, 'year', 'must be a number'],
  [{ year: 0 }, 'year', 'must be at least 1'],
  [{ shelf: 'C' }, 'shelf', 'must be one of A, B'],
  [{ lent: 'yes' }, 'lent', 'must be true or false'],
])('reports for %j: %s %s', (values, name, message) => {
  expect(of(values)).toEqual([{ name, message }]);
});

test('takes the fault from the error if a key cannot contain a value', () => {
  expect(of({}, new KeyError('title', 'it holds the separator'))).toEqual([
    { name: 'title', message: 'cannot be part of this key' },
  ]);
});
