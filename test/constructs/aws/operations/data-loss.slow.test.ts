import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AttributeType, type CfnGlobalTable, Table } from 'aws-cdk-lib/aws-dynamodb';
import { App, Annotations as CdkAnnotations, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, environments, SystemStack } from '../../../../constructs/aws';
import { warnOfDataLoss } from '../../../../constructs/aws/operations';
import type { Environment } from '../../../../constructs/environment';
import { blog } from '../../../../lib/systems';

function warnings(environment: Environment, change: (table: DesignedTable) => void = () => {}): string[] {
  const stack = new Stack(new App(), 'Test');
  change(new DesignedTable(stack, 'Blog', { design: blog.tables.blog, environment }));
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ id, entry }) => `${id}: ${/\[ack: (.*)\]/.exec(String(entry.data))?.[1]}`);
}

const table = '/Test/Blog/Default/Resource';

test.each(Object.values(environments))('the environment $name has no warnings by default', (environment) => {
  expect(warnings(environment)).toEqual([]);
});

test('warns about a prod table that would be deleted with its stack', () => {
  const change = (designed: DesignedTable) => designed.table.applyRemovalPolicy(RemovalPolicy.DESTROY);
  expect(warnings(environments.prod, change)).toEqual([`${table}: tablewright:data-loss:removal`]);
});

test('warns about a prod table without deletion protection', () => {
  const change = (designed: DesignedTable) => {
    const resource = designed.table.node.defaultChild as CfnGlobalTable;
    resource.replicas = [{ region: 'eu-west-1' }];
  };
  expect(warnings(environments.prod, change)).toEqual([`${table}: tablewright:data-loss:deletion-protection`]);
});

test('warns about a key that would be deleted with its stack, because no backup can be read without it', () => {
  const change = (designed: DesignedTable) => designed.table.encryptionKey?.applyRemovalPolicy(RemovalPolicy.DESTROY);
  expect(warnings(environments.prod, change)).toEqual(['/Test/Blog/Key/Resource: tablewright:data-loss:removal']);
});

test('warns about an unprotected environment whose name begins with prod', () => {
  const environment = { ...environments.prod, name: 'production', protectData: false };
  expect([...warnings(environment)].sort()).toEqual([
    `${table}: tablewright:data-loss:deletion-protection`,
    `${table}: tablewright:data-loss:removal`,
    '/Test/Blog/Key/Resource: tablewright:data-loss:removal',
  ]);
});

test('does not warn about an unprotected environment whose name does not begin with prod', () => {
  expect(warnings({ ...environments.prod, name: 'preview', protectData: false })).toEqual([]);
});

test('a warning can be acknowledged with a reason', () => {
  const change = (designed: DesignedTable) => {
    designed.table.applyRemovalPolicy(RemovalPolicy.DESTROY);
    CdkAnnotations.of(designed).acknowledgeWarning('tablewright:data-loss:removal', 'it is a cache');
  };
  expect(warnings(environments.prod, change)).toEqual([]);
});

test("also warns about a system's own key", () => {
  const stack = new SystemStack(new App(), 'Test', { design: blog });
  stack.system.encryptionKey?.applyRemovalPolicy(RemovalPolicy.DESTROY);
  expect(Annotations.fromStack(stack).findWarning('*', Match.anyValue())).toHaveLength(1);
});

test('`warnOfDataLoss` also checks tables created without this library', () => {
  const stack = new Stack(new App(), 'Test');
  const partitionKey = { name: 'id', type: AttributeType.STRING };
  new Table(stack, 'Safe', { partitionKey, deletionProtection: true });
  new Table(stack, 'Bare', { partitionKey, removalPolicy: RemovalPolicy.DESTROY });
  warnOfDataLoss(stack, environments.prod);
  expect(
    Annotations.fromStack(stack)
      .findWarning('*', Match.anyValue())
      .map(({ id }) => id),
  ).toEqual(['/Test/Bare/Resource', '/Test/Bare/Resource']);
});
