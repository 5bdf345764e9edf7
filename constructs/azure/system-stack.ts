import {
  AzurermBackend,
  type AzurermBackendConfig,
  TerraformOutput,
  TerraformStack,
  TerraformVariable,
  Token,
} from 'cdktn';
import type { Construct } from 'constructs';
import type { SystemDesign } from '../../lib/design/system';
import { onAzure } from '../azure-environment';
import { environmentOf } from '../environment';
import { addArtefacts } from './artefacts';
import { DesignedStorage } from './designed-storage';
import { stagedOf } from './evolution';
import { REGIONS } from './locations';
import { assertMakeable, TABLE_ZONE } from './problems';
import { AzapiProvider, AzurermProvider, literal } from './resources';
import type { DesignedStorageProps } from './storage-props';

export interface SystemStackProps<S extends SystemDesign = SystemDesign>
  extends Omit<DesignedStorageProps<S>, 'location'> {
  /** @default - the Terraform variable `location` */
  readonly location?: string | undefined;
  /** @default - the value of `ARM_SUBSCRIPTION_ID` when Terraform runs */
  readonly subscriptionId?: string | undefined;
  /**
   * The backend where Terraform keeps its state.
   * @default - the blob `<stack>.tfstate`; pass all other settings to `terraform init -backend-config=…`
   */
  readonly backend?: Partial<AzurermBackendConfig>;
}

/**
 * A stack with one system in one environment, ready for `terraform apply`: providers, state, and the names of the
 * account and its tables as outputs. If the environment needs a value that is missing from the props, the value becomes
 * a Terraform variable.
 */
export class SystemStack<S extends SystemDesign = SystemDesign> extends TerraformStack {
  public readonly storage: DesignedStorage<S>;

  public constructor(scope: Construct, id: string, props: SystemStackProps<S>) {
    assertMakeable({ ...props, ...needed(props, PLACEHOLDERS) });
    stagedOf(props.design, environmentOf(props.environment), props.evolution);
    super(scope, id);
    const { subscriptionId, backend, ...rest } = props;
    addProviders(this, subscriptionId);
    const state = { key: `${id}.tfstate`, useAzureadAuth: true, ...backend };
    new AzurermBackend(this, literal(state) as unknown as AzurermBackendConfig);
    this.storage = new DesignedStorage(this, 'Default', {
      ...rest,
      ...needed(props, variablesOf(this, subscriptionId)),
    });
    addArtefacts(this, props.design);
    new TerraformOutput(this, 'account_name', { value: this.storage.account.name });
    new TerraformOutput(this, 'table_endpoint', { value: this.storage.account.tableEndpoint });
    new TerraformOutput(this, 'table_names', { value: this.storage.tableNames });
  }
}

function addProviders(stack: TerraformStack, subscriptionId: string | undefined): void {
  const subscription = subscriptionId === undefined ? {} : { subscription_id: subscriptionId };
  new AzurermProvider(stack, {
    // All changes use Azure's management API, because Terraform seldom runs in the private network.
    features: [{ storage: [{ data_plane_available: false }] }],
    storage_use_azuread: true,
    // Without this setting, Terraform would register resource providers such as Microsoft.Storage. Registration
    // requires rights on the whole subscription, and is necessary only once.
    resource_provider_registrations: 'none',
    ...subscription,
  });
  new AzapiProvider(stack, subscription);
}

type Needed = Pick<
  DesignedStorageProps,
  'location' | 'privateEndpoint' | 'allowedAddresses' | 'encryptionKey' | 'logAnalyticsWorkspaceId'
>;

/** Supplies each value that the environment needs but the props lack. */
type Source = { readonly [N in keyof Needed]-?: () => NonNullable<Needed[N]> };

/** Returns the location, and each value that the environment needs but the props lack, taken from `missing`. */
function needed(props: SystemStackProps, missing: Source): Needed {
  const environment = environmentOf(props.environment);
  const { network, diagnostics } = onAzure(environment);
  return {
    location: props.location ?? missing.location(),
    ...(network === 'private' && props.privateEndpoint === undefined
      ? { privateEndpoint: missing.privateEndpoint() }
      : {}),
    ...(network === 'named-addresses' && props.allowedAddresses === undefined
      ? { allowedAddresses: missing.allowedAddresses() }
      : {}),
    ...(environment.encryption === 'customer-managed' && props.encryptionKey === undefined
      ? { encryptionKey: missing.encryptionKey() }
      : {}),
    ...(diagnostics && props.logAnalyticsWorkspaceId === undefined
      ? { logAnalyticsWorkspaceId: missing.logAnalyticsWorkspaceId() }
      : {}),
  };
}

const ID = '/subscriptions/x/resourceGroups/x/providers/x';

/** Placeholder values for validation, which runs before the stack exists and can declare variables. */
const PLACEHOLDERS: Source = {
  location: () => 'brazilsouth',
  privateEndpoint: () => ({ subnetId: ID }),
  allowedAddresses: () => [],
  // A token, because the key's subscription is unknown until Terraform reads the variable.
  encryptionKey: () => ({ keyId: 'https://x/keys/x', resourceId: Token.asString({ id: ID }) }),
  logAnalyticsWorkspaceId: () => ID,
};

const ADDRESSES = 'Public IPv4 addresses, or ranges from /16 to /30, that may reach the tables';
const PUBLIC = '^([0-9]{1,3}[.]){3}[0-9]{1,3}(/(1[6-9]|2[0-9]|30))?$';
const PRIVATE = '^(0|10|127|192[.]168|172[.](1[6-9]|2[0-9]|3[01]))[.]';

function variablesOf(stack: TerraformStack, subscriptionId = '.+'): Source {
  const text = (
    name: string,
    description: string,
    form: string,
    condition = `\${can(regex("${form}", var.${name}))}`,
  ) => {
    const validation = [{ condition, errorMessage: `${name} must be: ${description}` }];
    return new TerraformVariable(stack, name, { type: 'string', nullable: false, description, validation }).stringValue;
  };
  const id = (name: string, description: string, form: string, subscription = '.+') =>
    text(name, description, `^/subscriptions/${subscription}/.*${form}$`);
  return {
    location: () => {
      const isRegion = `\${can(regex("^(${REGIONS.join('|')})$", lower(replace(var.location, " ", ""))))}`;
      return text('location', 'The Azure region, such as brazilsouth', '', isRegion);
    },
    privateEndpoint: () => ({
      subnetId: id('subnet_id', "The id of the subnet for the tables' private endpoint", 'subnets/[^/]+'),
      privateDnsZoneId: id(
        'private_dns_zone_id',
        'The id of the private DNS zone privatelink.table.core.windows.net',
        TABLE_ZONE,
      ),
    }),
    allowedAddresses: () =>
      new TerraformVariable(stack, 'allowed_addresses', {
        type: 'list(string)',
        nullable: false,
        default: [],
        description: ADDRESSES,
        validation: [
          {
            condition: `\${alltrue([for one in var.allowed_addresses : can(regex("${PUBLIC}", one)) && !can(regex("${PRIVATE}", one))])}`,
            errorMessage: `allowed_addresses must be: ${ADDRESSES}`,
          },
        ],
      }).listValue,
    encryptionKey: () => ({
      keyId: text(
        'key_vault_key_id',
        'The address of the key that encrypts the tables, without its version: https://<vault>.vault.azure.net/keys/<name>',
        '^https://[^/]+/keys/[^/]+$',
      ),
      resourceId: id(
        'key_vault_key_resource_id',
        'The resource id of the key that encrypts the tables (its vault must be in the subscription you deploy to, and readable by whoever runs terraform apply): /subscriptions/…/vaults/<vault>/keys/<name>',
        'keys/[^/]+',
        subscriptionId,
      ),
    }),
    logAnalyticsWorkspaceId: () =>
      id(
        'log_analytics_workspace_id',
        'The id of the Log Analytics workspace that receives the logs',
        'workspaces/[^/]+',
      ),
  };
}
