import { isRecord, type Loose, record } from './review/shape';
import { AWS_TABLE_TYPES } from './tables';

/** Why something that was read is no template whose tables can be told; undefined where they can. */
export function templateProblem(template: unknown): string | undefined {
  if (!isRecord(template)) return 'it must be an object';
  const { Resources = {} } = template;
  if (!isRecord(Resources)) return "'Resources' must be an object";
  for (const [id, resource] of Object.entries(Resources)) {
    if (!isRecord(resource) || !isText(resource.Type)) return `resource '${id}' must be an object with a Type`;
    if (!AWS_TABLE_TYPES.includes(resource.Type)) continue;
    const { Properties = {} } = resource;
    if (!isRecord(Properties)) return `the properties of table '${id}' must be an object`;
    if (!isLegible(Properties)) return `table '${id}' has keys, indexes or replicas that are known only at deployment`;
  }
  return undefined;
}

/** Whether keys, indexes and regions are there to read, and not only known when it is deployed. */
export function isLegible(properties: Loose): boolean {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes, Replicas } = properties;
  return (
    isListOf(KeySchema, isKeyElement) &&
    isListOf(AttributeDefinitions, (one) => [one.AttributeName, one.AttributeType].every(isText)) &&
    isListOf(GlobalSecondaryIndexes, isIndex) &&
    isListOf(LocalSecondaryIndexes, isIndex) &&
    isListOf(Replicas, (one) => !Object.keys(one).some((name) => name === 'Ref' || name.startsWith('Fn::')))
  );
}

function isIndex({ IndexName, KeySchema, Projection = {} }: Loose): boolean {
  const { NonKeyAttributes = [] } = record(Projection);
  return (
    isText(IndexName) &&
    isListOf(KeySchema, isKeyElement) &&
    isRecord(Projection) &&
    Array.isArray(NonKeyAttributes) &&
    NonKeyAttributes.every(isText)
  );
}

function isKeyElement({ AttributeName, KeyType }: Loose): boolean {
  return isText(AttributeName) && isText(KeyType);
}

function isListOf(value: unknown, isOne: (one: Loose) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every((one) => isRecord(one) && isOne(one)));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
