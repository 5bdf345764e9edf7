import { TerraformVariable } from 'cdktn';
import { DesignedStorage, type DesignedStorageProps, environments } from '../../../constructs/azure';
import { blog } from '../../../lib/systems';
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

test('there is one table for each of the design, made without the key of the account', () => {
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

test('a system of DynamoDB becomes tables, index tables, mirrors and the records of transactions', () => {
  const tables = Object.values(resources({ design: blog }).azapi_resource) as TerraformJson[];
  expect(tables.map(({ name }) => name).sort()).toEqual([
    ...['Transactions', 'blog', 'blogGSI1', 'blogGSI1Descending', 'blogGSI2', 'blogGSI2Descending', 'blogGSI3'],
    'blogGSI3Descending',
  ]);
});

test('a resource group is made, named for the system and the environment', () => {
  expect(resources().azurerm_resource_group.Group).toMatchObject({ name: 'depot-prod', location: 'brazilsouth' });
  expect(resources().azurerm_storage_account.Account.resource_group_name).toBe(`\${azurerm_resource_group.Group.name}`);
});

test('or one that exists is used', () => {
  const adopted = resources({ adopt: { resourceGroup: 'acme-data' } });
  expect(adopted).not.toHaveProperty('azurerm_resource_group');
  expect(adopted.azurerm_storage_account.Account.resource_group_name).toBe('acme-data');
  expect(adopted.azurerm_private_endpoint['Endpoint-table'].resource_group_name).toBe('acme-data');
});

test('all that can have tags has them, so that a bill can be read by system and environment', () => {
  const made = resources({ tags: { team: 'data' } });
  for (const type of ['resource_group', 'storage_account', 'private_endpoint', 'user_assigned_identity']) {
    for (const { tags } of Object.values(made[`azurerm_${type}`]) as TerraformJson[]) {
      expect(tags).toEqual({ system: 'depot', environment: 'prod', team: 'data' });
    }
  }
});

describe('where data is protected', () => {
  test('a lock keeps the account, and is the first to go', () => {
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

  test('Terraform refuses to plan the end of the account or of a table', () => {
    const made = resources();
    const kept = [made.azurerm_storage_account.Account, ...(Object.values(made.azapi_resource) as TerraformJson[])];
    expect(kept.map(({ lifecycle }) => lifecycle)).toEqual(kept.map(() => ({ prevent_destroy: true })));
  });

  test('economy is locked and protected too, with nothing in it that costs money by itself', () => {
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

  test('but dev is easy to throw away', () => {
    const made = resources(dev);
    expect(made).not.toHaveProperty('azurerm_management_lock');
    expect(JSON.stringify(made)).not.toContain('prevent_destroy');
  });
});

describe('a private endpoint', () => {
  test('is there for the tables, and for the copy that can be read', () => {
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

  test('is one where the copy cannot be read', () => {
    expect(Object.keys(resources({ environment: 'staging' }).azurerm_private_endpoint)).toEqual(['Endpoint-table']);
  });

  test('has no zone where names are resolved by other means', () => {
    const { subnetId } = needs.privateEndpoint;
    const made = resources({ privateEndpoint: { subnetId } });
    expect(made.azurerm_private_endpoint['Endpoint-table']).not.toHaveProperty('private_dns_zone_group');
  });

  test('is not there in dev, unless it is given', () => {
    expect(resources(dev)).not.toHaveProperty('azurerm_private_endpoint');
    expect(resources({ ...dev, privateEndpoint: needs.privateEndpoint })).toHaveProperty('azurerm_private_endpoint');
  });
});

test('the key can be used before the account is made, by an identity that can do nothing else', () => {
  const made = resources();
  expect(made.azurerm_role_assignment.KeyUse).toMatchObject({
    scope: needs.encryptionKey.resourceId,
    role_definition_name: 'Key Vault Crypto Service Encryption User',
    principal_id: `\${azurerm_user_assigned_identity.Identity.principal_id}`,
  });
  // A right that was given is not heeded everywhere at once.
  expect(made.azurerm_storage_account.Account.depends_on).toEqual(['time_sleep.KeyUseSettled']);
  expect(made.time_sleep.KeyUseSettled).toMatchObject({
    create_duration: '120s',
    depends_on: ['azurerm_role_assignment.KeyUse'],
  });
  for (const kind of ['azurerm_user_assigned_identity', 'time_sleep']) expect(resources(dev)).not.toHaveProperty(kind);
});

test('a key that the account could not use is refused by the plan, whatever Terraform alone knows of it', () => {
  const [subscription, key] = resources().azurerm_role_assignment.KeyUse.lifecycle.precondition;
  const id = `lower("${needs.encryptionKey.resourceId}")`;
  const applier = 'data.azurerm_client_config.Applier.subscription_id';
  expect(subscription.condition).toBe(`\${startswith(${id}, lower(join("", ["/subscriptions/", ${applier}, "/"])))}`);
  expect(key.condition).toBe(
    `\${endswith(${id}, lower(replace("${needs.encryptionKey.keyId}", "/^https:[/][/]([^./]+)[^/]*/", "/$1")))}`,
  );
});

test('what Terraform would read as code is text in names and tags', () => {
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
  // Nothing is code but references to what is in the stack.
  const code = JSON.stringify(made).replaceAll('$${', '').replaceAll('%%{', '');
  for (const [, start] of code.matchAll(/[$%]\{(\w+)/g)) expect(start).toMatch(/^(azurerm_|data|startswith|endswith)/);
});

test('a reference of the user is still one, in a tag as well', () => {
  const { resource } = terraformIn((stack) => {
    const owner = new TerraformVariable(stack, 'owner', { type: 'string' });
    new DesignedStorage(stack, 'Default', { design: depot, ...needs, tags: { owner: owner.stringValue } });
  });
  expect(resource.azurerm_storage_account.Account.tags).toHaveProperty('owner', `\${var.owner}`);
});

test('every read, write and delete of tables is logged, and metrics by their names', () => {
  expect(resources().azurerm_monitor_diagnostic_setting.Diagnostics).toMatchObject({
    target_resource_id: `${account}/tableServices/default`,
    log_analytics_workspace_id: needs.logAnalyticsWorkspaceId,
    enabled_log: [{ category: 'StorageRead' }, { category: 'StorageWrite' }, { category: 'StorageDelete' }],
    enabled_metric: [{ category: 'Capacity' }, { category: 'Transaction' }],
  });
  expect(resources(dev)).not.toHaveProperty('azurerm_monitor_diagnostic_setting');
});

test('the account has the name that it is given, or one of its own', () => {
  expect(resources({ accountName: 'acme01' }).azurerm_storage_account.Account.name).toBe('acme01');
  const names = [resources(), resources({ uniqueIn: 'sub' }), resources({ environment: 'staging' })].map(
    (made) => made.azurerm_storage_account.Account.name,
  );
  expect(new Set(names).size).toBe(3);
});

test('an account that is in the app already is refused, since names are unique in the world', () => {
  withStack((stack) => {
    new DesignedStorage(stack, 'One', { design: depot, ...needs, accountName: 'acme01' });
    expect(() => new DesignedStorage(stack, 'Two', { design: blog, ...needs, accountName: 'acme01' })).toThrow(
      /^account 'acme01' is in the app twice \(.*One\); give one of them another accountName, or uniqueIn$/,
    );
    expect(stack.node.tryFindChild('Two')).toBeUndefined();
    new DesignedStorage(stack, 'Three', { design: blog, ...needs });
  });
});

test('an environment that says nothing of Azure is as safe there as prod', () => {
  const { azure: _, ...silent } = { ...environments.dev, name: 'qa' };
  const account = resources({ environment: silent }).azurerm_storage_account.Account;
  expect(account).toMatchObject({ account_replication_type: 'RAGZRS', public_network_access_enabled: false });
});

test('one line warns of what differs, and an Azure system has the warnings of the check', () => {
  const warnings = (props: Partial<DesignedStorageProps>) =>
    withStack((stack) => {
      const { node } = new DesignedStorage(stack, 'Default', { design: depot, ...needs, ...props });
      return node.metadata.filter(({ type }) => type === '@cdktf/warn').map(({ data }) => data);
    });
  expect(warnings({ design: blog })).toEqual([
    expect.stringMatching(
      /^system 'blog' is designed for DynamoDB; on Azure it differs in \d+ ways: npx tablewright portability$/,
    ),
  ]);
  expect(warnings({})).toEqual([]);
  const Parts = {
    ...depot.tables.Parts,
    entities: { Thing: { ...depot.tables.Parts.entities.Thing, keys: { PartitionKey: 'ALL', RowKey: '<id>' } } },
    patterns: {},
  };
  expect(warnings({ design: { ...depot, tables: { Parts }, procedures: {} } })[0]).toMatch(
    /^tables\.Parts\.entities\.Thing\.keys\.PartitionKey: .*\(fix: /,
  );
});
