import { onAzure } from '../azure-environment';
import type { Environment } from '../environment';
import type { ScannerSkip, StorageAccountArguments } from './resources';

/** Scanner rules that are skipped, because they are about blobs or queues and this account has neither. */
export const SCANNER_SKIPS: readonly ScannerSkip[] = [
  {
    id: 'CKV_AZURE_33',
    comment: 'Queue logging: the account holds only tables, whose requests are logged by a diagnostic setting',
  },
  {
    id: 'CKV2_AZURE_38',
    comment: 'Blob soft delete: the account holds only tables, which lack it; locks and exports protect them',
  },
];

interface AccountOptions extends Pick<StorageAccountArguments, 'name' | 'location' | 'resource_group_name' | 'tags'> {
  readonly allowedAddresses: readonly string[];
  readonly encryption?: { readonly keyId: string; readonly identityId: string };
}

/**
 * Returns the arguments for a storage account that holds tables. Sets everything whose default is unsafe; only the
 * environment can relax a setting.
 */
export function accountArguments(environment: Environment, options: AccountOptions): StorageAccountArguments {
  const { name, location, resource_group_name, tags, allowedAddresses, encryption } = options;
  const { replication, network } = onAzure(environment);
  return {
    name,
    location,
    resource_group_name,
    account_kind: 'StorageV2',
    account_tier: 'Standard',
    account_replication_type: replication,
    // Only identities with a role have access. Account keys, and SAS tokens signed with them, are refused.
    shared_access_key_enabled: false,
    default_to_oauth_authentication: true,
    local_user_enabled: false,
    sftp_enabled: false,
    sas_policy: { expiration_period: '00.01:00:00' },
    public_network_access_enabled: network === 'named-addresses',
    network_rules: {
      default_action: 'Deny',
      bypass: ['AzureServices'],
      ...(network === 'named-addresses' ? { ip_rules: allowedAddresses } : {}),
    },
    allow_nested_items_to_be_public: false,
    cross_tenant_replication_enabled: false,
    https_traffic_only_enabled: true,
    min_tls_version: 'TLS1_2',
    infrastructure_encryption_enabled: true,
    // By default, Azure encrypts blobs and files with a customer-managed key, but not tables. `table_encryption_key_type` can be set only when the
    // account is created.
    table_encryption_key_type: 'Account',
    ...(encryption === undefined
      ? {}
      : {
          identity: { type: 'UserAssigned', identity_ids: [encryption.identityId] },
          customer_managed_key: {
            key_vault_key_id: encryption.keyId,
            user_assigned_identity_id: encryption.identityId,
          },
        }),
    ...(tags === undefined ? {} : { tags }),
  };
}
