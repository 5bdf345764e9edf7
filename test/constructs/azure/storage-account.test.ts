import { DesignedStorage } from '../../../constructs/azure';
import { accountArguments, SCANNER_SKIPS } from '../../../constructs/azure/storage-account';
import { type EnvironmentName, environments } from '../../../constructs/environment';
import { depot, needs } from '../../fixtures/azure';
import { terraformIn } from '../../support/terraform';

const place = { name: 'acme', location: 'brazilsouth', resource_group_name: 'g' };
const encryption = { keyId: 'https://acme.vault.azure.net/keys/tables', identityId: 'id' };
const account = (name: EnvironmentName) =>
  accountArguments(environments[name], { ...place, allowedAddresses: ['203.0.113.7'], encryption });

test.each(['dev', 'staging', 'prod'] as const)(
  'every setting with an unsafe default is set explicitly in %s',
  (name) => {
    expect(account(name)).toMatchObject({
      shared_access_key_enabled: false,
      default_to_oauth_authentication: true,
      local_user_enabled: false,
      sftp_enabled: false,
      allow_nested_items_to_be_public: false,
      cross_tenant_replication_enabled: false,
      https_traffic_only_enabled: true,
      min_tls_version: 'TLS1_2',
      infrastructure_encryption_enabled: true,
      table_encryption_key_type: 'Account',
      network_rules: { default_action: 'Deny', bypass: ['AzureServices'] },
    });
  },
);

test('the environment determines the replication', () => {
  const copies = (['dev', 'staging', 'prod'] as const).map((name) => account(name).account_replication_type);
  expect(copies).toEqual(['LRS', 'ZRS', 'RAGZRS']);
});

test('only dev accepts requests from the internet, and only from allowed addresses', () => {
  expect(account('dev')).toMatchObject({
    public_network_access_enabled: true,
    network_rules: { ip_rules: ['203.0.113.7'] },
  });
  for (const name of ['staging', 'prod'] as const) {
    expect(account(name).public_network_access_enabled).toBe(false);
    expect(account(name).network_rules).not.toHaveProperty('ip_rules');
  }
});

test('the account uses the customer-managed key through its own identity', () => {
  expect(account('prod')).toMatchObject({
    identity: { type: 'UserAssigned', identity_ids: ['id'] },
    customer_managed_key: { key_vault_key_id: encryption.keyId, user_assigned_identity_id: 'id' },
  });
  expect(accountArguments(environments.dev, { ...place, allowedAddresses: [] })).not.toHaveProperty('identity');
});

/**
 * The rules of checkov 3.3 for a storage account in Terraform JSON. Running checkov itself on prod's JSON gives the
 * same results. checkov cannot parse JSON with `required_version` under `terraform`: it prints only a hint, and skips
 * every check.
 */
describe('scanner rules', () => {
  const json = terraformIn((stack) => void new DesignedStorage(stack, 'Default', { design: depot, ...needs }));
  const { Account } = json.resource.azurerm_storage_account;
  const endpoints = Object.values(json.resource.azurerm_private_endpoint) as {
    private_service_connection: { private_connection_resource_id: string };
  }[];

  test.each([
    ['CKV_AZURE_3 https only', Account.https_traffic_only_enabled, true],
    ['CKV_AZURE_35 the network is closed by default', Account.network_rules.default_action, 'Deny'],
    ['CKV_AZURE_36 trusted services have access', Account.network_rules.bypass, ['AzureServices']],
    ['CKV_AZURE_43 the name is valid', /^[a-z0-9]{3,24}$/.test(Account.name), true],
    ['CKV_AZURE_44 TLS 1.2', Account.min_tls_version, 'TLS1_2'],
    ['CKV_AZURE_59 no public network', Account.public_network_access_enabled, false],
    ['CKV_AZURE_190 blobs cannot be public', Account.allow_nested_items_to_be_public, false],
    ['CKV_AZURE_206 the data is replicated', Account.account_replication_type, 'RAGZRS'],
    ['CKV_AZURE_244 no local users', Account.local_user_enabled, false],
    ['CKV2_AZURE_1 a customer-managed key', Account.customer_managed_key.key_vault_key_id, needs.encryptionKey.keyId],
    [
      'CKV2_AZURE_33 a private endpoint',
      endpoints.map((endpoint) => endpoint.private_service_connection.private_connection_resource_id),
      Array(2).fill(`\${azurerm_storage_account.Account.id}`),
    ],
    ['CKV2_AZURE_40 no shared key', Account.shared_access_key_enabled, false],
    ['CKV2_AZURE_41 signed access expires', Account.sas_policy.expiration_period, '00.01:00:00'],
    ['CKV2_AZURE_47 no anonymous access to blobs', Account.allow_nested_items_to_be_public, false],
  ])('an account in prod meets the scanner rule %s', (_, got, expected) => {
    expect(got).toEqual(expected);
  });

  test('every skipped scanner rule has a reason in the JSON', () => {
    expect(Account['//'].checkov.skip).toEqual(SCANNER_SKIPS);
    expect(SCANNER_SKIPS.map(({ id }) => id)).toEqual(['CKV_AZURE_33', 'CKV2_AZURE_38']);
    expect(SCANNER_SKIPS.every(({ comment }) => comment.includes('the account holds only tables'))).toBe(true);
  });
});
