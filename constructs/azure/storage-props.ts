import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment, EnvironmentName } from '../environment';

export interface DesignedStorageProps<S extends SystemDesign = SystemDesign> {
  /** An Azure system or a DynamoDB system. The tables and indexes of a DynamoDB system become Azure tables. */
  readonly design: S;
  /** The region, such as `brazilsouth`. */
  readonly location: string;
  /**
   * The environment. It sets the tables' replication, network access, encryption, protection and monitoring, and is
   * part of the account's name.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment | undefined;
  /**
   * The lock of the deployed design and, while a plan is under way, the plan and the step to synthesize.
   * @default - the design is synthesized without regard to the deployed tables
   */
  readonly evolution?: Evolution;
  /**
   * An existing resource group to use.
   * @default - a new resource group, `<system>-<environment>`
   */
  readonly adopt?: { readonly resourceGroup: string };
  /**
   * A value, such as a subscription id, that keeps the account's name globally unique if someone else deploys the same
   * system. The value becomes part of the hash in the account name.
   * @default - only the system and the environment determine the name
   */
  readonly uniqueIn?: string | undefined;
  /** @default - a name derived from the system, the environment and `uniqueIn` */
  readonly accountName?: string | undefined;
  /**
   * Access through a private endpoint in a subnet.
   * @default - none; required if the environment's network is `private`
   */
  readonly privateEndpoint?: PrivateAccess;
  /**
   * Public IPv4 addresses or ranges that may reach the tables, if the environment allows any.
   * @default - none
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * The key that encrypts the tables.
   * @default - a Microsoft-managed key; a key is required if the environment's encryption is `customer-managed`
   */
  readonly encryptionKey?: EncryptionKey;
  /**
   * The Log Analytics workspace that receives a log of every request.
   * @default - none; required if the environment has `diagnostics`
   */
  readonly logAnalyticsWorkspaceId?: string | undefined;
  /** @default - tags with the names of the system and of the environment */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The subnet of the private endpoint, and the DNS zone that resolves the account's name to the endpoint. */
export interface PrivateAccess {
  readonly subnetId: string;
  /**
   * The private DNS zone `privatelink.table.core.windows.net`.
   * @default - another DNS setup resolves the account's name
   */
  readonly privateDnsZoneId?: string | undefined;
}

/** A key in a vault with purge protection and role-based access. */
export interface EncryptionKey {
  /** The key's address without a version, so that the account uses rotated keys: `https://acme.vault.azure.net/keys/tables`. */
  readonly keyId: string;
  /**
   * The key's resource id, on which the account gets a role that lets it use the key:
   * `/subscriptions/…/vaults/acme/keys/tables`.
   */
  readonly resourceId: string;
}
