import { TerraformVariable } from 'cdktn';
import { z } from 'zod';
import { DesignedStorage, type DesignedStorageProps, environments } from '../../../constructs/azure';
import type { SystemDesign } from '../../../lib/design/system';
import { blog, systems } from '../../../lib/systems';
import { depot, needs } from '../../fixtures/azure';
import { type TerraformJson, terraformIn, withStack } from '../../support/terraform';

const resources = (props: Partial<DesignedStorageProps> = {}): TerraformJson =>
  terraformIn((stack) => void new DesignedStorage(stack, 'Default', { design: depot, ...needs, ...props })).resource;
const dev = {
  environment: 'dev',
  encryptionKey: undefined,
  privateEndpoint: undefined,
  logAnalyticsWorkspaceId: undefined,
} as const;
const account = `\${azurerm_storage_account.Account.id}`;

test('creates one table per table of the design, without using the account key', () => {
  const tables = Object.values(resources().azapi_resource) as TerraformJson[];
  expect(tables.map(({ name }) => name).sort()).toEqual(['Moves', 'Parts']);
  for (const table of tables) {
    expect(table).toMatchObject({
      type: 'Microsoft.Storage/storageAccounts/tableServices/tables@2023-05-01',
      parent_id: `${account}/tableServices/default`,
    });
  }
  expect(resources()).not.toHaveProperty('azurerm_storage_table');
});

test('a DynamoDB system becomes tables, index tables, mirrors and a table of transaction records', () => {
  const tables = Object.values(resources({ design: blog }).azapi_resource) as TerraformJson[];
  expect(tables.map(({ name }) => name).sort()).toEqual([
    ...['Transactions', 'blog', 'blogGSI1', 'blogGSI1Descending', 'blogGSI2', 'blogGSI2Descending', 'blogGSI3'],
    'blogGSI3Descending',
  ]);
});

test.each(Object.values(systems).filter(({ cloud }) => cloud === 'aws'))(
  '$name has a mirrored table only for a table or index that a pattern reads in descending order, and one table of transactions',
  (design: SystemDesign) => {
    const made = Object.values(resources({ design }).azapi_resource) as TerraformJson[];
    const names = made.map(({ name }) => name as string).filter((name) => name !== 'Transactions');
    const wanted = Object.entries(design.tables).flatMap(([table, { indexes = {}, patterns = {} }]) => {
      const descending = Object.values(patterns).flatMap((one) =>
        one.op === 'query' && one.order === 'descending' ? [`${table}${one.index ?? ''}Descending`] : [],
      );
      return [table, ...Object.keys(indexes).map((index) => `${table}${index}`), ...new Set(descending)];
    });
    const plain = (name: string) => name.replace(/[^A-Za-z0-9]/g, '');
    expect(made.length).toBe(names.length + 1);
    expect(names.sort()).toEqual(wanted.map(plain).sort());
  },
);

test('creates a resource group named after the system and the environment', () => {
  expect(resources().azurerm_resource_group.Group).toMatchObject({ name: 'depot-prod', location: 'brazilsouth' });
  expect(resources().azurerm_storage_account.Account.resource_group_name).toBe(`\${azurerm_resource_group.Group.name}`);
});

test('uses an existing resource group if the user specifies one', () => {
  const adopted = resources({ adopt: { resourceGroup: 'acme-data' } });
  expect(adopted).not.toHaveProperty('azurerm_resource_group');
  expect(adopted.azurerm_storage_account.Account.resource_group_name).toBe('acme-data');
  expect(adopted.azurerm_private_endpoint['Endpoint-table'].resource_group_name).toBe('acme-data');
});

test('tags every resource that can have tags, so that a bill can be split by system and environment', () => {
  const made = resources({ tags: { team: 'data' } });
  for (const type of ['resource_group', 'storage_account', 'private_endpoint', 'user_assigned_identity']) {
    for (const { tags } of Object.values(made[`azurerm_${type}`]) as TerraformJson[]) {
      expect(tags).toEqual({ system: 'depot', environment: 'prod', team: 'data' });
    }
  }
});

describe('environments that protect data', () => {
  test('a lock protects the account, and is destroyed before everything that it protects', () => {
    expect(resources().azurerm_management_lock.Lock).toMatchObject({
      lock_level: 'CanNotDelete',
      scope: account,
      depends_on: [
        'azapi_resource.Table-Parts',
        'azapi_resource.Table-Moves',
        'azurerm_private_endpoint.Endpoint-table',
        'azurerm_private_endpoint.Endpoint-table_secondary',
        'azurerm_monitor_diagnostic_setting.Diagnostics',
      ],
    });
  });

  test('Terraform refuses to plan the destruction of the account or of a table in a protected environment', () => {
    const made = resources();
    const kept = [made.azurerm_storage_account.Account, ...(Object.values(made.azapi_resource) as TerraformJson[])];
    expect(kept.map(({ lifecycle }) => lifecycle)).toEqual(kept.map(() => ({ prevent_destroy: true })));
  });

  test('economy is also locked and protected, without resources that cost money when idle', () => {
    const made = resources({ ...dev, environment: 'economy' });
    expect(made.azurerm_management_lock.Lock).toMatchObject({ lock_level: 'CanNotDelete', scope: account });
    expect(made.azurerm_storage_account.Account).toMatchObject({
      account_replication_type: 'ZRS',
      network_rules: { default_action: 'Deny', ip_rules: [] },
      shared_access_key_enabled: false,
      lifecycle: { prevent_destroy: true },
    });
    for (const type of ['azurerm_private_endpoint', 'azurerm_monitor_diagnostic_setting', 'azurerm_role_assignment']) {
      expect(made).not.toHaveProperty(type);
    }
  });

  test('dev protects neither the account nor the tables', () => {
    const made = resources(dev);
    expect(made).not.toHaveProperty('azurerm_management_lock');
    expect(JSON.stringify(made)).not.toContain('prevent_destroy');
  });
});

describe('a private endpoint', () => {
  test('prod has a private endpoint for the tables, and a second one for the readable secondary', () => {
    const { 'Endpoint-table': first, 'Endpoint-table_secondary': second } = resources().azurerm_private_endpoint;
    expect([first, second].map((endpoint) => endpoint.private_service_connection.subresource_names)).toEqual([
      ['table'],
      ['table_secondary'],
    ]);
    expect(first).toMatchObject({
      subnet_id: needs.privateEndpoint.subnetId,
      private_dns_zone_group: { private_dns_zone_ids: [needs.privateEndpoint.privateDnsZoneId] },
    });
  });

  test('an account without a readable secondary has only one private endpoint', () => {
    expect(Object.keys(resources({ environment: 'staging' }).azurerm_private_endpoint)).toEqual(['Endpoint-table']);
  });

  test('a private endpoint has no DNS zone if the user specifies none', () => {
    const { subnetId } = needs.privateEndpoint;
    const made = resources({ privateEndpoint: { subnetId } });
    expect(made.azurerm_private_endpoint['Endpoint-table']).not.toHaveProperty('private_dns_zone_group');
  });

  test('dev has no private endpoint, unless the user specifies a subnet', () => {
    expect(resources(dev)).not.toHaveProperty('azurerm_private_endpoint');
    expect(resources({ ...dev, privateEndpoint: needs.privateEndpoint })).toHaveProperty('azurerm_private_endpoint');
  });
});

test('a dedicated identity gets access to the key before the account is created', () => {
  const made = resources();
  expect(made.azurerm_role_assignment.KeyUse).toMatchObject({
    scope: needs.encryptionKey.resourceId,
    role_definition_name: 'Key Vault Crypto Service Encryption User',
    principal_id: `\${azurerm_user_assigned_identity.Identity.principal_id}`,
  });
  // Azure needs some time to propagate a new role assignment.
  expect(made.azurerm_storage_account.Account.depends_on).toEqual(['time_sleep.KeyUseSettled']);
  expect(made.time_sleep.KeyUseSettled).toMatchObject({
    create_duration: '120s',
    depends_on: ['azurerm_role_assignment.KeyUse'],
  });
  for (const kind of ['azurerm_user_assigned_identity', 'time_sleep']) expect(resources(dev)).not.toHaveProperty(kind);
});

test('the Terraform plan refuses a key that the account could not use', () => {
  const [subscription, key] = resources().azurerm_role_assignment.KeyUse.lifecycle.precondition;
  const id = `lower("${needs.encryptionKey.resourceId}")`;
  const applier = 'data.azurerm_client_config.Applier.subscription_id';
  expect(subscription.condition).toBe(`\${startswith(${id}, lower(join("", ["/subscriptions/", ${applier}, "/"])))}`);
  expect(key.condition).toBe(
    `\${endswith(${id}, lower(replace("${needs.encryptionKey.keyId}", "/^https:[/][/]([^./]+)[^/]*/", "/$1")))}`,
  );
});

test('escapes Terraform expressions in names and tags', () => {
  const [dollar, percent] = ['$', '%'].map((sign) => `${sign}{file("/etc/passwd")}`) as [string, string];
  const tags = { [`k${dollar}`]: dollar, note: `a ${percent} b`, price: '$5 100%' };
  const adopt = { resourceGroup: 'g' };
  const design = { ...depot, name: `d${percent}` };
  const made = resources({ tags, adopt, design, accountName: 'acme' });
  const { tags: written } = made.azurerm_storage_account.Account;
  expect(written).toEqual({
    [`k$${dollar}`]: `$${dollar}`,
    note: `a %${percent} b`,
    price: '$5 100%',
    system: `d%${percent}`,
    environment: 'prod',
  });
  // Only the stack's own references and conditions remain expressions.
  const code = JSON.stringify(made).replaceAll('$${', '').replaceAll('%%{', '');
  for (const [, start] of code.matchAll(/[$%]\{(\w+)/g)) expect(start).toMatch(/^(azurerm_|data|startswith|endswith)/);
});

test('keeps a Terraform reference that the user wrote, even in a tag', () => {
  const { resource } = terraformIn((stack) => {
    const owner = new TerraformVariable(stack, 'owner', { type: 'string' });
    new DesignedStorage(stack, 'Default', { design: depot, ...needs, tags: { owner: owner.stringValue } });
  });
  expect(resource.azurerm_storage_account.Account.tags).toHaveProperty('owner', `\${var.owner}`);
});

test('logs every read, write and delete on the tables, and the capacity and transaction metrics', () => {
  expect(resources().azurerm_monitor_diagnostic_setting.Diagnostics).toMatchObject({
    target_resource_id: `${account}/tableServices/default`,
    log_analytics_workspace_id: needs.logAnalyticsWorkspaceId,
    enabled_log: [{ category: 'StorageRead' }, { category: 'StorageWrite' }, { category: 'StorageDelete' }],
    enabled_metric: [{ category: 'Capacity' }, { category: 'Transaction' }],
  });
  expect(resources(dev)).not.toHaveProperty('azurerm_monitor_diagnostic_setting');
});

test('the account has the given name, or one that depends on the system, the environment and `uniqueIn`', () => {
  expect(resources({ accountName: 'acme01' }).azurerm_storage_account.Account.name).toBe('acme01');
  const names = [resources(), resources({ uniqueIn: 'sub' }), resources({ environment: 'staging' })].map(
    (made) => made.azurerm_storage_account.Account.name,
  );
  expect(new Set(names).size).toBe(3);
});

test('refuses an account name that the app already uses, since account names are globally unique', () => {
  withStack((stack) => {
    new DesignedStorage(stack, 'One', { design: depot, ...needs, accountName: 'acme01' });
    expect(() => new DesignedStorage(stack, 'Two', { design: blog, ...needs, accountName: 'acme01' })).toThrow(
      /^the app already has an account named 'acme01' \(.*One\); give one of the two a different accountName or uniqueIn$/,
    );
    expect(stack.node.tryFindChild('Two')).toBeUndefined();
    new DesignedStorage(stack, 'Three', { design: blog, ...needs });
  });
});

test('an environment without Azure settings gets the Azure settings of prod', () => {
  const { azure: _, ...silent } = { ...environments.dev, name: 'qa' };
  const account = resources({ environment: silent }).azurerm_storage_account.Account;
  expect(account).toMatchObject({ account_replication_type: 'RAGZRS', public_network_access_enabled: false });
});

test('a DynamoDB system gets one warning about differences, and an Azure system gets the warnings of the check', () => {
  const warnings = (props: Partial<DesignedStorageProps>) =>
    withStack((stack) => {
      const { node } = new DesignedStorage(stack, 'Default', { design: depot, ...needs, ...props });
      return node.metadata.filter(({ type }) => type === '@cdktf/warn').map(({ data }) => data);
    });
  expect(warnings({ design: blog })).toEqual([
    expect.stringMatching(
      /^system 'blog' is designed for DynamoDB; on Azure it works differently in \d+ ways; 'npx tablewright portability' lists them$/,
    ),
  ]);
  expect(warnings({})).toEqual([]);
  const Parts = {
    ...depot.tables.Parts,
    entities: {
      Thing: {
        attributes: z.object({ id: z.string(), n: z.int().min(0).max(99) }),
        keys: { PartitionKey: '<id>', RowKey: '<n>-<id>' },
      },
    },
    patterns: {},
  };
  expect(warnings({ design: { ...depot, tables: { Parts }, procedures: {} } })[0]).toMatch(
    /^tables\.Parts\.entities\.Thing\.keys\.RowKey: .*\(fix: /,
  );
});
