import { check } from '../../../lib/check';
import type { QueryPattern } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { type Client, client, requests, type Send } from '../../../lib/dynamodb';
import { accountsTable } from '../../fixtures/bank';
import { type Equal, expectTypes } from '../../support/types';

const account = { accountId: 'a1', owner: 'ana', balance: 5, year: 2026, kind: 'Account' as const };
const limit = { accountId: 'a1', most: 9, kind: 'Limit' as const };
const Items = [
  { ...account, PK: 'ACCOUNT#a1', SK: 'ACCOUNT' },
  { ...limit, PK: 'ACCOUNT#a1', SK: 'LIMIT' },
];

type File = Awaited<ReturnType<Client<typeof accountsTable>['file']>>;
expectTypes<
  [
    Equal<File['accounts'][number]['owner'], string>,
    Equal<File['limits'][number]['kind'], 'Limit'>,
    Equal<File['items'][number]['kind'], 'Account' | 'Limit'>,
  ]
>();

test('a page with groups is read in one request, and contains all of its items plus a list for each group', async () => {
  const sent: string[] = [];
  const send: Send = async (command) => {
    sent.push(command);
    return { Items };
  };
  const db = client(accountsTable, 'accounts', send, { cursors: { secret: 'a secret of some length' } });
  expect(await db.file({ accountId: 'a1' })).toEqual({ items: [account, limit], accounts: [account], limits: [limit] });
  expect(sent).toEqual(['Query']);
  expect(await db.file.first({ accountId: 'a1' })).toEqual(account);
  const { file } = requests(accountsTable, 'accounts');
  expect(file.read({ Items: [] })).toEqual({ items: [], accounts: [], limits: [] });
});

test.each([
  ['an entity that the query does not return', { limits: 'Entry' }, ['no-such-group', 'ungrouped']],
  ['a name that every page already has', { items: 'Account', limits: 'Limit' }, ['no-such-group']],
  ['an entity without a list', { limits: 'Limit' }, ['ungrouped']],
])('the check reports a group with %s', (_, group, causes) => {
  const file: QueryPattern = { ...accountsTable.patterns.file, group };
  const design: TableDesign = { ...accountsTable, patterns: { ...accountsTable.patterns, file } };
  const found = check(design).filter(({ path }) => path.startsWith('patterns.file'));
  expect(new Set(found.map(({ cause }) => cause))).toEqual(new Set(causes));
});
