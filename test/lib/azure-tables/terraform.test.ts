import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { azureTablesIn, readStack } from '../../../lib/azure-tables/terraform';
import { stackOf } from '../../support/azurite';

const table = (name: unknown) => ({ type: 'Microsoft.Storage/storageAccounts/tableServices/tables@2024-01-01', name });

test('the tables of a stack are its azapi resources of that type, in its order', () => {
  expect(azureTablesIn(stackOf('Users', 'Sequences', 'DocumentTypes'))).toEqual([
    'Users',
    'Sequences',
    'DocumentTypes',
  ]);
});

test('nothing else is a table: not an account, not a lock, not another service', () => {
  const blob = { type: 'Microsoft.Storage/storageAccounts/blobServices/containers@2024-01-01', name: 'backup' };
  expect(
    azureTablesIn({
      resource: {
        azurerm_storage_account: { account: { name: 'pgmdev' } },
        azurerm_storage_table: { by_key: { name: 'Elsewhere' } },
        azapi_resource: { users: table('Users'), listed: [table('Logs')], backup: blob },
      },
    }),
  ).toEqual(['Users', 'Logs']);
  expect(azureTablesIn({})).toEqual([]);
});

test.each(['controle-pgm', '1st', 'tables', '$'.concat('{var.name}'), 7, undefined])(
  'a table of the name %p is an error',
  (name) => {
    expect(() => azureTablesIn({ resource: { azapi_resource: { users: table(name) } } })).toThrow(
      `azapi_resource.users: the name must be that of an Azure table (3 to 63 letters and digits, the first one a letter, and not 'tables'), got: ${JSON.stringify(name)}`,
    );
  },
);

describe('a stack is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('from where it was synthesized', () => {
    mkdirSync(join(folder, 'stacks/pgm-dev'), { recursive: true });
    writeFileSync(join(folder, 'stacks/pgm-dev/cdk.tf.json'), JSON.stringify(stackOf('Users')));
    expect(azureTablesIn(readStack(folder, 'pgm-dev'))).toEqual(['Users']);
  });

  test('or it is said what is missing', () => {
    expect(() => readStack(folder, 'pgm-prod')).toThrow(/pgm-prod.cdk\.tf\.json' is missing; run your app first/);
  });
});
