import { check } from '../../../lib/check';
import { describeMutants } from './mutation';
import { templateOf } from './notes';
import { readings, readingsCases } from './readings';

describeMutants(
  'readings',
  {},
  {
    system: readings,
    cases: readingsCases,
    template: templateOf(readings, 'prod'),
    more: 40,
  },
);

test('the check reports no findings for the readings system', () => {
  expect(check(readings)).toEqual([]);
});
