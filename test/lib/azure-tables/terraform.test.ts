import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { azureTablesIn, readStack, stacksIn } from '../../../lib/azure-tables/terraform';
import { stackOf } from '../../support/azurite';

const table = (name: unknown) => ({ type: 'Microsoft.Storage/storageAccounts/tableServices/tables@2024-01-01', name });

test("lists a stack's azapi tables in the order of its resources", () => {
  expect(azureTablesIn(stackOf('Users', 'Sequences', 'DocumentTypes'))).toEqual([
    'Users',
    'Sequences',
    'DocumentTypes',
  ]);
});

test('ignores accounts, blob containers and azurerm tables', () => {
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
  'rejects a table named %p',
  (name) => {
    expect(() => azureTablesIn({ resource: { azapi_resource: { users: table(name) } } })).toThrow(
      `azapi_resource.users: the name must be a legal Azure table name (3 to 63 letters and digits, starting with a letter, and not 'tables'), got: ${JSON.stringify(name)}`,
    );
  },
);

describe('output folders and files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
  const file = join(folder, 'stacks/pgm-dev/cdk.tf.json');
  beforeAll(() => {
    for (const name of ['pgm-dev', 'blog-dev', 'empty']) mkdirSync(join(folder, 'stacks', name), { recursive: true });
    for (const name of ['pgm-dev', 'blog-dev']) {
      writeFileSync(join(folder, 'stacks', name, 'cdk.tf.json'), JSON.stringify(stackOf('Users')));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([
    ['an output folder', '', ['blog-dev', 'pgm-dev']],
    ['its folder of stacks', 'stacks', ['blog-dev', 'pgm-dev']],
    ['the folder of a stack', 'stacks/pgm-dev', ['pgm-dev']],
    ['the folder of a stack, with a trailing slash', 'stacks/pgm-dev/', ['pgm-dev']],
    ['the file of a stack', 'stacks/pgm-dev/cdk.tf.json', ['pgm-dev']],
    ['a folder without stacks', 'stacks/empty', []],
    ['a missing folder', 'nowhere', []],
  ])('finds the stacks in %s', (_, place, names) => {
    const found = stacksIn(join(folder, place));
    expect(found.map(({ name }) => name)).toEqual(names);
    for (const one of found) expect(azureTablesIn(readStack(one.file))).toEqual(['Users']);
  });

  test.each<[string, string]>([
    ['{', 'is not JSON: line 1, column 2: expected'],
    ['', 'is not JSON'],
    ['[]', 'is not Terraform JSON: the stack must be an object; run your app again'],
    ['{"resource":[]}', "is not Terraform JSON: 'resource' must be an object"],
    ['{"resource":{"azapi_resource":7}}', "'resource.azapi_resource' must be an object"],
    ['{"resource":{"azapi_resource":{"a":null}}}', "'resource.azapi_resource.a' must be an object"],
  ])('reports a file with the content %s as damaged', (text, message) => {
    const damaged = join(folder, 'damaged.json');
    writeFileSync(damaged, text);
    expect(() => readStack(damaged)).toThrow(
      expect.objectContaining({ name: 'FileProblem', kind: 'damaged', message: expect.stringContaining(message) }),
    );
  });

  test('reports a missing file, and a folder where a file is expected', () => {
    expect(() => readStack(join(folder, 'nope.json'))).toThrow(`there is no '${join(folder, 'nope.json')}'`);
    expect(() => readStack(join(file, '..'))).toThrow('cannot be read: it is a folder; pass the path of a file');
  });
});
