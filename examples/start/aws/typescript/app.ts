import { App } from 'aws-cdk-lib/core';
import { SystemStack } from 'tablewright/aws';
import { shop } from './design';

const app = new App();
for (const environment of ['dev', 'prod'] as const)
  new SystemStack(app, `shop-${environment}`, { design: shop, environment });
