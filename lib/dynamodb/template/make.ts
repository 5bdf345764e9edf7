import type { IndexBlueprint, KeyAttribute, KeyBlueprint } from '../../blueprint/outline';
import { keyAttributesOf, type PhysicalTable, type PhysicalTables } from '../../blueprint/physical-table';
import type { TableResource, TemplateJson } from './tables';

/**
 * A template that contains only the given tables, keyed by logical id, with the properties that an engine needs to
 * create them.
 */
export function templateOf(tables: PhysicalTables): TemplateJson {
  const resources = Object.entries(tables).map(([logicalId, table]) => [logicalId, resourceOf(table)]);
  return { Resources: Object.fromEntries(resources) };
}

const TYPES = { string: 'S', number: 'N', binary: 'B' } as const;

/** A table as a resource of a template; the table is on-demand by default. */
export function resourceOf(table: PhysicalTable): TableResource {
  const { name, type = 'AWS::DynamoDB::Table', key, indexes, ttl, ttlOff = ttl, stream } = table;
  const local = indexes.filter((index) => index.local);
  const global = indexes.filter((index) => !index.local);
  return {
    Type: type,
    Properties: {
      ...(name === undefined ? {} : { TableName: name }),
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keyAttributesOf(table).map((attribute) => ({
        AttributeName: attribute.name,
        AttributeType: TYPES[attribute.type],
      })),
      KeySchema: schemaOf(key),
      ...(global.length === 0 ? {} : { GlobalSecondaryIndexes: global.map(indexOf) }),
      ...(local.length === 0 ? {} : { LocalSecondaryIndexes: local.map(indexOf) }),
      ...(ttlOff === undefined
        ? {}
        : { TimeToLiveSpecification: { AttributeName: ttlOff, Enabled: ttl !== undefined } }),
      ...(typeof stream === 'string' ? { StreamSpecification: { StreamViewType: stream } } : {}),
    },
  };
}

function indexOf(index: IndexBlueprint) {
  return {
    IndexName: index.name,
    KeySchema: schemaOf(index),
    Projection:
      typeof index.projection === 'string'
        ? { ProjectionType: index.projection === 'all' ? 'ALL' : 'KEYS_ONLY' }
        : { ProjectionType: 'INCLUDE', NonKeyAttributes: index.projection },
  };
}

function schemaOf({ partitionBy, sortBy }: KeyBlueprint) {
  const side = (KeyType: 'HASH' | 'RANGE', by: readonly KeyAttribute[]) =>
    by.map(({ name }) => ({ AttributeName: name, KeyType }));
  return [...side('HASH', partitionBy), ...side('RANGE', sortBy)];
}
