import { ManagementLock as OfficialLock } from '@cdktn/provider-azurerm/lib/management-lock';
import { MonitorDiagnosticSetting } from '@cdktn/provider-azurerm/lib/monitor-diagnostic-setting';
import { PrivateEndpoint as OfficialEndpoint } from '@cdktn/provider-azurerm/lib/private-endpoint';
import { AzurermProvider as OfficialProvider } from '@cdktn/provider-azurerm/lib/provider';
import { ResourceGroup as OfficialGroup } from '@cdktn/provider-azurerm/lib/resource-group';
import { RoleAssignment as OfficialAssignment } from '@cdktn/provider-azurerm/lib/role-assignment';
import { StorageAccount as OfficialAccount } from '@cdktn/provider-azurerm/lib/storage-account';
import { UserAssignedIdentity as OfficialIdentity } from '@cdktn/provider-azurerm/lib/user-assigned-identity';
import { type App, TerraformStack } from 'cdktn';
import type { Construct } from 'constructs';
import { DesignedStorage, environments } from '../../../constructs/azure';
import * as own from '../../../constructs/azure/resources';
import { depot, needs } from '../../fixtures/azure';
import { type TerraformJson, terraformIn, terraformOf } from '../../support/terraform';

// biome-ignore lint/suspicious/noExplicitAny: the test checks the output of the generated class, not its props
type Official = new (scope: Construct, id: string, config: any) => Construct;

/** The official generated class for each resource type that this library writes, by Terraform's name for the type. */
const OFFICIAL: Readonly<Record<string, Official>> = {
  azurerm_management_lock: OfficialLock,
  azurerm_monitor_diagnostic_setting: MonitorDiagnosticSetting,
  azurerm_private_endpoint: OfficialEndpoint,
  azurerm_resource_group: OfficialGroup,
  azurerm_role_assignment: OfficialAssignment,
  azurerm_storage_account: OfficialAccount,
  azurerm_user_assigned_identity: OfficialIdentity,
};

/** Converts the names in a resource body to camel case, as the generated classes expect. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [
    key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    key === 'tags' ? inner : camel(inner),
  ]);
  return Object.fromEntries(entries);
}

const withoutMeta = ({ '//': _, depends_on, lifecycle, ...attributes }: TerraformJson) => attributes;

/** Adds every kind of resource to a stack: prod's storage account, with a grant. */
const storage = (stack: TerraformStack) => {
  new own.AzurermProvider(stack, {
    features: [{ storage: [{ data_plane_available: false }] }],
    storage_use_azuread: true,
    resource_provider_registrations: 'none',
  });
  const made = new DesignedStorage(stack, 'Storage', { design: depot, ...needs });
  made.grantPattern('11111111-2222-3333-4444-555555555555', 'movePart');
};

describe('all resources that the constructs write', () => {
  const written = terraformIn(storage);
  const resources = Object.entries(written.resource as TerraformJson)
    .filter(([type]) => type.startsWith('azurerm_'))
    .flatMap(([type, all]) => Object.entries(all as TerraformJson).map(([id, body]) => ({ type, id, body })));

  test('this test compares exactly the resource types that the constructs write', () => {
    expect([...new Set(resources.map(({ type }) => type))].sort()).toEqual(Object.keys(OFFICIAL).sort());
  });

  test.each(resources)('$type $id equals the output of the official generated class', ({ type, id, body }) => {
    const official = terraformIn((stack) => {
      new (OFFICIAL[type] as Official)(stack, id, camel(withoutMeta(body)));
    });
    expect(withoutMeta(official.resource[type][id])).toEqual(withoutMeta(body));
  });

  test('the provider equals the output of the official generated class', () => {
    const official = terraformIn((stack) => {
      const features = [{ storage: [{ dataPlaneAvailable: false }] }];
      new OfficialProvider(stack, 'azurerm', {
        features,
        storageUseAzuread: true,
        resourceProviderRegistrations: 'none',
      });
    });
    expect(official.provider.azurerm).toEqual(written.provider.azurerm);
  });
});

test('an account with allowed addresses equals the output of the official generated class', () => {
  const json = terraformIn((stack) => {
    const options = { environment: environments.dev, allowedAddresses: ['203.0.113.7'] };
    new DesignedStorage(stack, 'Storage', { design: depot, location: 'brazilsouth', ...options });
  });
  const [[id, body]] = Object.entries(json.resource.azurerm_storage_account) as [[string, TerraformJson]];
  const official = terraformIn((stack) => {
    new OfficialAccount(stack, id, camel(withoutMeta(body)) as ConstructorParameters<typeof OfficialAccount>[2]);
  });
  expect(withoutMeta(official.resource.azurerm_storage_account[id])).toEqual(withoutMeta(body));
  expect(body.network_rules.ip_rules).toEqual(['203.0.113.7']);
});

test("meta-arguments and references use Terraform's names", () => {
  const json = terraformIn((stack) => {
    const group = new own.ResourceGroup(
      stack,
      'Group',
      { name: 'g', location: 'x' },
      { lifecycle: { preventDestroy: true } },
    );
    const identity = { name: 'i', location: 'x', resource_group_name: group.name };
    new own.UserAssignedIdentity(stack, 'Identity', identity, { dependsOn: [group] });
  });
  expect(json.resource.azurerm_resource_group.Group.lifecycle).toEqual({ prevent_destroy: true });
  expect(json.resource.azurerm_user_assigned_identity.Identity).toMatchObject({
    resource_group_name: `\${azurerm_resource_group.Group.name}`,
    depends_on: ['azurerm_resource_group.Group'],
  });
});

test('refuses HCL output, which would be empty', () => {
  process.env.SYNTH_HCL_OUTPUT = 'true';
  try {
    expect(() =>
      terraformIn((stack) => void new own.ResourceGroup(stack, 'Group', { name: 'g', location: 'x' })),
    ).toThrow('test/Group: this resource can only be written as JSON; synthesize without hclOutput');
  } finally {
    delete process.env.SYNTH_HCL_OUTPUT;
  }
});

test('refuses a stack without the azurerm provider', () => {
  const make = (app: App) => {
    const stack = new TerraformStack(app, 'test');
    new own.ResourceGroup(stack, 'Group', { name: 'g', location: 'x' });
    return stack;
  };
  expect(() => terraformOf(make)).toThrow('Found resources without a matching provider construct');
});
