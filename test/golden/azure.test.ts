import { SystemStack } from '../../constructs/azure';
import { type EnvironmentName, environments } from '../../constructs/environment';
import { controlePgm, systems } from '../../lib/systems';
import { expectGolden, goldensIn } from '../support/golden';
import { terraformOf, withApp } from '../support/terraform';

/** Chosen as those of AWS are: every system in prod, and one to show how dev and staging differ. */
const stacks = [
  ...Object.values(systems).map((design) => ({ design, environment: 'prod' as EnvironmentName })),
  ...(['dev', 'staging'] as const).map((environment) => ({ design: controlePgm, environment })),
].map((stack) => ({ ...stack, name: `${stack.design.name}-${stack.environment}` }));

test.each(stacks)('the Terraform JSON of $name is the one under review', ({ name, design, environment }) => {
  expectGolden(
    `azure/${name}`,
    terraformOf((app) => new SystemStack(app, name, { design, environment })),
  );
});

test('no other Terraform JSON is under review', () => {
  expect(goldensIn('azure')).toEqual(stacks.map(({ name }) => name).sort());
});

test('no two systems or environments have an account of the same name', () => {
  const places = Object.values(systems).flatMap((design) =>
    (Object.keys(environments) as EnvironmentName[]).map((environment) => ({ design, environment })),
  );
  const accounts = withApp((app) =>
    places.map((place, i) => new SystemStack(app, `stack${i}`, place).storage.accountName),
  );
  expect(new Set(accounts).size).toBe(15);
});
