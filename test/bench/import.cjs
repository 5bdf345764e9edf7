// Usage: `node import.cjs <designed|bare>`. Imports the modules of a stack in a separate process. Because aws-cdk-lib
// loads a class on first use, both sides use every class that a stack of tables needs: the handwritten stack directly,
// and the other stack through the constructs.
const { createRequire } = require('node:module');
const { measure } = require('./measure.cjs');

const sides = {
  designed() {
    const { AdoptedTable, DesignedSystem, DesignedTable, SystemStack } = require('tablewright/aws');
    const { App } = require('aws-cdk-lib/core');
    const constructs = createRequire(require.resolve('tablewright/aws'));
    return [App, AdoptedTable, DesignedSystem, DesignedTable, SystemStack, classes(constructs)];
  },
  bare() {
    return classes(require);
  },
};

function classes(load) {
  const { App, CfnOutput, RemovalPolicy, Stack, Tags, Token } = load('aws-cdk-lib/core');
  const dynamodb = load('aws-cdk-lib/aws-dynamodb');
  const { AttributeType, Billing, ContributorInsightsMode, ProjectionType, TableEncryptionV2, TableV2 } = dynamodb;
  const { Key } = load('aws-cdk-lib/aws-kms');
  const { Construct } = load('constructs');
  return [
    [App, CfnOutput, Construct, Key, RemovalPolicy, Stack, Tags, Token],
    [AttributeType, Billing, ContributorInsightsMode, ProjectionType, TableEncryptionV2, TableV2],
  ];
}

measure(sides[process.argv[2]]);
