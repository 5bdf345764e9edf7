import { type TableProperties, type TemplateJson, tableResources } from './tables';

/** The requests that create one of a template's tables. */
export interface TableRequests {
  readonly create: Readonly<Record<string, unknown>>;
  /** The request that enables TTL, if the template does. */
  readonly ttl?: Readonly<Record<string, unknown>>;
}

/**
 * Returns the requests that create the tables of a template. The requests match the template exactly, so that an engine
 * refuses a template that would not deploy.
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
    // Unlike a template, a request must also enable the stream explicitly.
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
 * The billing fields of the request. A GlobalTable has capacity per region, which a request cannot express. Patterns do
 * not depend on capacity, so the request makes the table on-demand.
 */
function billing(type: string, { BillingMode, ProvisionedThroughput }: TableProperties): object {
  if (BillingMode === 'PROVISIONED' && type === 'AWS::DynamoDB::GlobalTable') return { BillingMode: 'PAY_PER_REQUEST' };
  return ProvisionedThroughput === undefined ? { BillingMode } : { BillingMode, ProvisionedThroughput };
}
