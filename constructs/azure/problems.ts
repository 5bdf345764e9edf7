import { Token } from 'cdktn';
import { azureTables } from '../../lib/azure-tables/equivalents/tables';
import { assertDesign, check } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { onAzure } from '../azure-environment';
import { type Environment, environmentOf } from '../environment';
import { ACCOUNT_NAME } from './account-name';
import { isRegion, regionLike } from './locations';
import type { DesignedStorageProps, EncryptionKey } from './storage-props';

/** A reason to refuse the props. */
interface Problem {
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

/** Refuses invalid props before creating a construct. The error lists all problems at once. */
export function assertMakeable(props: DesignedStorageProps & { readonly subscriptionId?: string }): void {
  assertDesign(props.design);
  const environment = environmentOf(props.environment);
  const problems = [
    ...ofDesign(props),
    ...ofNames(props, environment),
    ...ofNeeds(props, environment),
    ...ofSubscription(props.subscriptionId),
    ...ofKey(props.encryptionKey, props.subscriptionId),
  ];
  if (problems.length === 0) return;
  const count = counted(problems.length, 'problem');
  const lines = problems.map(({ path, message, fix }) => `  ${path}: ${message}\n    fix: ${fix}`);
  throw new Error([`storage of system '${props.design.name}' (${environment.name}) has ${count}`, ...lines].join('\n'));
}

function* ofDesign({ design }: DesignedStorageProps): Iterable<Problem> {
  for (const { severity, path, message, fix } of check(design)) {
    if (severity === 'error') yield { path: `design.${path}`, message, fix };
  }
  const tables = azureTables(design);
  const twice = tables.filter(({ name }, i) => tables.findIndex((other) => isSame(other.name, name)) !== i);
  for (const { table, name } of twice) {
    const message = `'${name}' is the name of another table except for case, which Azure ignores in table names`;
    yield { path: `design.tables.${table}`, message, fix: 'rename one of these tables' };
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
const isKnown = (value: string | undefined): value is string => value !== undefined && !Token.isUnresolved(value);

function* ofNames(
  { design, location, accountName, adopt }: DesignedStorageProps,
  { name }: Environment,
): Iterable<Problem> {
  if (isKnown(accountName) && !ACCOUNT_NAME.form.test(accountName)) {
    const message = `'${accountName}' is not a valid name for a storage account`;
    yield { path: 'accountName', message, fix: `use ${ACCOUNT_NAME.words}, or omit accountName` };
  }
  if (isKnown(location) && !isRegion(location)) {
    const fix = `write '${regionLike(location)}', or another region (az account list-locations --output table)`;
    yield { path: 'location', message: `'${location}' is not an Azure region`, fix };
  }
  const group = adopt?.resourceGroup ?? `${design.name}-${name}`;
  if (isKnown(group) && !/^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u.test(group)) {
    yield {
      path: adopt === undefined ? 'design.name' : 'adopt.resourceGroup',
      message: `'${group}' is not a valid name for a resource group`,
      fix: 'use 1 to 90 letters, digits and _ ( ) . -, not ending with a period',
    };
  }
}

/** The format of subscription ids and principal ids. */
export const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function* ofSubscription(id: string | undefined): Iterable<Problem> {
  if (!isKnown(id) || GUID.test(id)) return;
  const fix =
    "write the subscription's id, such as '11111111-2222-3333-4444-555555555555' (az account show --query id)";
  yield { path: 'subscriptionId', message: `'${id}' is not a subscription id`, fix };
}

/**
 * Reports a key in another subscription, where the provider does not find it, and a key whose address and resource id
 * do not match.
 */
function* ofKey(key: EncryptionKey | undefined, subscriptionId: string | undefined): Iterable<Problem> {
  if (key === undefined || !isKnown(key.resourceId)) return;
  const [, subscription] = /^\/subscriptions\/([^/]+)\//i.exec(key.resourceId) ?? [];
  if (subscription !== undefined && isKnown(subscriptionId) && !isSame(subscription, subscriptionId)) {
    const message = `the key is in subscription '${subscription}', but the account is in '${subscriptionId}': the provider finds keys only in its own subscription`;
    yield { path: 'encryptionKey.resourceId', message, fix: 'use a key in a vault of the same subscription' };
  }
  const [, vault, name] = (isKnown(key.keyId) && /^https:\/\/([^./]+)[^/]*\/keys\/([^/]+)$/.exec(key.keyId)) || [];
  if (vault !== undefined && !key.resourceId.toLowerCase().endsWith(`/${vault}/keys/${name}`.toLowerCase())) {
    const message = `'${key.resourceId}' does not match keyId, which names key '${name}' in vault '${vault}'`;
    yield { path: 'encryptionKey.resourceId', message, fix: `write '/subscriptions/…/vaults/${vault}/keys/${name}'` };
  }
}

/**
 * Matches the id of the private DNS zone for tables, in any of Microsoft's clouds. The generated Terraform code
 * validates the zone variable with the same pattern.
 */
export const TABLE_ZONE = 'privateDnsZones/privatelink[.]table[.]core[.][a-z.]+';

const ID = /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/./i;

function* ofNeeds(props: DesignedStorageProps, environment: Environment): Iterable<Problem> {
  const { privateEndpoint, allowedAddresses = [], encryptionKey, logAnalyticsWorkspaceId } = props;
  const { network, diagnostics } = onAzure(environment);
  const { name } = environment;
  if (network === 'private' && privateEndpoint === undefined) {
    const message = `environment '${name}' is private, so no client can reach the tables without an endpoint in a subnet`;
    yield { path: 'privateEndpoint', message, fix: "set privateEndpoint: { subnetId: '/subscriptions/…/subnets/…' }" };
  }
  if (network === 'private' && (Token.isUnresolved(allowedAddresses) || allowedAddresses.length > 0)) {
    const message = `environment '${name}' is private, but allowedAddresses would open the account to the internet`;
    const fix = "omit allowedAddresses, or define your own environment with azure: { …, network: 'named-addresses' }";
    yield { path: 'allowedAddresses', message, fix };
  } else if (!Token.isUnresolved(allowedAddresses)) yield* ofAddresses(allowedAddresses);
  if (environment.encryption === 'customer-managed' && encryptionKey === undefined) {
    const message = `environment '${name}' encrypts with a customer-managed key, but no key is given`;
    const fix =
      "set encryptionKey: { keyId: 'https://….vault.azure.net/keys/…', resourceId: '/subscriptions/…/keys/…' }";
    yield { path: 'encryptionKey', message, fix };
  }
  if (isKnown(encryptionKey?.keyId) && !/^https:\/\/[^/]+\/keys\/[^/]+$/.test(encryptionKey.keyId)) {
    const message = `'${encryptionKey.keyId}' must be a key address without a version, so that key rotation takes effect`;
    yield { path: 'encryptionKey.keyId', message, fix: "write 'https://<vault>.vault.azure.net/keys/<name>'" };
  }
  if (diagnostics && logAnalyticsWorkspaceId === undefined) {
    const message = `environment '${name}' logs every request, but no workspace receives the logs`;
    yield { path: 'logAnalyticsWorkspaceId', message, fix: 'set the id of a Log Analytics workspace' };
  }
  const ids = {
    'privateEndpoint.subnetId': privateEndpoint?.subnetId,
    'privateEndpoint.privateDnsZoneId': privateEndpoint?.privateDnsZoneId,
    'encryptionKey.resourceId': encryptionKey?.resourceId,
    logAnalyticsWorkspaceId,
  };
  const zone = privateEndpoint?.privateDnsZoneId;
  if (isKnown(zone) && ID.test(zone) && !new RegExp(`/${TABLE_ZONE}$`, 'i').test(zone)) {
    const message = `'${zone}' is not the private DNS zone for Azure Tables, so clients could not resolve the tables' address`;
    const fix = 'set the id of the private DNS zone privatelink.table.core.windows.net';
    yield { path: 'privateEndpoint.privateDnsZoneId', message, fix };
  }
  for (const [path, id] of Object.entries(ids)) {
    if (isKnown(id) && !ID.test(id)) {
      yield {
        path,
        message: `'${id}' is not an Azure resource id`,
        fix: "write '/subscriptions/…/resourceGroups/…/…'",
      };
    }
  }
}

/**
 * The prefix lengths of the widest range that qualifies as named addresses, and of the narrowest range that the
 * firewall accepts.
 */
export const RANGES = { widest: 16, narrowest: 30 } as const;

/** Refuses addresses that a storage account's firewall would refuse, or that would admit too many callers. */
function* ofAddresses(addresses: readonly string[]): Iterable<Problem> {
  for (const [i, address] of addresses.entries()) {
    const [, ip = '', bits] = /^([\d.]+)(?:\/(\d+))?$/.exec(address) ?? [];
    const parts = ip.split('.').map(Number);
    const isAddress = parts.length === 4 && parts.every((part) => part <= 255) && !/\.\.|^\.|\.$/.test(ip);
    const isPrivate = /^(0|10|127|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(ip);
    const isWide = isAddress && bits !== undefined && Number(bits) < RANGES.widest;
    if (isWide && !Token.isUnresolved(address)) {
      yield {
        path: `allowedAddresses[${i}]`,
        message: `'${address}' allows ${2 ** (32 - Number(bits))} addresses, which is too many`,
        fix: `write ranges of /${RANGES.widest} or smaller that contain your clients' addresses`,
      };
      continue;
    }
    const isRange = bits === undefined || Number(bits) <= RANGES.narrowest;
    if (Token.isUnresolved(address) || (isAddress && !isPrivate && isRange)) continue;
    yield {
      path: `allowedAddresses[${i}]`,
      message: `'${address}' is not a public address that a storage account's firewall accepts`,
      fix: "write one IPv4 address, such as '203.0.113.7', or a range of at least four, such as '203.0.113.0/24'",
    };
  }
}
