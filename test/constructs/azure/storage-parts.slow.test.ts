import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { SystemStack } from '../../../constructs/azure';
import { systems } from '../../../lib/systems';
import { type TerraformJson, terraformOf } from '../../support/terraform';

/**
 * The part of Azure's published schema that this library's request bodies use, in the API version that the bodies
 * specify.
 */
const published = z.fromJSONSchema(
  JSON.parse(readFileSync(join(__dirname, '../../fixtures/azure-table-2023-05-01.json'), 'utf8')),
);

const tables = Object.values(systems).flatMap((design) => {
  const { resource } = terraformOf((app) => new SystemStack(app, design.name, { design, environment: 'prod' }));
  return Object.values((resource as TerraformJson).azapi_resource as Record<string, TerraformJson>).map(
    ({ '//': _, depends_on: __, lifecycle: ___, ...table }) => table,
  );
});

test.each(tables)('$name matches the schema of its API version', (table) => {
  expect(published.safeParse(table)).toMatchObject({ success: true });
});

test.each([
  ['a property that tables do not have', { body: { properties: { tableName: 'Users' } } }],
  ['an attribute next to the properties', { body: { sku: {} } }],
  ['an invalid name', { name: 'controle-pgm' }],
  ['a different API version', { type: 'Microsoft.Storage/storageAccounts/tableServices/tables@2019-06-01' }],
  ['a policy without permissions', { body: { properties: { signedIdentifiers: [{ id: 'x', accessPolicy: {} }] } } }],
])('the schema refuses %s', (_, change) => {
  expect(published.safeParse({ ...tables[0], ...change }).success).toBe(false);
});
