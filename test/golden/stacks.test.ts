import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import type { EnvironmentName } from '../../constructs/environment';
import { blog, systemsOf } from '../../lib/systems';
import { expectGolden, goldensIn } from '../support/golden';

/**
 * Every system in prod, where a change that nobody saw would cost most. What makes dev and staging differ is the same for
 * all systems, and is asserted bit by bit beside `constructs/environment.ts`: one system shows that it all comes together.
 */
const stacks = [
  ...systemsOf('aws').map((design) => ({ design, environment: 'prod' as EnvironmentName })),
  ...(['dev', 'staging'] as const).map((environment) => ({ design: blog, environment })),
].map((stack) => ({ ...stack, name: `${stack.design.name}-${stack.environment}` }));

test.each(stacks)('the template of $name is the one under review', ({ name, design, environment }) => {
  const stack = new SystemStack(new App(), name, { design, environment });
  expectGolden(name, Template.fromStack(stack).toJSON());
});

test('no other template is under review', () => {
  expect(goldensIn('').filter((name) => !name.startsWith('iam-'))).toEqual(stacks.map(({ name }) => name).sort());
});
