import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment, EnvironmentName } from '../environment';

export interface DesignedStorageProps<S extends SystemDesign = SystemDesign> {
  /** A system of Azure, or one of DynamoDB, which becomes tables and index tables. */
  readonly design: S;
  /** The region, such as `brazilsouth`. */
  readonly location: string;
  /**
   * How the tables are copied, reached, encrypted, protected and watched; part of their account's name.
   * @default 'prod'
   */
  readonly environment?: EnvironmentName | Environment;
  /**
   * What is deployed, and the step of the plan that leads from it to the design.
   * @default - the design is synthesized as it is, whatever is deployed
   */
  readonly evolution?: Evolution;
  /**
   * What exists already and is not made here.
   * @default - a resource group `<system>-<environment>` is made
   */
  readonly adopt?: { readonly resourceGroup: string };
  /**
   * What sets the account apart from those of everyone else who deploys this system, such as the id of a subscription:
   * account names are unique in the world. It becomes part of the hash in the name.
   * @default - the system and the environment alone
   */
  readonly uniqueIn?: string;
  /** @default - made of the system, the environment and `uniqueIn` */
  readonly accountName?: string;
  /**
   * Where the tables are reached from a private network.
   * @default - nowhere, which only an environment with named addresses allows
   */
  readonly privateEndpoint?: PrivateAccess;
  /**
   * Public IPv4 addresses or ranges that may reach the tables, where the environment allows any.
   * @default - none
   */
  readonly allowedAddresses?: readonly string[];
  /**
   * The key that encrypts the tables.
   * @default - one of Microsoft's, which only an environment without customer-managed keys allows
   */
  readonly encryptionKey?: EncryptionKey;
  /**
   * The Log Analytics workspace that every request is logged to.
   * @default - nothing is logged, which only an environment without diagnostics allows
   */
  readonly logAnalyticsWorkspaceId?: string;
  /** @default - the names of the system and the environment alone */
  readonly tags?: Readonly<Record<string, string>>;
}

/** A subnet, and the zone that turns the account's name into an address in it. */
export interface PrivateAccess {
  readonly subnetId: string;
  /**
   * The private DNS zone `privatelink.table.core.windows.net`.
   * @default - names are resolved by some other means
   */
  readonly privateDnsZoneId?: string;
}

/** A key in a vault with purge protection and role-based access. */
export interface EncryptionKey {
  /** Its address without a version, so that its rotation is followed: `https://acme.vault.azure.net/keys/tables`. */
  readonly keyId: string;
  /** Its id as a resource, on which the account is given the right to use it: `/subscriptions/…/vaults/acme/keys/tables`. */
  readonly resourceId: string;
}
