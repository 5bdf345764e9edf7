import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../constructs/aws';
import { blog, systemsOf, trimobe } from '../../../lib/systems';

test('a system stack outputs the names and ARNs of all its tables', () => {
  const template = Template.fromStack(
    new SystemStack(new App(), 'trimobe-dev', { design: trimobe, environment: 'dev' }),
  );
  expect(Object.keys(template.findOutputs('*')).sort()).toEqual(
    ['Tenants', 'Users', 'RuralCreditAI'].flatMap((table) => [`${table}TableArn`, `${table}TableName`]).sort(),
  );
});

test('a system stack does not create adopted tables, but lists them in its outputs', () => {
  const adopt = { Tenants: { tableName: 'boilerplate-tenants' }, Users: { tableName: 'boilerplate-users' } };
  const template = Template.fromStack(new SystemStack(new App(), 'trimobe-prod', { design: trimobe, adopt }));
  const made = Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
  expect(made.map((table) => table.Properties.TableName)).toEqual(['trimobe-prod-RuralCreditAI']);
  template.hasOutput('UsersTableName', { Value: 'boilerplate-users' });
});

test('logical ids are pinned, since a different id would replace a table and lose its data', () => {
  const ids = systemsOf('aws').flatMap((design) => {
    const template = Template.fromStack(new SystemStack(new App(), `${design.name}-prod`, { design }));
    return Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
  });
  expect(ids).toMatchInlineSnapshot(`
[
  "TenantsA9C48FD3",
  "Users0A0EEA89",
  "RuralCreditAI206B32A5",
  "blogF3DAE94C",
  "TenantsA9C48FD3",
  "TenantApiKeysCDAF4A61",
  "Services8FACC938",
  "Providers00248E55",
  "ProviderAvailability70B77C87",
  "BookingsB1C24132",
  "ConversationState505F927D",
  "TransporteApp6B106419",
]
`);
});

test('the largest system, with its alarms, uses less than a sixth of the 500 resources that a stack may have', () => {
  const counts = systemsOf('aws').map((design) => {
    const { Resources } = Template.fromStack(new SystemStack(new App(), `${design.name}-prod`, { design })).toJSON();
    return Object.keys(Resources).length;
  });
  expect(Math.max(...counts)).toBeLessThanOrEqual(83);
});

test('the logical ids of a system do not depend on the environment', () => {
  const idsOf = (environment: 'dev' | 'prod') =>
    Object.keys(
      Template.fromStack(
        new SystemStack(new App(), `blog-${environment}`, { design: blog, environment }),
      ).findResources('AWS::DynamoDB::GlobalTable'),
    );
  expect(idsOf('dev')).toEqual(idsOf('prod'));
});

test('synthesizing the same design twice produces identical templates', () => {
  const synthesize = () => Template.fromStack(new SystemStack(new App(), 'blog-prod', { design: blog })).toJSON();
  expect(synthesize()).toEqual(synthesize());
});

test('a stack has termination protection if its environment protects data', () => {
  expect(new SystemStack(new App(), 'a', { design: blog, environment: 'prod' }).terminationProtection).toBe(true);
  expect(new SystemStack(new App(), 'a', { design: blog, environment: 'dev' }).terminationProtection).toBe(false);
});

test('a refused design leaves no stack in the app', () => {
  const app = new App();
  const design = { ...blog, tables: { blog: { ...blog.tables.blog, ttl: 'PK' } } };
  expect(() => new SystemStack(app, 'blog-prod', { design })).toThrow("system design 'blog' has 1 problem");
  expect(app.node.children.map(({ node }) => node.id)).not.toContain('blog-prod');
});
