import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { App } from 'aws-cdk-lib/core';
import { SystemStack, TenantAccess } from 'tablewright/aws';
import { app } from './design';

const stack = new SystemStack(new App(), 'app-dev', { design: app, environment: 'dev' });
const fn = new NodejsFunction(stack, 'Notes', {
  entry: 'handler.ts',
  runtime: Runtime.NODEJS_22_X,
  environment: { NOTES: stack.system.tables.notes.table.tableName },
});
// The function may only assume this role, and a session of the role can reach only TENANT#<its own tenant>.
const access = new TenantAccess(stack, 'Tenant', { on: stack.system, patterns: ['notesOfTenant'], callers: [fn] });
fn.addEnvironment('TENANT_ROLE', access.role.roleArn);
