import { Fn, type ITerraformDependable, TerraformStack } from 'cdktn';
import type { Construct } from 'constructs';
import { onAzure } from '../azure-environment';
import type { Environment } from '../environment';
import {
  AzapiResource,
  ClientConfig,
  DiagnosticSetting,
  ManagementLock,
  PrivateEndpoint,
  ResourceGroup,
  RoleAssignment,
  StorageAccount,
  TimeProvider,
  TimeSleep,
  UserAssignedIdentity,
} from './resources';
import { accountArguments, SCANNER_SKIPS } from './storage-account';
import type { DesignedStorageProps, EncryptionKey, PrivateAccess } from './storage-props';

/** The type of tables in the Azure Resource Manager API, with the API version. */
const TABLE_TYPE = 'Microsoft.Storage/storageAccounts/tableServices/tables@2023-05-01';

/** The arguments that all resources of an account share. */
export interface Place {
  readonly location: string;
  readonly resource_group_name: string;
  readonly tags: Readonly<Record<string, string>>;
}

export function placeOf(scope: Construct, props: DesignedStorageProps, { name }: Environment): Place {
  const { design, location, adopt } = props;
  const tags = { system: design.name, environment: name, ...props.tags };
  const group =
    adopt?.resourceGroup ?? new ResourceGroup(scope, 'Group', { name: `${design.name}-${name}`, location, tags }).name;
  return { location, resource_group_name: group, tags };
}

export function accountOf(
  scope: Construct,
  name: string,
  place: Place,
  { encryptionKey, allowedAddresses = [] }: DesignedStorageProps,
  environment: Environment,
): StorageAccount {
  const use = encryptionKey && keyUse(scope, name, place, encryptionKey);
  const options = { ...place, name, allowedAddresses, ...(use === undefined ? {} : { encryption: use.encryption }) };
  return new StorageAccount(scope, 'Account', accountArguments(environment, options), {
    ...lifecycle(environment),
    ...(use === undefined ? {} : { dependsOn: [use.settled] }),
    skip: SCANNER_SKIPS,
  });
}

/** The time that Azure may need to propagate a new role assignment. */
const SETTLED_IN = '120s';

/**
 * Creates an identity for the account. The identity has permission only to use the key. If the account could not use
 * the key, `terraform plan` fails, so that `terraform apply` does not fail halfway. The account is created only once
 * the role assignment has propagated.
 */
function keyUse(scope: Construct, name: string, place: Place, { keyId, resourceId }: EncryptionKey) {
  const identity = new UserAssignedIdentity(scope, 'Identity', { ...place, name: `${name}-key` });
  const right = new RoleAssignment(
    scope,
    'KeyUse',
    {
      scope: resourceId,
      role_definition_name: 'Key Vault Crypto Service Encryption User',
      principal_id: identity.principalId,
      principal_type: 'ServicePrincipal',
    },
    { lifecycle: { precondition: keyConditions(scope, { keyId, resourceId }) } },
  );
  TimeProvider.addTo(TerraformStack.of(scope));
  const settled = new TimeSleep(scope, 'KeyUseSettled', { create_duration: SETTLED_IN }, { dependsOn: [right] });
  return { encryption: { keyId, identityId: identity.id }, settled };
}

/** The conditions on a key, as Terraform expressions, because the key may be unknown until Terraform runs. */
function keyConditions(scope: Construct, { keyId, resourceId }: EncryptionKey) {
  const { subscriptionId } = new ClientConfig(scope, 'Applier');
  const id = Fn.lower(resourceId);
  // Turns `https://<vault>.vault.azure.net/keys/<name>` into `/<vault>/keys/<name>`.
  const path = Fn.lower(Fn.replace(keyId, '/^https:[/][/]([^./]+)[^/]*/', '/$1'));
  return [
    {
      condition: Fn.startswith(id, Fn.lower(Fn.join('', ['/subscriptions/', subscriptionId, '/']))),
      errorMessage:
        'The key must be in a vault of the subscription you deploy to: the provider does not look in other subscriptions.',
    },
    {
      condition: Fn.endswith(id, path),
      errorMessage: "The key's address and its resource id must refer to the same key in the same vault.",
    },
  ];
}

/**
 * Creates tables through the Azure Resource Manager API, because azurerm's table resource needs account keys, which are
 * disabled.
 */
export function tableOf(
  scope: Construct,
  name: string,
  { id }: StorageAccount,
  environment: Environment,
): AzapiResource {
  const table = { type: TABLE_TYPE, name, parent_id: `${id}/tableServices/default`, body: { properties: {} } };
  return new AzapiResource(scope, `Table-${name}`, table, lifecycle(environment));
}

export function endpointsOf(
  scope: Construct,
  { id, attributes: { name: account } }: StorageAccount,
  place: Place,
  access: PrivateAccess,
  environment: Environment,
): readonly PrivateEndpoint[] {
  const canReadSecondary = onAzure(environment).replication.startsWith('RA');
  return (canReadSecondary ? ['table', 'table_secondary'] : ['table']).map((subresource) => {
    const name = `${account}-${subresource.replace('_', '-')}`;
    return new PrivateEndpoint(scope, `Endpoint-${subresource}`, {
      ...place,
      name,
      subnet_id: access.subnetId,
      private_service_connection: {
        name,
        private_connection_resource_id: id,
        subresource_names: [subresource],
        is_manual_connection: false,
      },
      ...(access.privateDnsZoneId === undefined
        ? {}
        : { private_dns_zone_group: { name: 'default', private_dns_zone_ids: [access.privateDnsZoneId] } }),
    });
  });
}

export function diagnosticsOf(
  scope: Construct,
  { id, attributes }: StorageAccount,
  log_analytics_workspace_id: string,
): DiagnosticSetting {
  return new DiagnosticSetting(scope, 'Diagnostics', {
    name: `${attributes.name}-tables`,
    target_resource_id: `${id}/tableServices/default`,
    log_analytics_workspace_id,
    enabled_log: [{ category: 'StorageRead' }, { category: 'StorageWrite' }, { category: 'StorageDelete' }],
    // Lists each metric by name, because with 'AllMetrics' Terraform would show a change in every plan.
    enabled_metric: [{ category: 'Capacity' }, { category: 'Transaction' }],
  });
}

export function lockOf(scope: Construct, { id, attributes }: StorageAccount, dependsOn: ITerraformDependable[]) {
  const notes = "This account holds a system's tables. Remove this lock before you delete the account or a table.";
  const lock = { name: `${attributes.name}-keep`, scope: id, lock_level: 'CanNotDelete', notes } as const;
  // The lock depends on every other resource in the account, so Terraform destroys it first.
  return new ManagementLock(scope, 'Lock', lock, { dependsOn });
}

function lifecycle({ protectData }: Environment) {
  return protectData ? { lifecycle: { preventDestroy: true } } : {};
}
