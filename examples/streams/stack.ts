import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable } from 'tablewright/aws';
import { orders } from './design';

const stack = new Stack(new App(), 'sales-dev');
const table = new DesignedTable(stack, 'Orders', {
  design: orders,
  environment: 'dev',
  dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
});
const fn = new NodejsFunction(stack, 'Revenue', {
  entry: 'handler.ts',
  runtime: Runtime.NODEJS_22_X,
  environment: { ORDERS: table.table.tableName },
});
// Lambda filters the stream, and calls the function only for orders.
table.onChange(fn, ['Order']);
table.grantPattern(fn, 'countOrder');
