import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import { type EnvironmentName, environments } from '../../constructs/environment';
import { systemsOf } from '../../lib/systems';
import { expectGolden } from '../support/golden';

const stacks = systemsOf('aws').flatMap((design) =>
  (Object.keys(environments) as EnvironmentName[]).map((environment) => ({
    name: `${design.name}-${environment}`,
    design,
    environment,
  })),
);

test.each(stacks)('the template of $name is the one under review', ({ name, design, environment }) => {
  const stack = new SystemStack(new App(), name, { design, environment });
  expectGolden(name, Template.fromStack(stack).toJSON());
});
