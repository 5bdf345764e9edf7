// Usage: `node synthesis.cjs <designed|bare> <count> <outdir> <sound|doubtful>`. Synthesizes a number of tables in a
// separate process.
const { AttributeType, Billing, ProjectionType, TableEncryptionV2, TableV2 } = require('aws-cdk-lib/aws-dynamodb');
const { App, RemovalPolicy, Stack } = require('aws-cdk-lib/core');
const { defineTable } = require('tablewright');
const { DesignedTable } = require('tablewright/aws');
const { z } = require('zod');
const { measure } = require('./measure.cjs');

const [side, count, outdir, kind] = process.argv.slice(2);
// CloudFormation limits a stack to 500 resources.
const TABLES_A_STACK = 100;

/**
 * `doubtful` times can have any precision. The check warns about such times in a sort key, and CDK shows the warning.
 */
const times = { sound: () => z.iso.datetime({ precision: 3 }), doubtful: () => z.string() };

/** Every table has a different design, so that no cached result of one design speeds up another. */
const designOf = (name) =>
  defineTable({
    name,
    key: { partition: 'PK', sort: 'SK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    entities: {
      Post: {
        attributes: z.object({
          postId: z.string(),
          category: z.string(),
          publishedAt: times[kind](),
          title: z.string(),
        }),
        keys: {
          PK: 'POST#<postId>',
          SK: 'POST#<postId>',
          GSI1PK: 'CATEGORY#<category>',
          GSI1SK: 'POST#<publishedAt>#<postId>',
        },
      },
    },
    patterns: {
      getPost: { op: 'get', where: { PK: 'POST#<postId>', SK: 'POST#<postId>' }, returns: ['Post'] },
      postsByCategory: {
        op: 'query',
        index: 'GSI1',
        where: { GSI1PK: 'CATEGORY#<category>', GSI1SK: { beginsWith: 'POST#' } },
        returns: ['Post'],
        order: 'descending',
      },
    },
  });

const sides = {
  designed: (stack, name, design) =>
    new DesignedTable(stack, name, { design, environment: 'dev', tableName: `bench-dev-${name}` }),
  bare: (stack, name) =>
    new TableV2(stack, name, {
      tableName: `bench-dev-${name}`,
      partitionKey: { name: 'PK', type: AttributeType.STRING },
      sortKey: { name: 'SK', type: AttributeType.STRING },
      globalSecondaryIndexes: [
        {
          indexName: 'GSI1',
          partitionKey: { name: 'GSI1PK', type: AttributeType.STRING },
          sortKey: { name: 'GSI1SK', type: AttributeType.STRING },
          projectionType: ProjectionType.ALL,
        },
      ],
      billing: Billing.onDemand(),
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 7 },
      deletionProtection: false,
      removalPolicy: RemovalPolicy.DESTROY,
      tags: [{ key: 'environment', value: 'dev' }],
    }),
};

const names = Array.from({ length: Number(count) }, (_, i) => `Table${i}`);
// A user's designs already exist when the synthesis begins. Both sides therefore create the designs before the
// measurement begins.
const designs = names.map(designOf);

measure(() => {
  const app = new App({ outdir });
  let stack;
  names.forEach((name, i) => {
    if (i % TABLES_A_STACK === 0) stack = new Stack(app, `Stack${i / TABLES_A_STACK}`);
    sides[side](stack, name, designs[i]);
  });
  app.synth();
});
