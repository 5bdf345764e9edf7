import type { Access } from '../blueprint/accesses';
import { type EntityOutline, entityNamed, type TableOutline } from '../blueprint/outline';
import type { DeletePattern, PutPattern, RequireStep, TransactionStep } from '../design/pattern';
import { type Item, ItemError, makeItem } from '../items/item';
import { itemValues } from '../items/operands';
import { keyBuilder } from '../items/parameters';
import { conditioned, Expression } from './expression';
import type { Builder } from './read';
import { updateBuilder } from './update';

export function writeBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  [access]: readonly Access[],
): Builder {
  const build = stepBuilder(table, tableName, name, access as Access);
  return (values) => build(values, values);
}

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck' } as const;

export function transactionBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  accesses: readonly Access[],
): Builder {
  const builders = accesses.map((access) => ({
    step: access.part as string,
    part: PARTS[access.action as keyof typeof PARTS],
    build: stepBuilder(table, tableName, `${name}.${access.part}`, access),
  }));
  return (values) => ({
    TransactItems: builders.map(({ step, part, build }) => ({
      [part]: build(values, (values as Item)[step] as object),
    })),
  });
}

/** Makes one write. `own` are the values that a put takes its item from, where the pattern does not spell it out. */
type StepBuilder = (values: object, own: object) => Item;

function stepBuilder(table: TableOutline, tableName: string, name: string, access: Access): StepBuilder {
  const step = access.step as TransactionStep;
  const entity = entityNamed(table, step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is not an entity of '${table.name}'`);
  if ('unchanged' in step && step.unchanged)
    throw new ItemError(
      `${name}: DynamoDB has no ETag for 'unchanged'; keep a version, and write condition: { version: '<version>' }`,
    );
  if (step.op === 'put') return putBuilder(table, tableName, entity, step);
  const key = keyBuilder(table, step.where, [entity]);
  const rest =
    step.op === 'update'
      ? updateBuilder(table, entity, name, step)
      : (values: object) => conditionInput(step, entity, values);
  return (values) => ({ TableName: tableName, Key: key(values), ...rest(values) });
}

export function putBuilder(
  table: TableOutline,
  tableName: string,
  entity: EntityOutline,
  { item, replace, condition }: Omit<PutPattern, 'op' | 'entity'>,
): StepBuilder {
  const partition = table.key.partition.name;
  const itemOf = (values: object, own: object) =>
    makeItem(table, entity, item === undefined ? own : itemValues(item, values));
  if (condition === undefined && !replace) {
    // A new item alone is by far the most frequent write, and its condition is always the same.
    const ExpressionAttributeNames = Object.freeze({ '#0': partition });
    return (values, own) => ({
      TableName: tableName,
      Item: itemOf(values, own),
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames,
    });
  }
  return (values, own) => {
    const expression = new Expression();
    const tests = [
      ...(replace ? [] : [`attribute_not_exists(${expression.name(partition)})`]),
      ...expression.tests(condition ?? {}, [entity], values),
    ];
    return { TableName: tableName, Item: itemOf(values, own), ...conditioned(tests), ...expression.input };
  };
}

function conditionInput({ condition }: DeletePattern | RequireStep, entity: EntityOutline, values: object): Item {
  const expression = new Expression();
  return { ...conditioned(expression.tests(condition ?? {}, [entity], values)), ...expression.input };
}
