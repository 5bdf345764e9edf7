import { FunctionUrlAuthType, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from 'tablewright/aws';
import { api } from './design';

const stack = new SystemStack(new App(), 'api-dev', { design: api, environment: 'dev' });
const { tasks } = stack.system.tables;
const fn = new NodejsFunction(stack, 'Api', {
  entry: 'handler.ts',
  runtime: Runtime.NODEJS_22_X,
  environment: { TASKS: tasks.table.tableName },
});
fn.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
// Allows only Query, PutItem and UpdateItem, on the partitions LIST#*.
tasks.grantPattern(fn, 'tasksOfList', 'addTask', 'finishTask');
