import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { azureCosts } from '../../../lib/costs/azure';
import { type Cost, monthlyOf } from '../../../lib/costs/cost';

const costsIn = (environment: string): readonly Cost[] =>
  azureCosts(
    JSON.parse(readFileSync(join(__dirname, '../../golden/azure', `controle-pgm-${environment}.json`), 'utf8')),
  );
const partsIn = (environment: string) => costsIn(environment).map(({ part }) => part);

test('what is paid for whatever is asked are the private endpoints, of which a readable copy has one more', () => {
  expect(['dev', 'economy', 'staging', 'prod'].map((environment) => monthlyOf(costsIn(environment)))).toEqual([
    0, 0, 7.3, 14.6,
  ]);
});

test('key, workspace and replication are told with their prices', () => {
  expect(partsIn('prod')).toEqual([
    '2 private endpoints',
    'storage, RAGZRS',
    'requests',
    'a key of your own in a vault',
    'every request logged in a workspace',
  ]);
  expect(costsIn('prod').find(({ part }) => part === 'storage, RAGZRS')?.price).toBe('$0.1266 per GB and month');
});

test('economy is in three zones, and logs nothing', () => {
  expect(partsIn('economy')).toEqual(['storage, ZRS', 'requests']);
});

test('a stack without accounts costs nothing that is known here', () => {
  expect(azureCosts({})).toEqual([]);
});
