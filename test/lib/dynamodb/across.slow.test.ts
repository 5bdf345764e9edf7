import { type Send, system } from '../../../lib/dynamodb';
import { prove } from '../../../lib/proof';
import { bank, bankCases } from '../../fixtures/bank';
import { embedded } from '../../support/embedded';
import { templateOf } from '../proof/notes';

const tables = embedded(bank);
const sent: string[] = [];
const send: Send = (command, input) => {
  sent.push(command);
  return tables.send(command, input);
};
const names = { tables: { accounts: tables.nameOf('accounts'), ledger: tables.nameOf('ledger') } };
const db = system(bank, names, send);

const account = (i: number) => ({ accountId: `a${i}`, owner: 'ana', balance: 0, year: 2026 });
const put = (table: string, Item: object) => tables.send('Put', { TableName: tables.nameOf(table), Item });

async function open(i: number): Promise<void> {
  await put('accounts', { ...account(i), PK: `ACCOUNT#a${i}`, SK: 'ACCOUNT', kind: 'Account' });
}

test('proves every pattern of the bank, within one table and across tables', async () => {
  const proved: string[] = [];
  const input = { system: bank, cases: bankCases, template: templateOf(bank, 'prod'), environment: 'prod' };
  for await (const { name, kind, failure } of prove(tables.engine(), input)) {
    expect(`${name}: ${failure}`).toBe(`${name}: undefined`);
    if (kind !== 'entity') proved.push(name);
  }
  expect(proved).toEqual([
    'account',
    'limit',
    'file',
    'snapshot',
    'entries',
    'entriesOf',
    'latestOf',
    'deposit',
    'receipt',
    'overview',
  ]);
});

test('sends a transaction over two tables as one request, and names the failed step in the error', async () => {
  await open(1);
  await put('accounts', { accountId: 'a1', most: 9, PK: 'ACCOUNT#a1', SK: 'LIMIT', kind: 'Limit' });
  const entry = { accountId: 'a1', entryId: 'e1', amount: 3, year: 2026 };
  sent.length = 0;
  await db.deposit({ entry, amount: 3, owner: 'ana' }, { token: 'once' });
  expect(sent).toEqual(['TransactWrite']);
  expect(await db.receipt({ accountId: 'a1', entryId: 'e1' })).toEqual({
    account: { ...account(1), balance: 3, kind: 'Account' },
    entry,
  });
  await expect(db.deposit({ entry: { ...entry, entryId: 'e2' }, amount: 30, owner: 'ana' })).rejects.toMatchObject({
    kind: 'condition',
    writes: [{ name: 'deposit.allowed', entity: 'Limit', tests: ['most'] }],
  });
  expect(await db.receipt({ accountId: 'a1', entryId: 'e2' })).toMatchObject({ entry: undefined });
});

test('splits a batch over two tables into several requests if its keys do not fit in a single request', async () => {
  for (let i = 0; i < 60; i++) await open(i);
  await put('ledger', { accountId: 'a7', entryId: 'e0', amount: 1, year: 2026 });
  sent.length = 0;
  const accountId = Array.from({ length: 61 }, (_, i) => `a${i}`);
  const { accounts, opened } = await db.overview({ accountId });
  expect(sent).toEqual(['BatchGet', 'BatchGet']);
  expect(accounts.map((one) => one.accountId)).toEqual(accountId.slice(0, 60));
  expect(opened).toEqual([{ accountId: 'a7', entryId: 'e0', amount: 1, year: 2026 }]);
});
