import type { DeletePattern, PutPattern, RequireStep, TransactionPattern, TransactionStep } from '../design/pattern';
import { ItemError, makeItem } from '../items/item';
import type { EntityPlan, Item, Plan } from '../items/plan';
import { conditioned, Expression, operandValue } from './expression';
import { type Builder, keyBuilder } from './read';
import { updateBuilder } from './update';

export function writeBuilder(
  plan: Plan,
  tableName: string,
  name: string,
  step: Exclude<TransactionStep, RequireStep>,
): Builder {
  const build = stepBuilder(plan, tableName, name, step);
  return (values) => build(values, values);
}

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck' } as const;

export function transactionBuilder(
  plan: Plan,
  tableName: string,
  name: string,
  { steps }: TransactionPattern,
): Builder {
  const builders = Object.entries(steps).map(([step, design]) => ({
    step,
    part: PARTS[design.op],
    build: stepBuilder(plan, tableName, `${name}.${step}`, design),
  }));
  return (values) => ({
    TransactItems: builders.map(({ step, part, build }) => ({
      [part]: build(values, (values as Item)[step] as object),
    })),
  });
}

/** Makes one write. `own` are the values that a put takes its item from, where the pattern does not spell it out. */
type StepBuilder = (values: object, own: object) => Item;

function stepBuilder(plan: Plan, tableName: string, name: string, step: TransactionStep): StepBuilder {
  const entity = plan.entities.get(step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is no entity of '${plan.design.name}'`);
  if ('unchanged' in step && step.unchanged)
    throw new ItemError(
      `${name}: DynamoDB has no ETag for 'unchanged'; keep a version, and write condition: { version: '<version>' }`,
    );
  if (step.op === 'put') return putBuilder(plan, tableName, entity, step);
  const key = keyBuilder(plan, step.where, [entity]);
  const rest =
    step.op === 'update' ? updateBuilder(plan, entity, name, step) : (values: object) => conditionInput(step, values);
  return (values) => ({ TableName: tableName, Key: key(values), ...rest(values) });
}

export function putBuilder(
  plan: Plan,
  tableName: string,
  entity: EntityPlan,
  { item, replace, condition }: Omit<PutPattern, 'op' | 'entity'>,
): StepBuilder {
  const [partition] = plan.primary as [string];
  const itemOf = (values: object, own: object) =>
    makeItem(plan, entity, item === undefined ? own : itemValues(item, values));
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
      ...expression.tests(condition ?? {}, values),
    ];
    return { TableName: tableName, Item: itemOf(values, own), ...conditioned(tests), ...expression.input };
  };
}

export function itemValues(item: NonNullable<PutPattern['item']>, values: object): Item {
  const entries = Object.entries(item).map(([name, operand]) => {
    if (typeof operand === 'object' && operand !== null)
      throw new ItemError(`${name}: a new item has no attribute to copy`);
    return [name, operandValue(operand, values)];
  });
  return Object.fromEntries(entries);
}

function conditionInput({ condition }: DeletePattern | RequireStep, values: object): Item {
  const expression = new Expression();
  return { ...conditioned(expression.tests(condition ?? {}, values)), ...expression.input };
}
