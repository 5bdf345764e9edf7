import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Update } from '../../evolve';
import { type StoredItem, storedValue } from './stored';

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: StoredItem;
}

/** The condition that all of these attributes are as they were read: with the same values, or absent. */
export function asRead(stored: StoredItem, names: readonly string[]): Condition {
  const ExpressionAttributeNames: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const parts = names.map((name, i) => {
    ExpressionAttributeNames[`#n${i}`] = name;
    const value = stored[name];
    if (value === undefined) return `attribute_not_exists(#n${i})`;
    values[`:v${i}`] = value;
    return `#n${i} = :v${i}`;
  });
  return {
    ConditionExpression: parts.join(' AND '),
    ExpressionAttributeNames,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/** The condition that no item has the key. */
export function absent(partition: string): Condition {
  return { ConditionExpression: 'attribute_not_exists(#k)', ExpressionAttributeNames: { '#k': partition } };
}

/** An update with a condition, which may name the same attributes. */
export function updateOn(condition: Condition, { set, removed }: Pick<Update, 'set' | 'removed'>) {
  const names = { ...condition.ExpressionAttributeNames };
  const values = { ...condition.ExpressionAttributeValues };
  const sets = Object.entries(set).map(([name, value], i) => {
    values[`:s${i}`] = storedValue(name, value);
    return `${alias(names, name)} = :s${i}`;
  });
  const gone = removed.map((name) => alias(names, name));
  const parts = [sets.length > 0 ? `SET ${sets.join(', ')}` : '', gone.length > 0 ? `REMOVE ${gone.join(', ')}` : ''];
  return {
    UpdateExpression: parts.filter(Boolean).join(' '),
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/** The placeholder of an attribute in an expression. */
function alias(names: Record<string, string>, name: string): string {
  const known = Object.keys(names).find((placeholder) => names[placeholder] === name);
  if (known !== undefined) return known;
  const made = `#n${Object.keys(names).length}`;
  names[made] = name;
  return made;
}
