import {
  TerraformDataSource,
  type TerraformMetaArguments,
  TerraformProvider,
  TerraformResource,
  type TerraformStack,
  Token,
} from 'cdktn';
import type { Construct } from 'constructs';

/**
 * The resources and arguments that this library uses, with Terraform's own names. The provider's generated classes produce the same output (a test
 * compares both), but take 267 MB, and each release works with only one version of cdktn.
 */
type Meta = Pick<TerraformMetaArguments, 'dependsOn' | 'lifecycle'>;

interface Tagged {
  readonly tags?: Readonly<Record<string, string>>;
}

interface Named extends Tagged {
  readonly name: string;
  readonly location: string;
  readonly resource_group_name: string;
}

abstract class AzureResource<A extends object> extends TerraformResource {
  /** The resource's arguments in Terraform. Blocks are objects, and repeated blocks are lists. */
  public attributes: A;

  protected constructor(scope: Construct, id: string, terraformResourceType: string, attributes: A, meta: Meta = {}) {
    // The provider's name, so that cdktn can report a missing provider.
    const terraformGeneratorMetadata = { providerName: terraformResourceType.replace(/_.*/, '') };
    super(scope, id, { terraformResourceType, terraformGeneratorMetadata, ...meta });
    this.attributes = attributes;
  }

  public get id(): string {
    return this.getStringAttribute('id');
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return literal(this.attributes as Record<string, unknown>);
  }

  protected override synthesizeHclAttributes(): never {
    throw new Error(`${this.node.path}: this resource can only be written as JSON; synthesize without hclOutput`);
  }
}

/** Escapes what Terraform would read as code, but not the references that CDK Terrain created. */
export function literal(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [literalText(name), literalValue(value)]),
  );
}

function literalValue(value: unknown): unknown {
  if (typeof value === 'string') return literalText(value);
  if (typeof value !== 'object' || value === null || Token.isUnresolved(value)) return value;
  return Array.isArray(value) ? value.map(literalValue) : literal(value as Record<string, unknown>);
}

function literalText(text: string): string {
  return Token.isUnresolved(text) ? text : text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

export interface ResourceGroupArguments extends Tagged {
  readonly name: string;
  readonly location: string;
}

export class ResourceGroup extends AzureResource<ResourceGroupArguments> {
  public constructor(scope: Construct, id: string, attributes: ResourceGroupArguments, meta?: Meta) {
    super(scope, id, 'azurerm_resource_group', attributes, meta);
  }

  public get name(): string {
    return this.getStringAttribute('name');
  }
}

export interface StorageAccountArguments extends Named {
  readonly account_kind: 'StorageV2';
  readonly account_tier: 'Standard';
  readonly account_replication_type: string;
  readonly shared_access_key_enabled: boolean;
  readonly default_to_oauth_authentication: boolean;
  readonly public_network_access_enabled: boolean;
  readonly allow_nested_items_to_be_public: boolean;
  readonly local_user_enabled: boolean;
  readonly sftp_enabled: boolean;
  readonly cross_tenant_replication_enabled: boolean;
  readonly https_traffic_only_enabled: boolean;
  readonly min_tls_version: 'TLS1_2';
  readonly infrastructure_encryption_enabled: boolean;
  readonly table_encryption_key_type: 'Account';
  readonly network_rules: {
    readonly default_action: 'Deny';
    readonly bypass: readonly string[];
    readonly ip_rules?: readonly string[];
  };
  readonly sas_policy: { readonly expiration_period: string };
  readonly identity?: { readonly type: 'UserAssigned'; readonly identity_ids: readonly string[] };
  readonly customer_managed_key?: { readonly key_vault_key_id: string; readonly user_assigned_identity_id: string };
}

/** A scanner rule that does not apply to this resource, and the reason. */
export interface ScannerSkip {
  readonly id: string;
  readonly comment: string;
}

export class StorageAccount extends AzureResource<StorageAccountArguments> {
  readonly #skip: readonly ScannerSkip[];

  public constructor(
    scope: Construct,
    id: string,
    attributes: StorageAccountArguments,
    { skip = [], ...meta }: Meta & { readonly skip?: readonly ScannerSkip[] } = {},
  ) {
    super(scope, id, 'azurerm_storage_account', attributes, meta);
    this.#skip = skip;
  }

  public get name(): string {
    return this.getStringAttribute('name');
  }

  public get tableEndpoint(): string {
    return this.getStringAttribute('primary_table_endpoint');
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    // Terraform ignores the contents of the key '//'.
    const comment = this.#skip.length === 0 ? {} : { '//': { checkov: { skip: this.#skip } } };
    return { ...super.synthesizeAttributes(), ...comment };
  }
}

export interface AzapiResourceArguments {
  /** The resource type and its API version in Azure Resource Manager. */
  readonly type: string;
  readonly name: string;
  readonly parent_id: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Any Azure resource, managed through the Azure Resource Manager API. */
export class AzapiResource extends AzureResource<AzapiResourceArguments> {
  public constructor(scope: Construct, id: string, attributes: AzapiResourceArguments, meta?: Meta) {
    super(scope, id, 'azapi_resource', attributes, meta);
  }
}

export interface RoleAssignmentArguments {
  readonly scope: string;
  readonly role_definition_name: string;
  readonly principal_id: string;
  readonly principal_type?: 'ServicePrincipal' | 'User' | 'Group';
  readonly description?: string;
}

export class RoleAssignment extends AzureResource<RoleAssignmentArguments> {
  public constructor(scope: Construct, id: string, attributes: RoleAssignmentArguments, meta?: Meta) {
    super(scope, id, 'azurerm_role_assignment', attributes, meta);
  }
}

export interface ManagementLockArguments {
  readonly name: string;
  readonly scope: string;
  readonly lock_level: 'CanNotDelete';
  readonly notes: string;
}

export class ManagementLock extends AzureResource<ManagementLockArguments> {
  public constructor(scope: Construct, id: string, attributes: ManagementLockArguments, meta?: Meta) {
    super(scope, id, 'azurerm_management_lock', attributes, meta);
  }
}

export interface DiagnosticSettingArguments {
  readonly name: string;
  readonly target_resource_id: string;
  readonly log_analytics_workspace_id: string;
  readonly enabled_log: readonly { readonly category: string }[];
  readonly enabled_metric: readonly { readonly category: string }[];
}

export class DiagnosticSetting extends AzureResource<DiagnosticSettingArguments> {
  public constructor(scope: Construct, id: string, attributes: DiagnosticSettingArguments, meta?: Meta) {
    super(scope, id, 'azurerm_monitor_diagnostic_setting', attributes, meta);
  }
}

export interface PrivateEndpointArguments extends Named {
  readonly subnet_id: string;
  readonly private_service_connection: {
    readonly name: string;
    readonly private_connection_resource_id: string;
    readonly subresource_names: readonly string[];
    readonly is_manual_connection: boolean;
  };
  readonly private_dns_zone_group?: { readonly name: string; readonly private_dns_zone_ids: readonly string[] };
}

export class PrivateEndpoint extends AzureResource<PrivateEndpointArguments> {
  public constructor(scope: Construct, id: string, attributes: PrivateEndpointArguments, meta?: Meta) {
    super(scope, id, 'azurerm_private_endpoint', attributes, meta);
  }
}

export class UserAssignedIdentity extends AzureResource<Named> {
  public constructor(scope: Construct, id: string, attributes: Named, meta?: Meta) {
    super(scope, id, 'azurerm_user_assigned_identity', attributes, meta);
  }

  public get principalId(): string {
    return this.getStringAttribute('principal_id');
  }
}

abstract class AzureProvider<A extends object> extends TerraformProvider {
  readonly #attributes: A;

  protected constructor(scope: Construct, name: string, source: string, version: string, attributes: A) {
    super(scope, name, {
      terraformResourceType: name,
      terraformGeneratorMetadata: { providerName: name, providerVersion: version },
      terraformProviderSource: source,
    });
    this.#attributes = attributes;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...(this.#attributes as Record<string, unknown>) };
  }
}

export interface AzurermProviderArguments {
  readonly features: readonly [{ readonly storage: readonly [{ readonly data_plane_available: boolean }] }];
  readonly storage_use_azuread: boolean;
  readonly resource_provider_registrations: 'none';
  readonly subscription_id?: string;
}

export class AzurermProvider extends AzureProvider<AzurermProviderArguments> {
  public constructor(scope: Construct, attributes: AzurermProviderArguments) {
    // Version 5 changed no feature that this library uses.
    super(scope, 'azurerm', 'hashicorp/azurerm', '>= 4.73.0, < 6.0.0', attributes);
  }
}

export interface AzapiProviderArguments {
  readonly subscription_id?: string;
}

export class AzapiProvider extends AzureProvider<AzapiProviderArguments> {
  public constructor(scope: Construct, attributes: AzapiProviderArguments = {}) {
    super(scope, 'azapi', 'Azure/azapi', '~> 2.4', attributes);
  }
}

/** The identity that runs Terraform, and its subscription. */
export class ClientConfig extends TerraformDataSource {
  public constructor(scope: Construct, id: string) {
    super(scope, id, {
      terraformResourceType: 'azurerm_client_config',
      terraformGeneratorMetadata: { providerName: 'azurerm' },
    });
  }

  public get subscriptionId(): string {
    return this.getStringAttribute('subscription_id');
  }
}

export class TimeProvider extends AzureProvider<object> {
  private constructor(stack: TerraformStack) {
    super(stack, 'time', 'hashicorp/time', '~> 0.13', {});
  }

  /** Adds the provider to a stack that does not have it yet. */
  public static addTo(stack: TerraformStack): void {
    const nodes: readonly unknown[] = stack.node.findAll();
    const isThere = nodes.some((node) => node instanceof TerraformProvider && node.terraformResourceType === 'time');
    if (!isThere) new TimeProvider(stack);
  }
}

export interface TimeSleepArguments {
  readonly create_duration: string;
}

/** A resource that waits once, when it is created. */
export class TimeSleep extends AzureResource<TimeSleepArguments> {
  public constructor(scope: Construct, id: string, attributes: TimeSleepArguments, meta?: Meta) {
    super(scope, id, 'time_sleep', attributes, meta);
  }
}
