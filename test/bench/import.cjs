// Imports what a stack imports, in a process of its own: node import.cjs <designed|bare>
// aws-cdk-lib loads a class when it is first named, so both sides name all that a stack of tables comes to use: a
// hand-written one in its own file, the other in the constructs that do it for it.
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
