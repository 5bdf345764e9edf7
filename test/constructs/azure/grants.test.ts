import { TerraformVariable } from 'cdktn';
import { DesignedStorage } from '../../../constructs/azure';
import { UserAssignedIdentity } from '../../../constructs/azure/resources';
import { blog, booking } from '../../../lib/systems';
import { depot, needs } from '../../fixtures/azure';
import { type TerraformJson, terraformIn, withStack } from '../../support/terraform';

/** Object ids that differ only in their first digit. */
const [p, q] = ['a', 'b'].map((digit) => `${digit}1111111-2222-3333-4444-555555555555`) as [string, string];
const READER = 'Storage Table Data Reader';
const CONTRIBUTOR = 'Storage Table Data Contributor';

/** Returns the name of the table in a scope. */
const tableIn = (scope: string) => /^\$\{azapi_resource\.Table-(\w+)\.id\}$/.exec(scope)?.[1];

function granted(grant: (storage: DesignedStorage<typeof depot>) => void): readonly string[] {
  const { resource } = terraformIn((stack) =>
    grant(new DesignedStorage(stack, 'Default', { design: depot, ...needs })),
  );
  const { KeyUse: _, ...grants } = resource.azurerm_role_assignment;
  return (Object.values(grants) as TerraformJson[]).map(
    ({ principal_id, role_definition_name, scope }) => `${principal_id} ${role_definition_name} ${tableIn(scope)}`,
  );
}

test('a read pattern grants the reader role on its table, and a write pattern the contributor role', () => {
  expect(granted((storage) => storage.grantPattern(p, 'partsOfDay'))).toEqual([`${p} ${READER} Parts`]);
  expect(granted((storage) => storage.grantPattern(p, 'addPart'))).toEqual([`${p} ${CONTRIBUTOR} Parts`]);
});

test("a grant's scope is a reference to the single table, not to the account", () => {
  const { resource } = terraformIn((stack) =>
    new DesignedStorage(stack, 'Default', { design: depot, ...needs }).grantPattern(p, 'addPart'),
  );
  const scopes = (Object.values(resource.azurerm_role_assignment) as TerraformJson[]).map(({ scope }) => scope);
  expect(scopes).toContain(`\${azapi_resource.Table-Parts.id}`);
});

test('a grant of a procedure covers the access that its patterns need', () => {
  expect(granted((storage) => storage.grantPattern(p, 'movePart')).toSorted()).toEqual([
    `${p} ${CONTRIBUTOR} Moves`,
    `${p} ${READER} Parts`,
  ]);
});

test('several grants to a principal on the same table become one role assignment, with the least privileged role that covers all of them', () => {
  const grants = granted((storage) => {
    storage.grantPattern(p, 'partsOfDay');
    storage.grantPattern(p, 'addPart', 'movesOfDay');
    storage.grantPattern(p, 'partsOfDay');
    storage.grantPattern(q, 'partsOfDay');
  });
  expect(grants.toSorted()).toEqual([`${p} ${CONTRIBUTOR} Parts`, `${p} ${READER} Moves`, `${q} ${READER} Parts`]);
});

test("a grant's address depends neither on the order of grants nor on whether the principal's id is already known", () => {
  const addresses = (order: readonly ('a' | 'b')[]) => {
    const { resource } = terraformIn((stack) => {
      const storage = new DesignedStorage(stack, 'Default', { design: depot, ...needs });
      const place = { location: 'x', resource_group_name: 'g' };
      for (const name of order) {
        const { principalId } = new UserAssignedIdentity(stack, name, { name, ...place });
        storage.grantPattern(principalId, 'addPart');
      }
    });
    const { KeyUse: _, ...grants } = resource.azurerm_role_assignment as TerraformJson;
    return Object.entries(grants)
      .map(([address, { principal_id }]) => `${address} ${principal_id}`)
      .sort();
  };
  expect(addresses(['a', 'b'])).toEqual(addresses(['b', 'a']));
  expect(addresses(['a'])[0]).toMatch(
    /^Grant-[a-z2-7]{8}-Parts \$\{azurerm_user_assigned_identity\.a\.principal_id\}$/,
  );
});

test('a write grant in a DynamoDB system also covers the index tables, and a read grant covers only the queried table', () => {
  const { resource } = terraformIn((stack) => {
    const storage = new DesignedStorage(stack, 'Default', { design: blog, ...needs });
    storage.grantPattern(p, 'postsByCategory');
    storage.grantPattern(q, 'likePost');
  });
  const { KeyUse: _, ...grants } = resource.azurerm_role_assignment;
  const tables = (who: string) =>
    (Object.values(grants) as TerraformJson[])
      .filter(({ principal_id }) => principal_id === who)
      .map(({ scope }) => tableIn(scope));
  expect(tables(p)).toEqual(['blogGSI1Descending']);
  expect(tables(q).sort()).toEqual([
    ...['Transactions', 'blog', 'blogGSI1', 'blogGSI1Descending', 'blogGSI2', 'blogGSI2Descending'],
  ]);
});

test('refuses to limit a grant to a tenant, because a role covers a whole table', () => {
  const tenant = { tenant: { tag: 'tenantId' } } as never;
  expect(() => granted((storage) => storage.grantPattern(p, 'partsOfDay', tenant))).toThrow(
    "a role covers a whole table, so a grant cannot be limited to a tenant's partitions; give each tenant a separate account",
  );
});

test('accepts only pattern names of the design, at run time and at compile time', () => {
  withStack((stack) => {
    const storage = new DesignedStorage(stack, 'Storage', { design: booking, ...needs });
    storage.grantPattern(p, 'createBooking', 'getTenant');
    // @ts-expect-error the system has no such pattern
    expect(() => storage.grantPattern(p, 'createBookings')).toThrow(
      "system 'booking' has no pattern or procedure 'createBookings'; it has getTenant,",
    );
    // @ts-expect-error a grant needs at least one name
    storage.grantPattern(p);
  });
});

test.each(['', 'ana@acme.com', '1111'])('refuses a principal without a valid object id: %j', (id) => {
  expect(() => granted((storage) => storage.grantPattern(id, 'addPart'))).toThrow(
    `principalId must be the object id of an identity, a user or a group, such as '11111111-2222-3333-4444-555555555555', got: '${id}'`,
  );
});

test('any grant may state the type of its principal, but two grants may not contradict each other', () => {
  const { resource } = terraformIn((stack) => {
    const storage = new DesignedStorage(stack, 'Default', { design: depot, ...needs });
    storage.grantPattern(p, 'partsOfDay');
    storage.grantPattern({ id: p, type: 'Group' }, 'addPart');
    storage.grantPattern(p, 'partsOfDay');
    expect(() => storage.grantPattern({ id: p, type: 'User' }, 'addPart')).toThrow(
      `principal '${p}' must have a single type, got: Group and User`,
    );
  });
  const { KeyUse: _, ...grants } = resource.azurerm_role_assignment;
  expect(Object.values(grants)).toEqual([
    expect.objectContaining({ principal_type: 'Group', role_definition_name: CONTRIBUTOR }),
  ]);
});

test('Terraform destroys the lock before it deletes a grant, since the lock would prevent the deletion', () => {
  const { resource } = terraformIn((stack) =>
    new DesignedStorage(stack, 'Default', { design: depot, ...needs }).grantPattern(p, 'addPart'),
  );
  const { KeyUse: _, ...grants } = resource.azurerm_role_assignment;
  expect(resource.azurerm_management_lock.Lock.depends_on).toContain(
    `azurerm_role_assignment.${Object.keys(grants)[0]}`,
  );
});

test('a role assignment has the type of its principal only if the user states the type', () => {
  const { resource } = terraformIn((stack) => {
    const storage = new DesignedStorage(stack, 'Default', { design: depot, ...needs });
    storage.grantPattern({ id: p, type: 'ServicePrincipal' }, 'addPart');
    storage.grantPattern(q, 'addPart');
  });
  const { KeyUse: _, ...grants } = resource.azurerm_role_assignment;
  const types = (Object.values(grants) as TerraformJson[]).map((grant) => [grant.principal_id, grant.principal_type]);
  expect(types.toSorted()).toEqual([
    [p, 'ServicePrincipal'],
    [q, undefined],
  ]);
});

test('accepts a Terraform variable as the principal', () => {
  const { resource } = terraformIn((stack) => {
    const { stringValue } = new TerraformVariable(stack, 'app', { type: 'string' });
    new DesignedStorage(stack, 'Default', { design: depot, ...needs }).grantPattern(stringValue, 'addPart');
  });
  expect(JSON.stringify(resource.azurerm_role_assignment)).toContain(`"principal_id":"\${var.app}"`);
});
