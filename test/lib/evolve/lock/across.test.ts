import type { SystemDesign } from '../../../../lib/design/system';
import { designOf, diff, lockOf, readLock } from '../../../../lib/evolve';
import { bank } from '../../../fixtures/bank';
import { changed } from '../../../support/changed';

const system: SystemDesign = bank;
const lock = lockOf(system, { environment: 'prod' });

test("a lock stores each part of a system pattern with that part's table, and `designOf` puts the pattern back together", () => {
  expect(readLock(JSON.parse(JSON.stringify(lock)), 'lock')).toEqual(lock);
  const { purpose: _, ...deposit } = bank.patterns.deposit;
  expect(designOf(lock).patterns).toEqual({ ...bank.patterns, deposit });
  expect(lockOf(designOf(lock), { environment: 'prod' }).hash).toBe(lock.hash);
});

test('`diff` reports a changed system pattern for the table of each changed part', () => {
  const other = changed(system, ['patterns', 'deposit', 'steps', 'balance', 'condition', 'owner'], '<who>');
  const changes = diff(lock, lockOf(other, { environment: 'prod' }));
  expect(changes.map(({ rule, path, verdict }) => [rule, path, verdict])).toEqual([
    ['pattern-changed', 'tables.accounts.patterns.deposit', 'ask'],
  ]);
});

test('a removed system pattern is reported for each of its tables, and needs an answer', () => {
  const { receipt: _, ...patterns } = bank.patterns;
  const changes = diff(lock, lockOf({ ...system, patterns }, { environment: 'prod' }));
  expect(changes.map(({ rule, verdict }) => [rule, verdict])).toEqual([
    ['pattern-removed', 'ask'],
    ['pattern-removed', 'ask'],
  ]);
});
