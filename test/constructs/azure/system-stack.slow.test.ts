import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdktn';
import { SystemStack, type SystemStackProps } from '../../../constructs/azure';
import { SCANNER_SKIPS } from '../../../constructs/azure/storage-account';
import { portability } from '../../../lib/azure-tables/equivalents/portability';
import { blog } from '../../../lib/systems';
import { depot, needs } from '../../fixtures/azure';
import { terraformOf } from '../../support/terraform';

const json = (props: Partial<SystemStackProps> = {}) =>
  terraformOf((app) => new SystemStack(app, 'depot-prod', { design: depot, ...props }));

test('a system stack outputs the account and its tables', () => {
  expect(json().output).toEqual({
    account_name: { value: `\${azurerm_storage_account.Account.name}` },
    table_endpoint: { value: `\${azurerm_storage_account.Account.primary_table_endpoint}` },
    table_names: { value: ['Parts', 'Moves'] },
  });
});

describe('the Terraform state', () => {
  test('each stack keeps its state in a separate blob, which it accesses with an identity instead of a key; `terraform init` decides where', () => {
    expect(json().terraform.backend).toEqual({ azurerm: { key: 'depot-prod.tfstate', use_azuread_auth: true } });
  });

  test('the state is stored where the stack specifies', () => {
    const backend = { storageAccountName: 'acmestate', containerName: 'state', resourceGroupName: 'acme', key: 'x' };
    expect(json({ backend }).terraform.backend.azurerm).toEqual({
      storage_account_name: 'acmestate',
      container_name: 'state',
      resource_group_name: 'acme',
      key: 'x',
      use_azuread_auth: true,
    });
  });

  test("Terraform expressions in the state's name are escaped", () => {
    const { key } = json({ backend: { key: `\${file("/etc/passwd")}%{ if true }` } }).terraform.backend.azurerm;
    expect(key).toBe(`$\${file("/etc/passwd")}%%{ if true }`);
  });
});

describe('the providers', () => {
  test('the providers are azurerm for the account and azapi for the tables, each with a version range', () => {
    expect(json().terraform.required_providers).toEqual({
      azapi: { source: 'Azure/azapi', version: '~> 2.4' },
      azurerm: { source: 'hashicorp/azurerm', version: '>= 4.73.0, < 6.0.0' },
      time: { source: 'hashicorp/time', version: '~> 0.13' },
    });
    expect(json({ environment: 'dev' }).terraform.required_providers).not.toHaveProperty('time');
  });

  test('the providers register no resource providers, which would require rights on the whole subscription', () => {
    expect(json().provider.azurerm[0].resource_provider_registrations).toBe('none');
  });

  test('the providers need no access to the tables, since Terraform seldom runs in the private network', () => {
    expect(json().provider.azurerm).toMatchObject([
      { features: [{ storage: [{ data_plane_available: false }] }], storage_use_azuread: true },
    ]);
  });

  test('the providers get the subscription if the props specify one', () => {
    const subscriptionId = '11111111-2222-3333-4444-555555555555';
    const { provider } = json({ subscriptionId });
    expect([provider.azurerm[0].subscription_id, provider.azapi[0].subscription_id]).toEqual([
      subscriptionId,
      subscriptionId,
    ]);
  });

  test("the stack refuses a subscription's name in place of its id, because Azure would not find the subscription by name", () => {
    expect(() => json({ subscriptionId: 'Production' })).toThrow(
      "subscriptionId: 'Production' is not a subscription id\n    fix: write the subscription's id, such as '1111",
    );
  });

  test('the stack writes nothing under `terraform` that a scanner cannot read', () => {
    expect(Object.values(json().terraform).every((block) => typeof block === 'object')).toBe(true);
  });
});

describe('required values that are missing from the props', () => {
  test('a missing value becomes a variable in prod', () => {
    expect(Object.keys(json().variable).sort()).toEqual([
      'key_vault_key_id',
      'key_vault_key_resource_id',
      'location',
      'log_analytics_workspace_id',
      'private_dns_zone_id',
      'subnet_id',
    ]);
  });

  test('a missing region and missing addresses become variables in dev', () => {
    const { variable, resource } = json({ environment: 'dev' });
    expect(Object.keys(variable).sort()).toEqual(['allowed_addresses', 'location']);
    expect(variable.allowed_addresses).toMatchObject({ type: 'list(string)', default: [] });
    expect(resource.azurerm_storage_account.Account.network_rules.ip_rules).toBe(`\${var.allowed_addresses}`);
  });

  test('no variable is created if the props have all values', () => {
    expect(json(needs)).not.toHaveProperty('variable');
  });

  test('Terraform itself validates the variables', () => {
    for (const { description, validation, nullable } of Object.values(json().variable) as Record<string, never>[]) {
      expect(nullable).toBe(false);
      expect(validation).toEqual([
        {
          condition: expect.stringMatching(/^\$\{can\(regex\(".+", .*var\.\w+.*\)\)\}$/),
          error_message: expect.stringContaining(description as unknown as string),
        },
      ]);
    }
  });

  test.each([
    ['subnet_id', needs.privateEndpoint.subnetId, 'data'],
    ['private_dns_zone_id', needs.privateEndpoint.privateDnsZoneId, 'privatelink.table.core.windows.net'],
    ['key_vault_key_id', needs.encryptionKey.keyId, `${needs.encryptionKey.keyId}/0123`],
    ['key_vault_key_resource_id', needs.encryptionKey.resourceId, needs.encryptionKey.keyId],
    ['log_analytics_workspace_id', needs.logAnalyticsWorkspaceId, 'logs'],
    [
      'private_dns_zone_id',
      needs.privateEndpoint.privateDnsZoneId,
      needs.privateEndpoint.privateDnsZoneId.replace('table', 'blob'),
    ],
    ['location', 'brazilsouth', 'brazil_south'],
    ['location', 'westus3', 'westus33'],
  ])('the variable %s accepts %s and refuses %s', (name, right, wrong) => {
    const form = new RegExp(
      /regex\("(.+?)", (?:var|lower)/.exec(json().variable[name].validation[0].condition)?.[1] as string,
    );
    expect([form.test(right), form.test(wrong)]).toEqual([true, false]);
  });
});

test('the variable for the key refuses a key in another subscription if the stack specifies its own', () => {
  const subscriptionId = '11111111-2222-3333-4444-555555555555';
  const { condition } = json({ subscriptionId }).variable.key_vault_key_resource_id.validation[0];
  const form = new RegExp(/regex\("(.+)", var/.exec(condition)?.[1] as string);
  const { resourceId } = needs.encryptionKey;
  expect([form.test(resourceId.replace('0000', subscriptionId)), form.test(resourceId)]).toEqual([true, false]);
  expect(() => json({ subscriptionId, encryptionKey: needs.encryptionKey })).toThrow(
    `encryptionKey.resourceId: the key is in subscription '0000', but the account is in '${subscriptionId}'`,
  );
});

describe('the variable `allowed_addresses`', () => {
  const { condition } = json({ environment: 'dev' }).variable.allowed_addresses.validation[0];
  const [, allowed, refused] =
    /^\$\{alltrue\(\[for one in var\.allowed_addresses : can\(regex\("(.+)", one\)\) && !can\(regex\("(.+)", one\)\)\]\)\}$/.exec(
      condition,
    ) ?? [];
  const takes = (one: string) => new RegExp(allowed as string).test(one) && !new RegExp(refused as string).test(one);

  test.each(['203.0.113.7', '203.0.113.0/24', '203.0.0.0/16', '203.0.113.0/30'])(
    'the variable `allowed_addresses` accepts %s',
    (address) => {
      expect(takes(address)).toBe(true);
    },
  );

  test.each([
    '0.0.0.0/0',
    '0.0.0.0',
    '203.0.0.0/8',
    '203.0.0.0/15',
    '203.0.113.0/31',
    '10.0.0.1',
    '192.168.0.0/16',
    'x',
    '',
  ])('the variable `allowed_addresses` refuses %j', (address) => {
    expect(takes(address)).toBe(false);
  });
});

describe('files next to the JSON', () => {
  const outdir = mkdtempSync(join(tmpdir(), 'tablewright-'));
  afterAll(() => rmSync(outdir, { recursive: true }));
  const read = (stack: string, file: string) => readFileSync(join(outdir, 'stacks', stack, file), 'utf8');

  beforeAll(() => {
    const app = new App({ outdir, stackTraces: false });
    new SystemStack(app, 'blog-prod', { design: blog });
    new SystemStack(app, 'depot-prod', { design: depot });
    app.synth();
  });

  test('.checkov.yaml lists the rules to skip, with the same reasons as the JSON', () => {
    expect(read('blog-prod', '.checkov.yaml')).toBe(
      `skip-check:\n${SCANNER_SKIPS.map(({ id, comment }) => `  # ${comment}\n  - ${id}\n`).join('')}`,
    );
  });

  test("a DynamoDB system's files include a report of the differences, and an Azure system's do not", () => {
    expect(JSON.parse(read('blog-prod', 'portability.json'))).toEqual(portability(blog));
    expect(existsSync(join(outdir, 'stacks/depot-prod/portability.json'))).toBe(false);
  });

  test('no file contains paths from the machine that synthesized it', () => {
    const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const text = readFileSync(join(outdir, file), 'utf8');
      expect([text.includes(process.cwd()), text.includes(tmpdir()), text.includes('node_modules')]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });
});

test("a grant through the stack's `storage` creates a role assignment", () => {
  const { resource } = terraformOf((app) => {
    const stack = new SystemStack(app, 'depot-dev', { design: depot, environment: 'dev' });
    stack.storage.grantPattern('11111111-2222-3333-4444-555555555555', 'partsOfDay');
    return stack;
  });
  expect(Object.keys(resource.azurerm_role_assignment)).toHaveLength(1);
});
