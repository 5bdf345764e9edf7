import { SystemStack } from '../../constructs/azure';
import { type EnvironmentName, environments } from '../../constructs/environment';
import { systems } from '../../lib/systems';
import { expectGolden } from '../support/golden';
import { terraformOf } from '../support/terraform';

const stacks = Object.values(systems).flatMap((design) =>
  (Object.keys(environments) as EnvironmentName[]).map((environment) => ({
    name: `${design.name}-${environment}`,
    design,
    environment,
  })),
);

test.each(stacks)('the Terraform JSON of $name is the one under review', ({ name, design, environment }) => {
  expectGolden(
    `azure/${name}`,
    terraformOf((app) => new SystemStack(app, name, { design, environment })),
  );
});

test('no two of them have an account of the same name', () => {
  const accounts = stacks.map(({ name, design, environment }) => {
    const { resource } = terraformOf((app) => new SystemStack(app, name, { design, environment }));
    return resource.azurerm_storage_account.Account.name;
  });
  expect(new Set(accounts).size).toBe(stacks.length);
});
