import { check, type Finding } from '../../../lib/check';
import type { SystemDesign } from '../../../lib/design/system';
import { bank } from '../../fixtures/bank';
import { changed } from '../../support/changed';

const system: SystemDesign = bank;

function findingsWith(path: string, to: unknown): readonly Pick<Finding, 'rule' | 'cause' | 'path' | 'fix'>[] {
  return check(changed(system, path.split('.'), to)).map(({ rule, cause, path: at, fix }) => ({
    rule,
    cause,
    path: at,
    fix,
  }));
}

test('accepts sound patterns that span several tables', () => {
  expect(check(system)).toEqual([]);
});

test.each([
  [
    'a table that the system does not have',
    ['patterns.deposit.steps.balance.table', 'account'],
    ['unknown-name', 'patterns.deposit.steps.balance.table'],
  ],
  [
    'a key that no entity has',
    ['patterns.deposit.steps.balance.where.SK', 'ACOUNT'],
    ['pattern-unserved', 'patterns.deposit.steps.balance.where.SK'],
  ],
  [
    'an unknown attribute of an item in another table',
    ['patterns.deposit.steps.allowed.where.PK', 'ACCOUNT#<entry.acountId>'],
    ['unknown-name', 'patterns.deposit.steps.allowed.where.PK'],
  ],
  [
    'half a key in a read',
    ['patterns.receipt.reads.entry.where', { accountId: '<accountId>' }],
    ['partition-incomplete', 'patterns.receipt.reads.entry.where'],
  ],
  ['a pattern without steps', ['patterns.deposit.steps', {}], ['refused-request', 'patterns.deposit.steps']],
  ['a misspelt field', ['patterns.receipt.consistent', true], ['malformed', 'patterns.receipt.consistent']],
] as const)('reports %s only once, in the system-wide pattern', (_, [path, to], [rule, at]) => {
  expect(findingsWith(path, to)).toMatchObject([{ rule, path: at }]);
});

test("rejects a system-wide pattern with the same name as a table's pattern", () => {
  expect(findingsWith('patterns.entries', bank.patterns.receipt)).toMatchObject([
    { rule: 'duplicate-name', path: 'patterns.entries' },
  ]);
});

test('reports each system-wide pattern only once on Azure, where a request can reach only one table', () => {
  const found = check({ ...system, cloud: 'azure' }).filter(({ cause }) => cause === 'one-table');
  expect(found.map(({ path }) => path)).toEqual(['patterns.deposit', 'patterns.receipt', 'patterns.overview']);
});

test('accepts acknowledgements of findings about system-wide patterns', () => {
  const odd = changed(system, ['patterns', 'overview', 'reads', 'again'], {
    ...bank.patterns.overview.reads.opened,
  });
  const isOwn = ({ path }: Finding) => path.startsWith('patterns.');
  const found = check(odd, { notes: true }).filter(isOwn);
  expect(found).toHaveLength(1);
  const acknowledge = Object.fromEntries(found.map(({ rule, path }) => [rule, { [path]: 'meant so' }]));
  expect(check({ ...odd, acknowledge }, { notes: true }).filter(isOwn)).toEqual([]);
  const idle = { 'unused-index': { 'patterns.deposit': 'no reason' } };
  expect(check({ ...system, acknowledge: idle })).toMatchObject([{ rule: 'acknowledgement', cause: 'idle' }]);
});
