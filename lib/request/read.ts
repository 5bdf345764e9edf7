import type { BatchGetPattern, GetPattern, KeyCondition, QueryPattern } from '../design/pattern';
import { type KeyRules, render, template, valueAt } from '../design/template';
import { CursorError, readCursor, writeCursor } from './cursor';
import { Expression } from './expression';
import { assertNatural, entityOf, ItemError, readItem, showKey } from './item';
import { attributesOf, type EntityPlan, type Item, type Plan } from './plan';

export interface ReadOptions {
  /** Where the last page ended. @default - the first page */
  readonly cursor?: string;
}

/** Makes a request of one pattern: fast, since all that does not depend on the values is done before. */
export type Builder = (values: object, options?: ReadOptions) => Item;

export function getBuilder(plan: Plan, tableName: string, pattern: GetPattern): Builder {
  const key = keyBuilder(plan, pattern.where, entitiesOf(plan, pattern));
  const consistent = pattern.consistent === true;
  return (values) =>
    consistent
      ? { TableName: tableName, Key: key(values), ConsistentRead: true }
      : { TableName: tableName, Key: key(values) };
}

export function batchGetBuilder(plan: Plan, tableName: string, pattern: BatchGetPattern): Builder {
  const keys = Object.values(pattern.keys).map((where) => ({
    optional: Object.values(where).flatMap((text) => template(text).holes.filter(({ optional }) => optional)),
    build: keyBuilder(plan, where, entitiesOf(plan, pattern)),
  }));
  const consistent = pattern.consistent === true ? { ConsistentRead: true } : {};
  return (values) => {
    const given = keys.filter(({ optional }) =>
      optional.every(({ path }) => (valueAt(values, path) ?? undefined) !== undefined),
    );
    return { RequestItems: { [tableName]: { Keys: given.map(({ build }) => build(values)), ...consistent } } };
  };
}

export function queryBuilder(plan: Plan, tableName: string, name: string, pattern: QueryPattern): Builder {
  const { design } = plan;
  const target = pattern.index === undefined ? design.key : (design.indexes?.[pattern.index] ?? design.key);
  const names = new Expression();
  const selected = pattern.select && projection(plan, pattern.select).map((attribute) => names.name(attribute));
  const entities = entitiesOf(plan, pattern);
  const conditions = attributesOf(target).flatMap((attribute) => {
    const condition = pattern.where[attribute];
    return condition === undefined ? [] : [keyCondition(plan, entities, attribute, names.name(attribute), condition)];
  });
  const values = conditions.flatMap((condition) => condition.values);
  const fixed = {
    TableName: tableName,
    ...(pattern.index === undefined ? {} : { IndexName: pattern.index }),
    KeyConditionExpression: placeholders(conditions),
    ...(selected === undefined ? {} : { ProjectionExpression: selected.join(', ') }),
    ...(pattern.order === 'descending' ? { ScanIndexForward: false } : {}),
    ...(pattern.pageSize === undefined ? {} : { Limit: pattern.pageSize }),
    ...(pattern.consistent === true ? { ConsistentRead: true } : {}),
  };
  return (parameters, options) => {
    const expressionValues: Item = {};
    for (let i = 0; i < values.length; i++) expressionValues[`:k${i}`] = (values[i] as Value)(parameters);
    const input: Item = {
      ...fixed,
      ExpressionAttributeNames: names.names,
      ExpressionAttributeValues: expressionValues,
    };
    if (pattern.filter !== undefined) addFilter(input, names, pattern, parameters);
    if (options?.cursor !== undefined) {
      input.ExclusiveStartKey = startKey(name, options.cursor, target.partition, expressionValues[':k0']);
    }
    return input;
  };
}

/** One page of what a pattern returns. */
export interface ReadResult {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

/** Reads items back. What the design does not know, or the pattern does not return, goes to `onUnknown` or is thrown. */
export function readItems(
  plan: Plan,
  pattern: { readonly returns: readonly string[]; readonly select?: readonly string[] },
  items: readonly Item[],
  onUnknown?: (item: Item, reason: ItemError) => void,
): readonly Item[] {
  const entities = entitiesOf(plan, pattern);
  const read: Item[] = [];
  for (const item of items) {
    try {
      const entity = entityOf(plan, item, entities);
      if (entity === undefined) throw unknownItem(plan, item, pattern.returns);
      read.push(readItem(plan, entity, item, pattern.select));
    } catch (error) {
      if (!(error instanceof ItemError) || onUnknown === undefined) throw error;
      onUnknown(item, error);
    }
  }
  return read;
}

export function cursorAfter(name: string, lastKey: Item | undefined): { readonly cursor?: string } {
  return lastKey === undefined ? {} : { cursor: writeCursor(name, lastKey) };
}

type Value = (parameters: object) => unknown;

interface KeyConditionPart {
  /** The condition, with `?` for each of its values. */
  readonly text: string;
  readonly values: readonly Value[];
}

function keyCondition(
  plan: Plan,
  entities: readonly EntityPlan[],
  attribute: string,
  name: string,
  condition: KeyCondition,
): KeyConditionPart {
  const value = (text: string) => keyValue(plan, entities, attribute, text);
  if (typeof condition === 'string') return { text: `${name} = ?`, values: [value(condition)] };
  if ('beginsWith' in condition) return { text: `begins_with(${name}, ?)`, values: [value(condition.beginsWith)] };
  if ('between' in condition) return { text: `${name} BETWEEN ? AND ?`, values: condition.between.map(value) };
  const [comparison, bound] = Object.entries(condition)[0] as [keyof typeof SIGNS, string];
  return { text: `${name} ${SIGNS[comparison]} ?`, values: [value(bound)] };
}

const SIGNS = { atLeast: '>=', atMost: '<=', greaterThan: '>', lessThan: '<' } as const;

function placeholders(conditions: readonly KeyConditionPart[]): string {
  let count = 0;
  return conditions.map(({ text }) => text.replaceAll('?', () => `:k${count++}`)).join(' AND ');
}

/** A whole primary key. */
export function keyBuilder(
  plan: Plan,
  where: Readonly<Record<string, string>>,
  entities: readonly EntityPlan[],
): (values: object) => Item {
  const parts = plan.primary.map((name) => [name, keyValue(plan, entities, name, where[name] ?? '')] as const);
  return (values) => {
    const key: Item = {};
    for (const [name, value] of parts) key[name] = value(values);
    return key;
  };
}

/** A key as a template makes it, or the parameter itself where the key is an attribute of the entities. */
function keyValue({ rules }: Plan, entities: readonly EntityPlan[], attribute: string, text: string): Value {
  const read = template(text);
  const [part] = read.parts;
  if (read.holes.length === 0) return () => text;
  const natural = entities.some(({ keys }) => keys.get(attribute)?.natural === true);
  if (natural && read.parts.length === 1 && typeof part === 'object' && part.format === undefined) {
    return (parameters) => {
      const value = valueAt(parameters, part.path);
      assertNatural(part.name, value);
      return value;
    };
  }
  const keyRules = rules.get(attribute) as KeyRules;
  return (parameters) => render(read, parameters, keyRules);
}

function addFilter(input: Item, names: Expression, { filter = {} }: QueryPattern, parameters: object): void {
  const expression = new Expression(names.names);
  const tests = expression.tests(filter, parameters);
  if (tests.length === 0) return;
  input.FilterExpression = tests.join(' AND ');
  input.ExpressionAttributeNames = expression.names;
  input.ExpressionAttributeValues = { ...(input.ExpressionAttributeValues as Item), ...expression.values };
}

/** A cursor goes on within the partition it came from, and in no other. */
function startKey(name: string, cursor: string, partition: string, asked: unknown): Item {
  const key = readCursor(name, cursor);
  if (key[partition] !== asked) {
    throw new CursorError(
      `the cursor is of ${partition} ${JSON.stringify(key[partition])}, not of ${JSON.stringify(asked)}`,
    );
  }
  return key;
}

/** What is selected, and what it takes to know an item by. */
function projection({ design, primary }: Plan, selected: readonly string[]): readonly string[] {
  return [...new Set([...primary, ...(design.typeAttribute === undefined ? [] : [design.typeAttribute]), ...selected])];
}

function entitiesOf({ entities }: Plan, { returns }: { readonly returns: readonly string[] }): readonly EntityPlan[] {
  return returns.map((name) => entities.get(name)).filter((entity) => entity !== undefined);
}

function unknownItem(plan: Plan, item: Item, returns: readonly string[]): ItemError {
  const known = entityOf(plan, item, plan.entities.values());
  const what = known === undefined ? 'is none that the design knows' : `is a ${known.name}`;
  return new ItemError(`the item ${showKey(plan, item)} ${what}, and the pattern returns ${returns.join(', ')}`);
}
