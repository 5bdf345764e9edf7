import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment, EnvironmentName } from '../environment';

export interface DesignedStorageProps<S extends SystemDesign = SystemDesign> {
  /** An Azure system, or a DynamoDB system, whose tables and indexes become Azure tables. */
  readonly design: S;
  /** The region, such as `brazilsouth`. */
  readonly location: string;
  /**
   * How the tables are replicated, reached, encrypted, protected and watched; part of the account's name.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment | undefined;
  /**
   * What is deployed, and the step of the plan that leads from there to the design.
   * @default - the design is synthesized as it is, whatever is deployed
   */
  readonly evolution?: Evolution;
  /**
   * An existing resource group to use.
   * @default - a new resource group, `<system>-<environment>`
   */
  readonly adopt?: { readonly resourceGroup: string };
  /**
   * Distinguishes the account from those of others who deploy this system, such as the id of a subscription: account names are
   * globally unique. It becomes part of the hash in the name.
   * @default - only the system and the environment
   */
  readonly uniqueIn?: string | undefined;
  /** @default - derived from the system, the environment and `uniqueIn` */
  readonly accountName?: string | undefined;
  /**
   * The subnet from which a private network reaches the tables.
   * @default - none, which only an environment with named addresses allows
   */
  readonly privateEndpoint?: PrivateAccess;
  /**
   * Public IPv4 addresses or ranges that may reach the tables, if the environment allows any.
   * @default - none
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * The key that encrypts the tables.
   * @default - a Microsoft-managed key, which only an environment without customer-managed keys allows
   */
  readonly encryptionKey?: EncryptionKey;
  /**
   * The Log Analytics workspace to log every request to.
   * @default - nothing is logged, which only an environment without diagnostics allows
   */
  readonly logAnalyticsWorkspaceId?: string | undefined;
  /** @default - only the names of the system and the environment */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A subnet, and the zone that turns the account's name into an address in it. */
export interface PrivateAccess {
  readonly subnetId: string;
  /**
   * The private DNS zone `privatelink.table.core.windows.net`.
   * @default - names are resolved differently
   */
  readonly privateDnsZoneId?: string | undefined;
}

/** A key in a vault with purge protection and role-based access. */
export interface EncryptionKey {
  /** Its address without a version, so that the account follows rotations: `https://acme.vault.azure.net/keys/tables`. */
  readonly keyId: string;
  /** Its resource id, on which the account gets the role to use it: `/subscriptions/…/vaults/acme/keys/tables`. */
  readonly resourceId: string;
}
