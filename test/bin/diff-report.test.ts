import { reportOf } from '../../bin/commands/diff-report';
import { diff, lockOf } from '../../lib/evolve';
import { booked } from '../fixtures/book-of-changes';

test('a pull request comment shows how the grants change when an index is replaced, and which release each step deploys', () => {
  const change = booked.find(({ name }) => name === 'a lowercased index key');
  if (change === undefined) throw new Error('there is no such change');
  const { before, after } = change;
  const lock = lockOf(before, { environment: 'prod' });
  const subject = { system: after, environment: 'prod', answers: {}, lockFile: 'lock.json' };
  const report = reportOf(subject, lock, diff(lock, lockOf(after, { environment: 'prod' })));
  expect(report).toContain('**IAM**: these grants change.');
  expect(report).toMatch(/\n\+ .*GSI1v2/);
  expect(report).toMatch(/<code>expand-1<\/code> \| create-index GSI1v2 of orders, a release that reads both forms/);
});
