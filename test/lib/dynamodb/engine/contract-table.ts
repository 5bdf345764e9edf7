import { DescribeTableCommand, DescribeTimeToLiveCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { DesignedTable } from '../../../../constructs/aws';
import { defineTable } from '../../../../lib/design/table';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import type { TemplateJson } from '../../../../lib/dynamodb/template/tables';

/** A table with every kind of key, index and projection that designs can have. */
const design = defineTable({
  name: 'contract',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    All: { partition: 'GSI1PK', sort: 'GSI1SK' },
    Some: { partition: 'GSI2PK', sort: 'rank', projection: ['kept'] },
    Keys: { partition: 'GSI2PK', projection: 'keys' },
  },
  ttl: 'ttl',
  entities: {
    Thing: {
      attributes: z.object({ id: z.string(), rank: z.number(), kept: z.string(), lost: z.string(), ttl: z.int() }),
      keys: { PK: 'P#<id>', SK: 'S#<id>', GSI1PK: 'A#<id>', GSI1SK: 'B#<id>', GSI2PK: 'C#<id>' },
    },
  },
});

/**
 * Returns the template of the contract table. The caller passes a unique table name, because the server at an endpoint
 * may already have other tables.
 */
export function templateNamed(tableName: string): TemplateJson {
  const stack = new Stack(new App(), 'Stack');
  new DesignedTable(stack, 'Table', { design, environment: 'dev', tableName });
  return Template.fromStack(stack).toJSON() as TemplateJson;
}

const ANY = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Describes a table and its TTL through an SDK client. */
export async function describeTable({ endpoint, credentials = ANY }: Database, TableName: string) {
  const local = { endpoint, region: 'local', credentials };
  const client = new DynamoDBClient(endpoint === undefined ? {} : local);
  try {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
    return { description: Table, ttl: TimeToLiveDescription };
  } finally {
    client.destroy();
  }
}
