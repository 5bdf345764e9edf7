import { AWS_TABLE_TYPES, type TemplateJson } from './tables';

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
    .map(([logicalId, { Properties = {} }]) => {
      const TableName = typeof Properties.TableName === 'string' ? Properties.TableName : logicalId;
      const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode, TimeToLiveSpecification } =
        Properties;
      return {
        create: { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode },
        ...(TimeToLiveSpecification === undefined ? {} : { ttl: { TableName, TimeToLiveSpecification } }),
      };
    });
}
