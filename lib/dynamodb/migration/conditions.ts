import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Update } from '../../evolve';
import { type StoredItem, storedValue } from './stored';

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: StoredItem;
}

/**
 * Returns the condition that none of these attributes has changed since the item was read: each has the same value or
 * is still absent.
 */
export function asRead(stored: StoredItem, names: readonly string[]): Condition {
  const { condition, aliases, compared } = shapeOf(stored, names, [], []);
  const values: StoredItem = {};
  for (const [placeholder, name] of compared) values[placeholder] = stored[name] as AttributeValue;
  return {
    ConditionExpression: condition,
    ExpressionAttributeNames: aliases,
    ...(compared.length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/** Returns the condition that no item has the key. */
export function absent(partition: string): Condition {
  return { ConditionExpression: 'attribute_not_exists(#k)', ExpressionAttributeNames: { '#k': partition } };
}

/** Returns an update that succeeds only if none of these attributes has changed since the item was read. */
export function updateAsRead(
  stored: StoredItem,
  names: readonly string[],
  { set, removed }: Pick<Update, 'set' | 'removed'>,
) {
  const { condition, update, aliases, compared, assigned } = shapeOf(stored, names, Object.keys(set), removed);
  const values: StoredItem = {};
  for (const [placeholder, name] of compared) values[placeholder] = stored[name] as AttributeValue;
  for (const [placeholder, name] of assigned) values[placeholder] = storedValue(name, set[name]);
  return {
    UpdateExpression: update,
    ConditionExpression: condition,
    ExpressionAttributeNames: aliases,
    ...(compared.length + assigned.length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/** The expressions of a write without their values; items with the same attributes share the expressions. */
interface Shape {
  readonly condition: string;
  readonly update: string;
  readonly aliases: Readonly<Record<string, string>>;
  /**
   * Pairs each value placeholder in the condition with the attribute that it is compared to; `assigned` does the same
   * for assignments.
   */
  readonly compared: readonly (readonly [placeholder: string, name: string])[];
  readonly assigned: readonly (readonly [placeholder: string, name: string])[];
}

const shapes = new Map<string, Shape>();

/**
 * Limits the number of cached shapes. Items of open entities may have any attributes, so the cache could otherwise grow
 * without bound.
 */
const MOST_SHAPES = 1000;

function shapeOf(
  stored: StoredItem,
  names: readonly string[],
  set: readonly string[],
  removed: readonly string[],
): Shape {
  // Each name is preceded by its length, because a name may contain any separator.
  let id = '';
  for (const name of names) id += `${stored[name] === undefined ? '-' : '+'}${name.length}:${name}`;
  for (const name of set) id += `=${name.length}:${name}`;
  for (const name of removed) id += `!${name.length}:${name}`;
  const known = shapes.get(id);
  if (known !== undefined) return known;
  if (shapes.size >= MOST_SHAPES) shapes.clear();
  const shape = newShape(stored, names, set, removed);
  shapes.set(id, shape);
  return shape;
}

function newShape(
  stored: StoredItem,
  names: readonly string[],
  set: readonly string[],
  removed: readonly string[],
): Shape {
  const all = [...new Set([...names, ...set, ...removed])];
  const alias = new Map(all.map((name, i) => [name, `#n${i}`]));
  const compared = names.flatMap((name, i) => (stored[name] === undefined ? [] : [[`:v${i}`, name] as const]));
  const assigned = set.map((name, i) => [`:s${i}`, name] as const);
  const placeholders = new Map(compared.map(([placeholder, name]) => [name, placeholder]));
  const conditions = names.map((name) =>
    placeholders.has(name)
      ? `${alias.get(name)} = ${placeholders.get(name)}`
      : `attribute_not_exists(${alias.get(name)})`,
  );
  const sets = assigned.map(([placeholder, name]) => `${alias.get(name)} = ${placeholder}`);
  const removes = removed.map((name) => alias.get(name));
  return {
    condition: conditions.join(' AND '),
    update: [sets.length > 0 ? `SET ${sets.join(', ')}` : '', removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '']
      .filter(Boolean)
      .join(' '),
    aliases: Object.fromEntries([...alias].map(([name, placeholder]) => [placeholder, name])),
    compared,
    assigned,
  };
}
