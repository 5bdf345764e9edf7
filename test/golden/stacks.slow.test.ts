import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { type DesignedSystemProps, SystemStack } from '../../constructs/aws';
import type { EnvironmentName } from '../../constructs/environment';
import { blog, systemsOf, trimobe } from '../../lib/systems';
import { salesSystem } from '../fixtures/sound/sales';
import { expectGolden, goldensIn } from '../support/golden';

/**
 * Every system in prod, where an unnoticed change would cost most. Dev and staging differ from prod in the same way for
 * all systems, and the test of `constructs/environment.ts` checks each difference, so one system in dev and staging is
 * enough here. The system in economy also has provisioned capacity.
 */
const capacity = { read: { min: 1, max: 10 }, write: { min: 1, max: 5 } };
const stacks: readonly (DesignedSystemProps & { readonly environment: EnvironmentName; readonly name: string })[] = [
  ...systemsOf('aws').map((design) => ({ design, environment: 'prod' as EnvironmentName })),
  ...(['dev', 'staging'] as const).map((environment) => ({ design: blog, environment })),
  // The system with multi-attribute index keys.
  { design: salesSystem, environment: 'dev' as const },
  { design: trimobe, environment: 'economy' as const, options: { Tenants: { capacity }, Users: { capacity } } },
].map((stack) => ({ ...stack, name: `${stack.design.name}-${stack.environment}` }));

test.each(stacks)('the template of $name matches the reviewed file', ({ name, ...props }) => {
  const stack = new SystemStack(new App(), name, props);
  expectGolden(name, Template.fromStack(stack).toJSON());
});

test('every reviewed template belongs to one of these stacks', () => {
  expect(goldensIn('').filter((name) => !name.startsWith('iam-'))).toEqual(stacks.map(({ name }) => name).sort());
});
