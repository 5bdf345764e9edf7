import { isObject } from '../../design/show';
import { type Loose, record } from './review/shape';
import { AWS_TABLE_TYPES } from './tables';

/** Why the tables of a template cannot be read; undefined if they can be read. */
export function templateProblem(template: unknown): string | undefined {
  if (!isObject(template)) return 'a template must be an object';
  const { Resources = {} } = template;
  if (!isObject(Resources)) return "'Resources' must be an object";
  for (const [id, resource] of Object.entries(Resources)) {
    if (!isObject(resource) || !isText(resource.Type)) return `resource '${id}' must be an object with a 'Type'`;
    if (!AWS_TABLE_TYPES.includes(resource.Type)) continue;
    const { Properties = {} } = resource;
    if (!isObject(Properties)) return `the properties of table '${id}' must be an object`;
    if (!isLegible(Properties)) return `table '${id}' has keys, indexes or replicas that are known only at deployment`;
  }
  return undefined;
}

/** Whether a table's properties spell out its keys, indexes and regions, rather than leaving them to deployment. */
export function isLegible(properties: Loose): boolean {
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, LocalSecondaryIndexes, Replicas } = properties;
  return (
    isListOf(KeySchema, isKeyElement) &&
    isListOf(
      AttributeDefinitions,
      ({ AttributeName, AttributeType }) => isText(AttributeName) && isText(AttributeType),
    ) &&
    isListOf(GlobalSecondaryIndexes, isIndex) &&
    isListOf(LocalSecondaryIndexes, isIndex) &&
    isListOf(Replicas, (replica) => !Object.keys(replica).some((name) => name === 'Ref' || name.startsWith('Fn::')))
  );
}

function isIndex({ IndexName, KeySchema, Projection = {} }: Loose): boolean {
  const { NonKeyAttributes = [] } = record(Projection);
  return (
    isText(IndexName) &&
    isListOf(KeySchema, isKeyElement) &&
    isObject(Projection) &&
    Array.isArray(NonKeyAttributes) &&
    NonKeyAttributes.every(isText)
  );
}

function isKeyElement({ AttributeName, KeyType }: Loose): boolean {
  return isText(AttributeName) && isText(KeyType);
}

function isListOf(value: unknown, isElement: (element: Loose) => boolean): boolean {
  const isRight = (element: unknown) => isObject(element) && isElement(element);
  return value === undefined || (Array.isArray(value) && value.every(isRight));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
