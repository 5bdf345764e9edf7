import { barOf } from '../../bin/commands/migrate-progress';

test.each([
  [{ pass: 1, read: 250, total: 1000, rate: 80 }, '[#####···············] 25% of about 1,000, 80 items/s, 10 s left'],
  [{ pass: 2, read: 1000, total: 1000, rate: 80 }, 'pass 2: [####################] 100% of about 1,000, 80 items/s'],
  [{ pass: 1, read: 1200, total: 1000, rate: 80 }, '[####################] 100% of about 1,000, 80 items/s'],
  [
    { pass: 1, read: 10, total: 1_000_000, rate: 100 },
    '[····················] 0% of about 1,000,000, 100 items/s, 3 h left',
  ],
  [{ pass: 1, read: 10, total: 10_000, rate: 50 }, '[····················] 0% of about 10,000, 50 items/s, 4 min left'],
  [{ pass: 1, read: 1234, total: undefined, rate: 99.6 }, '1,234 items, 100 items/s'],
  [{ pass: 1, read: 0, total: 0, rate: 0 }, '0 items'],
])('shows the progress %j as %s', (bar, shown) => {
  expect(barOf(bar)).toBe(shown);
});
