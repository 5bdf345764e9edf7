import { TerraformVariable } from 'cdktn';
import { DesignedStorage, type DesignedStorageProps, environments, SystemStack } from '../../../constructs/azure';
import type { SystemDesign } from '../../../lib/design/system';
import { blog } from '../../../lib/systems';
import { depot, needs } from '../../fixtures/azure';
import { withStack } from '../../support/terraform';

/**
 * Returns the error for the given props (empty if they are valid), and asserts that a refusal leaves no construct
 * behind.
 */
const refusal = (props: Partial<DesignedStorageProps>): string =>
  withStack((stack) => {
    let message = '';
    try {
      new DesignedStorage(stack, 'Storage', { design: depot, ...needs, ...props });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(stack.node.children.filter((one) => one instanceof DesignedStorage)).toHaveLength(message === '' ? 1 : 0);
    if (message !== '') expect(stack.node.children).toEqual([]);
    return message;
  });

const dev = {
  environment: 'dev',
  privateEndpoint: undefined,
  encryptionKey: undefined,
  logAnalyticsWorkspaceId: undefined,
} as const;

test('reports all missing values in prod at once, each with the fix', () => {
  expect(refusal({ privateEndpoint: undefined, encryptionKey: undefined, logAnalyticsWorkspaceId: undefined })).toBe(
    [
      "storage of system 'depot' (prod) has 3 problems",
      "  privateEndpoint: environment 'prod' is private, so no client can reach the tables without an endpoint in a subnet",
      "    fix: set privateEndpoint: { subnetId: '/subscriptions/…/subnets/…' }",
      "  encryptionKey: environment 'prod' encrypts with a customer-managed key, but no key is given",
      "    fix: set encryptionKey: { keyId: 'https://….vault.azure.net/keys/…', resourceId: '/subscriptions/…/keys/…' }",
      "  logAnalyticsWorkspaceId: environment 'prod' logs every request, but no workspace receives the logs",
      '    fix: set the id of a Log Analytics workspace',
    ].join('\n'),
  );
});

test('refuses an undefined design, such as one from a misspelled import', () => {
  const message = 'the design has 1 problem\n  design: must be a design from defineTable or defineSystem, got: nothing';
  expect(refusal({ design: undefined as unknown as SystemDesign })).toContain(message);
});

test('reports a misspelled region and accepts a display name', () => {
  expect(refusal({ location: 'brasilsouth' })).toContain("fix: write 'brazilsouth', or another region");
  expect(refusal({ location: 'Brazil South' })).toBe('');
});

test('refuses a key whose two ids refer to different vaults or keys', () => {
  const keyId = 'https://other.vault.azure.net/keys/tables';
  expect(refusal({ encryptionKey: { ...needs.encryptionKey, keyId } })).toContain(
    "does not match keyId, which names key 'tables' in vault 'other'",
  );
});

test('reports no missing values in dev', () => {
  expect(refusal(dev)).toBe('');
});

test('reports problems of the design and of the options together', () => {
  const Parts = { ...depot.tables.Parts, ttl: 'day' };
  const message = refusal({ design: { ...depot, tables: { ...depot.tables, Parts } }, accountName: 'My-Account' });
  expect(message).toContain('design.tables.Parts.ttl: Azure Tables has no TTL, so it never deletes expired items');
  expect(message).toContain("accountName: 'My-Account' is not a valid name for a storage account");
});

test('refuses invalid table names in an Azure system', () => {
  const parts = { ...depot.tables.Parts, name: 'my-parts' };
  const message = refusal({ design: { ...depot, tables: { 'my-parts': parts }, procedures: {} } });
  expect(message).toContain("design.tables.my-parts.name: 'my-parts' is not a legal Azure table name");
  expect(message).toContain("fix: use 3 to 63 letters and digits, starting with a letter, and not 'tables'");
});

test('refuses table names that differ only in case, which Azure ignores', () => {
  const PARTS = { ...depot.tables.Parts, name: 'PARTS', patterns: {} };
  expect(refusal({ design: { ...depot, tables: { ...depot.tables, PARTS } } as SystemDesign })).toContain(
    "design.tables.PARTS: 'PARTS' is the name of another table except for case, which Azure ignores",
  );
});

test.each(['ab', 'a'.repeat(25), 'Acme', 'acme-data', 'acme_1', ''])('refuses %j as an account name', (accountName) => {
  expect(refusal({ accountName })).toContain(
    `accountName: '${accountName}' is not a valid name for a storage account\n    fix: use 3 to 24 of a-z, 0-9, or omit accountName`,
  );
});

test.each(['', 'brazil_south', '1', 'atlantis', 'global', 'europe'])('refuses %j as a region', (location) => {
  expect(refusal({ location })).toContain(`location: '${location}' is not an Azure region`);
});

test.each(['', 'a.', 'a/b', 'a'.repeat(91), 'a b'])('refuses %j as a resource group', (resourceGroup) => {
  expect(refusal({ adopt: { resourceGroup } })).toContain(
    `adopt.resourceGroup: '${resourceGroup}' is not a valid name for a resource group`,
  );
});

test.each(['acme-data', 'Grupo_1', 'a.b', '(x)', 'a'.repeat(90)])('accepts %j as a resource group', (resourceGroup) => {
  expect(refusal({ adopt: { resourceGroup } })).toBe('');
});

test('refuses invalid ids, and reports the path of each', () => {
  const message = refusal({
    privateEndpoint: { subnetId: 'subnet', privateDnsZoneId: '/zone' },
    encryptionKey: { keyId: 'https://acme.vault.azure.net/keys/tables/0123', resourceId: 'key' },
    logAnalyticsWorkspaceId: 'logs',
  });
  expect(message).toContain('has 5 problems\n');
  expect(message).toContain(
    "encryptionKey.keyId: 'https://acme.vault.azure.net/keys/tables/0123' must be a key address without a version",
  );
  expect(message).toContain("privateEndpoint.subnetId: 'subnet' is not an Azure resource id");
  expect(message).toContain("privateEndpoint.privateDnsZoneId: '/zone' is not an Azure resource id");
  expect(message).toContain("encryptionKey.resourceId: 'key' is not an Azure resource id");
  expect(message).toContain("logAnalyticsWorkspaceId: 'logs' is not an Azure resource id");
});

test('refuses a private DNS zone that is not for Azure Tables', () => {
  const { subnetId, privateDnsZoneId } = needs.privateEndpoint;
  const zone = (id: string) => refusal({ privateEndpoint: { subnetId, privateDnsZoneId: id } });
  expect(zone(privateDnsZoneId.replace('table', 'blob'))).toContain(
    "is not the private DNS zone for Azure Tables, so clients could not resolve the tables' address",
  );
  expect(zone(privateDnsZoneId.replace('windows.net', 'chinacloudapi.cn'))).toBe('');
});

describe('allowed addresses', () => {
  test.each([
    '10.0.0.1',
    '192.168.1.0/24',
    '172.16.0.1',
    '203.0.113.0/31',
    '203.0.113.256',
    '203.0.113',
    'x',
    '::1',
    '1.2.3.4.5',
    '0.0.0.0',
    '127.0.0.1',
  ])('allowed addresses cannot include %s', (address) => {
    expect(refusal({ ...dev, allowedAddresses: ['198.51.100.1', address] })).toContain(
      `allowedAddresses[1]: '${address}' is not a public address that a storage account's firewall accepts`,
    );
  });

  test.each([
    ['0.0.0.0/0', 4294967296],
    ['203.0.0.0/8', 16777216],
    ['203.0.0.0/15', 131072],
  ])('allowed addresses cannot include %s, because the range is too large', (address, count) => {
    expect(refusal({ ...dev, allowedAddresses: [address] })).toContain(
      `allowedAddresses[0]: '${address}' allows ${count} addresses, which is too many\n    fix: write ranges of /16 or smaller`,
    );
  });

  test.each(['203.0.113.7', '203.0.0.0/16', '203.0.113.0/24', '203.0.113.0/30', '172.32.0.1'])(
    'allowed addresses may include %s',
    (address) => {
      expect(refusal({ ...dev, allowedAddresses: [address] })).toBe('');
    },
  );

  test('refuses allowed addresses for a private account, unless the environment explicitly permits them', () => {
    const allowedAddresses = ['203.0.113.7'];
    expect(refusal({ allowedAddresses })).toContain(
      "allowedAddresses: environment 'prod' is private, but allowedAddresses would open the account to the internet",
    );
    const azure = { replication: 'RAGZRS', network: 'named-addresses', deleteLock: true, diagnostics: true } as const;
    expect(refusal({ allowedAddresses, environment: { ...environments.prod, name: 'open', azure } })).toBe('');
  });
});

test('refuses an unknown environment and lists the known environments', () => {
  expect(refusal({ environment: 'qa' as 'dev' })).toBe(
    "environment must be one of dev, economy, staging, prod, got: 'qa'",
  );
});

test('does not check values that are known only to Terraform', () => {
  withStack((stack) => {
    const text = (name: string) => new TerraformVariable(stack, name, { type: 'string' }).stringValue;
    const given: DesignedStorageProps = {
      design: blog,
      location: text('location'),
      accountName: text('account'),
      adopt: { resourceGroup: text('group') },
      privateEndpoint: { subnetId: text('subnet'), privateDnsZoneId: text('zone') },
      encryptionKey: { keyId: text('key'), resourceId: text('resource') },
      logAnalyticsWorkspaceId: text('logs'),
    };
    expect(() => new DesignedStorage(stack, 'Storage', given)).not.toThrow();
  });
});

test('`SystemStack` refuses an invalid account name and leaves no construct in the app', () => {
  withStack((stack) => {
    const app = stack.node.root;
    expect(() => new SystemStack(app as never, 'other', { design: depot, accountName: 'No!' })).toThrow(
      "storage of system 'depot' (prod) has 1 problem\n  accountName: 'No!'",
    );
    expect(app.node.children).toEqual([stack]);
  });
});
