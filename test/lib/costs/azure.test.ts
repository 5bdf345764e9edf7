import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { azureCosts } from '../../../lib/costs/azure';
import { type Cost, monthlyOf } from '../../../lib/costs/cost';

const costsIn = (environment: string): readonly Cost[] =>
  azureCosts(
    JSON.parse(readFileSync(join(__dirname, '../../golden/azure', `controle-pgm-${environment}.json`), 'utf8')),
  );
const partsIn = (environment: string) => costsIn(environment).map(({ part }) => part);

test('counts private endpoints as fixed costs, including the endpoint of the readable replica', () => {
  expect(['dev', 'economy', 'staging', 'prod'].map((environment) => monthlyOf(costsIn(environment)))).toEqual([
    0, 0, 7.3, 14.6,
  ]);
});

test('lists every cost of prod, with the prices of replicated storage and of requests', () => {
  expect(partsIn('prod')).toEqual([
    '2 private endpoints',
    'storage, RAGZRS',
    'requests',
    'your own key in a vault',
    'every request logged in a workspace',
  ]);
  expect(costsIn('prod').find(({ part }) => part === 'storage, RAGZRS')?.price).toBe('$0.1266 per GB per month');
  expect(costsIn('prod').find(({ part }) => part === 'requests')?.price).toBe('$0.00036 per 10,000');
});

test('lists zone-redundant storage, but no logs, for economy', () => {
  expect(partsIn('economy')).toEqual(['storage, ZRS', 'requests']);
});

test('matches the docs on the costs of every environment and on the protection of economy', () => {
  const document = readFileSync(join(__dirname, '../../../docs/guides/costs.md'), 'utf8');
  const [, section = ''] = /\| Azure, controle-pgm \|.*\n\|[-|]*\n((?:\|.*\n)*)/.exec(document) ?? [];
  const row = (name: string) =>
    section
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('**', '')))
      .find(([, part]) => part?.startsWith(name))
      ?.slice(2, 6);
  const all = ['dev', 'economy', 'staging', 'prod'].map(costsIn);
  const dollars = (amount: number) => (amount === 0 ? '$0' : `$${amount.toFixed(2)}`);
  const found = (name: string) => all.map((costs) => costs.find(({ part }) => part.includes(name)));
  expect(row('fixed')).toEqual(all.map((costs) => dollars(monthlyOf(costs))));
  expect(row('private endpoints')).toEqual(
    found('endpoint').map((one) => (one === undefined ? '–' : `${one.part.split(' ')[0]}: ${dollars(one.monthly)}`)),
  );
  expect(row('replication')).toEqual(
    found('storage').map((one) => `${one?.part.split(' ')[1]} ${one?.price.split(' ')[0]}`),
  );
  for (const [name, part] of [
    ['your own key', 'key'],
    ['workspace', 'workspace'],
  ] as const) {
    expect(row(name)?.map((cell) => cell !== '–')).toEqual(found(part).map((one) => one !== undefined));
  }
  const [, , kept, dropped] =
    document
      .split('\n')
      .find((line) => line.startsWith('| Azure | '))
      ?.split('|') ?? [];
  expect(kept).toContain('lock, `prevent_destroy`, no shared key, TLS 1.2, three zones');
  expect(dropped).toContain('private endpoint, your own key, the log of every request, the copy in another region');
});

test('reports the price of an unknown replication type as unknown', () => {
  const account = { azurerm_storage_account: { Account: { account_replication_type: 'XRS' } } };
  expect(azureCosts({ resource: account } as object).find(({ part }) => part === 'storage, XRS')?.price).toBe(
    'unknown per GB per month',
  );
});

test('returns no costs for a stack without accounts', () => {
  expect(azureCosts({})).toEqual([]);
});
