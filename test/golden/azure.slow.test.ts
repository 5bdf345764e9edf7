import { SystemStack } from '../../constructs/azure';
import type { EnvironmentName } from '../../constructs/environment';
import { controlePgm, systems } from '../../lib/systems';
import { expectGolden, goldensIn } from '../support/golden';
import { terraformOf } from '../support/terraform';

/**
 * As for AWS: every system in prod, and one system in dev, economy and staging to show how these environments differ.
 */
const stacks = [
  ...Object.values(systems).map((design) => ({ design, environment: 'prod' as EnvironmentName })),
  ...(['dev', 'economy', 'staging'] as const).map((environment) => ({ design: controlePgm, environment })),
].map((stack) => ({ ...stack, name: `${stack.design.name}-${stack.environment}` }));

test.each(stacks)('the Terraform JSON of $name matches the reviewed file', ({ name, design, environment }) => {
  expectGolden(
    `azure/${name}`,
    terraformOf((app) => new SystemStack(app, name, { design, environment })),
  );
});

test('every reviewed Terraform JSON belongs to one of these stacks', () => {
  expect(goldensIn('azure')).toEqual(stacks.map(({ name }) => name).sort());
});
