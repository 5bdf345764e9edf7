import { type TableProperties, type TemplateJson, tableResources } from './tables';

/** The requests that create a table of a template. */
export interface TableRequests {
  readonly create: Readonly<Record<string, unknown>>;
  /** The request that switches TTL on, if the template does. */
  readonly ttl?: Readonly<Record<string, unknown>>;
}

/**
 * The requests that create every table of a template. They follow the template exactly, so that a template that would
 * not deploy does not pass here either.
 */
export function tableRequests(template: TemplateJson): readonly TableRequests[] {
  return tableResources(template).map(([logicalId, { Type, Properties = {} }]) => {
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
    // A request must also enable the stream explicitly, unlike a template.
    const stream =
      StreamSpecification === undefined ? {} : { StreamSpecification: { StreamEnabled: true, ...StreamSpecification } };
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

/**
 * A GlobalTable has capacity per region, which a request cannot express; patterns do not depend on capacity, so the
 * table is on-demand.
 */
function billing(type: string, { BillingMode, ProvisionedThroughput }: TableProperties): object {
  if (BillingMode === 'PROVISIONED' && type === 'AWS::DynamoDB::GlobalTable') return { BillingMode: 'PAY_PER_REQUEST' };
  return ProvisionedThroughput === undefined ? { BillingMode } : { BillingMode, ProvisionedThroughput };
}
