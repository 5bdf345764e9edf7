import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { App, Validations } from 'aws-cdk-lib/core';
import { AwsSolutionsChecks } from 'cdk-nag';
import { SystemStack } from '../../../constructs/aws';
import { namesIn, reservedNames } from '../../../lib/blueprint/system';
import { booking } from '../../../lib/systems';

/** Returns cdk-nag's findings for a stack with a role that receives the grant. */
function judged(grant: (stack: SystemStack<typeof booking>, role: Role) => void): string {
  const app = new App();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const stack = new SystemStack(app, 'booking-prod', { design: booking, environment: 'prod' });
  grant(stack, new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') }));
  try {
    app.synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('cdk-nag accepts grants of all patterns and procedures without acknowledgements', () => {
  const reserved = new Set(reservedNames(booking, namesIn(booking)).map(({ name }) => name));
  const names = namesIn(booking).filter((name) => !reserved.has(name));
  expect(judged(({ system }, role) => system.grantPatterns(role, names as 'getTenant'[]))).toBe('');
});

test("cdk-nag objects to CDK's own grants, which cover all indexes", () => {
  expect(judged(({ system }, role) => system.tables.Bookings.table.grants.readData(role))).toContain(
    'AwsSolutions-IAM5',
  );
});
