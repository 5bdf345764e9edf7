import { AWS_TABLE_TYPES, type TableProperties, type TemplateJson } from './tables';

/** What it takes to make a table of a template by hand. */
export interface TableRequests {
  readonly create: Readonly<Record<string, unknown>>;
  /** The request that switches TTL on, where the template does. */
  readonly ttl?: Readonly<Record<string, unknown>>;
}

/**
 * Every table of a template as the requests that make it. All is taken over as it is written there, so that a template
 * that would not deploy does not pass here either.
 */
export function tableRequests(template: TemplateJson): readonly TableRequests[] {
  return Object.entries(template.Resources ?? {})
    .filter(([, { Type }]) => AWS_TABLE_TYPES.includes(Type))
    .map(([logicalId, { Type, Properties = {} }]) => {
      const TableName = typeof Properties.TableName === 'string' ? Properties.TableName : logicalId;
      const {
        AttributeDefinitions,
        KeySchema,
        GlobalSecondaryIndexes,
        LocalSecondaryIndexes,
        TimeToLiveSpecification,
        StreamSpecification,
      } = Properties;
      const indexes = LocalSecondaryIndexes === undefined ? {} : { LocalSecondaryIndexes };
      // A template that asks for a stream does not say twice that there is one.
      const stream =
        StreamSpecification === undefined
          ? {}
          : { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } };
      return {
        create: {
          TableName,
          AttributeDefinitions,
          KeySchema,
          GlobalSecondaryIndexes,
          ...indexes,
          ...stream,
          ...billing(Type, Properties),
        },
        ...(TimeToLiveSpecification === undefined ? {} : { ttl: { TableName, TimeToLiveSpecification } }),
      };
    });
}

/** A GlobalTable says its capacity region by region, which no request does; no pattern depends on it. */
function billing(type: string, { BillingMode, ProvisionedThroughput }: TableProperties): object {
  if (BillingMode === 'PROVISIONED' && type === 'AWS::DynamoDB::GlobalTable') return { BillingMode: 'PAY_PER_REQUEST' };
  return ProvisionedThroughput === undefined ? { BillingMode } : { BillingMode, ProvisionedThroughput };
}
