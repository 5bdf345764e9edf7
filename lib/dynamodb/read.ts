import { isNumber, type Schema, schemaAt } from '../blueprint/attributes/schema';
import type { BatchGetPattern, GetPattern, KeyCondition, QueryPattern } from '../design/pattern';
import type { IndexDesign } from '../design/table';
import { type Hole, KeyError, type KeyRules, template, valueAt } from '../design/template';
import { CursorError, isSame, readCursor } from '../items/cursor';
import { entityOf, ItemError, readItem, schemaOf, showKey, typed } from '../items/item';
import { attributesOf, type EntityPlan, type Item, type KeyPlan, naturalKey, type Plan } from '../items/plan';
import { renderer } from '../items/renderer';
import { compared, comparisonOf, Expression } from './expression';

export interface ReadOptions {
  /** Where the last page ended. @default - the first page */
  readonly cursor?: string;
}

/** Makes a request of one pattern: fast, since all that does not depend on the values is done before. */
export type Builder = (values: object, options?: ReadOptions) => Item;

export function getBuilder(plan: Plan, tableName: string, pattern: GetPattern): Builder {
  const key = keyBuilder(plan, pattern.where, entitiesOf(plan, pattern));
  if (pattern.consistent) return (values) => ({ TableName: tableName, Key: key(values), ConsistentRead: true });
  return (values) => ({ TableName: tableName, Key: key(values) });
}

export function batchGetBuilder(plan: Plan, tableName: string, name: string, pattern: BatchGetPattern): Builder {
  const keys = Object.values(pattern.keys).map((where) => ({
    optional: Object.values(where).flatMap((text) => template(text).holes.filter(({ optional }) => optional)),
    build: keyBuilder(plan, where, entitiesOf(plan, pattern)),
  }));
  const consistent = pattern.consistent ? { ConsistentRead: true } : {};
  return (values) => {
    const given = keys.filter(({ optional }) =>
      optional.every(({ path }) => (valueAt(values, path) ?? undefined) !== undefined),
    );
    if (given.length === 0) {
      const names = keys.flatMap(({ optional }) => optional.map((hole) => `<${hole.name}>`));
      throw new KeyError(name, `${name}: there is nothing to get; give at least one of ${names.join(', ')}`);
    }
    return {
      RequestItems: { [tableName]: { Keys: distinct(given.map(({ build }) => build(values))), ...consistent } },
    };
  };
}

/** DynamoDB refuses to get one item twice. */
function distinct(keys: readonly Item[]): readonly Item[] {
  const isOther = (key: Item, other: Item) => Object.keys(key).some((name) => !isSame(key[name], other[name]));
  return keys.filter((key, i) => keys.slice(0, i).every((other) => isOther(key, other)));
}

export function queryBuilder(plan: Plan, tableName: string, name: string, pattern: QueryPattern): Builder {
  const index = pattern.index === undefined ? undefined : plan.design.indexes?.[pattern.index];
  const entities = entitiesOf(plan, pattern);
  const expression = new Expression();
  const selected = pattern.select && projection(plan, entities, pattern.select, index).map((a) => expression.name(a));
  const values: Value[] = [];
  const conditions = attributesOf(index ?? plan.design.key).flatMap((attribute) => {
    if (!Object.hasOwn(pattern.where, attribute)) return [];
    const [comparison, texts] = comparisonOf(pattern.where[attribute] as KeyCondition) as [string, readonly string[]];
    const placeholders = texts.map((text) => `:k${values.push(keyValue(plan, entities, attribute, text)) - 1}`);
    return [compared(comparison, expression.name(attribute), placeholders)];
  });
  const [first, second, third] = values as [Value, Value?, Value?];
  const { partition } = index ?? plan.design.key;
  const { index: IndexName, pageSize, consistent, filter } = pattern;
  const descending = pattern.order === 'descending';
  const KeyConditionExpression = conditions.join(' AND ');
  const ProjectionExpression = selected?.join(', ');
  // They are the same for all requests: who wants to add to them takes a copy.
  const ExpressionAttributeNames = Object.freeze(expression.names);
  return (parameters, options) => {
    // Written out, here and below: to loop over them, or to spread what is fixed, takes several times as long.
    const ExpressionAttributeValues: Item =
      second === undefined
        ? { ':k0': first(parameters) }
        : third === undefined
          ? { ':k0': first(parameters), ':k1': second(parameters) }
          : { ':k0': first(parameters), ':k1': second(parameters), ':k2': third(parameters) };
    const input: Item = {
      TableName: tableName,
      KeyConditionExpression,
      ExpressionAttributeNames,
      ExpressionAttributeValues,
    };
    if (IndexName !== undefined) input.IndexName = IndexName;
    if (ProjectionExpression !== undefined) input.ProjectionExpression = ProjectionExpression;
    if (descending) input.ScanIndexForward = false;
    if (pageSize !== undefined) input.Limit = pageSize;
    if (consistent) input.ConsistentRead = true;
    if (filter !== undefined) addFilter(input, filter, parameters);
    if (options?.cursor !== undefined) {
      input.ExclusiveStartKey = startKey(name, options.cursor, partition, ExpressionAttributeValues[':k0']);
    }
    return input;
  };
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

/** A whole primary key. */
export function keyBuilder(
  plan: Plan,
  where: Readonly<Record<string, string>>,
  entities: readonly EntityPlan[],
): (values: object) => Item {
  const parts = plan.primary.map((name) => {
    if (!Object.hasOwn(where, name)) throw new ItemError(`'${name}' is part of the primary key; add it to 'where'`);
    return { name, value: keyValue(plan, entities, name, where[name] as string) };
  });
  const [partition, sort] = parts as [KeyPart, KeyPart?];
  if (sort !== undefined && isTwice(plan, where, entities)) {
    return (values) => {
      // As a sort key, since that is the one that may be less long.
      const text = sort.value(values);
      const key: Item = {};
      key[partition.name] = text;
      key[sort.name] = text;
      return key;
    };
  }
  return (values) => {
    const key: Item = {};
    key[partition.name] = partition.value(values);
    if (sort !== undefined) key[sort.name] = sort.value(values);
    return key;
  };
}

/** Whether one template makes both keys, as is usual for what is alone in its partition. */
function isTwice({ primary }: Plan, where: Readonly<Record<string, string>>, entities: readonly EntityPlan[]): boolean {
  const [partition, sort] = primary as [string, string];
  const isNatural = (name: string) => entities.some(({ keys }) => keys.get(name)?.natural);
  return where[partition] === where[sort] && !primary.some(isNatural);
}

interface KeyPart {
  readonly name: string;
  readonly value: Value;
}

export type Value = (parameters: object) => unknown;

/** A key as a template makes it, or the parameter itself where the key is an attribute of the entities. */
export function keyValue({ rules }: Plan, entities: readonly EntityPlan[], attribute: string, text: string): Value {
  const read = template(text);
  const [part] = read.parts;
  const owner = entities.find(({ keys }) => keys.get(attribute)?.natural);
  if (owner === undefined || read.parts.length !== 1 || read.faults.length > 0) {
    return renderer(read, rules.get(attribute) as KeyRules);
  }
  const schema = schemaAt(schemaOf(owner), [attribute]) as Schema;
  if (typeof part === 'string') {
    const value = typed(schema, text);
    return () => value;
  }
  const { name, path, format } = part as Hole;
  if (format !== undefined) return renderer(read, rules.get(attribute) as KeyRules);
  const wantsNumber = isNumber(schema);
  return (parameters) => {
    const value = naturalKey(name, valueAt(parameters, path));
    // A part of another name than the attribute's is a text to the compiler, also where the key is a number.
    return wantsNumber && typeof value === 'string' ? numberOf(name, value) : value;
  };
}

function numberOf(name: string, text: string): number {
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  throw new KeyError(name, `${name} is ${JSON.stringify(text)}, and the key is a number; give a number`);
}

function addFilter(input: Item, filter: NonNullable<QueryPattern['filter']>, parameters: object): void {
  const expression = new Expression(input.ExpressionAttributeNames as Record<string, string>);
  const tests = expression.tests(filter, parameters);
  if (tests.length === 0) return;
  input.FilterExpression = tests.join(' AND ');
  input.ExpressionAttributeNames = expression.names;
  Object.assign(input.ExpressionAttributeValues as Item, expression.values);
}

/** A cursor goes on within the partition it came from, and in no other. */
function startKey(name: string, cursor: string, partition: string, asked: unknown): Item {
  const key = readCursor(name, cursor);
  if (!isSame(key[partition], asked)) {
    throw new CursorError(`the cursor is of ${partition} '${key[partition]}', not of '${asked}'`);
  }
  return key;
}

/**
 * What is read of an item: what is selected, as far as it is there under its own name (DynamoDB refuses to read what an
 * index does not project), what it takes to know an item by, and the keys that the rest is read back from.
 */
function projection(
  { design, primary }: Plan,
  entities: readonly EntityPlan[],
  selected: readonly string[],
  index?: IndexDesign,
): readonly string[] {
  const own = index === undefined ? [] : attributesOf(index);
  const { projection = 'all' } = index ?? {};
  const isThere = (name: string) =>
    projection === 'all' || own.includes(name) || (typeof projection === 'object' && projection.includes(name));
  const tells = (key: KeyPlan | undefined, name: string) =>
    key?.template.holes.some((hole) => hole.name === name && typeof hole.format !== 'string') === true;
  const readBack = own.filter((key) =>
    entities.some(({ keys, primary }) =>
      selected.some(
        (name) => !isThere(name) && tells(keys.get(key), name) && !primary.some((other) => tells(other, name)),
      ),
    ),
  );
  const type = design.typeAttribute === undefined ? [] : [design.typeAttribute];
  return [...new Set([...primary, ...readBack, ...[...type, ...selected].filter(isThere)])];
}

export function entitiesOf(
  { entities }: Plan,
  { returns }: { readonly returns: readonly string[] },
): readonly EntityPlan[] {
  return returns.map((name) => entities.get(name)).filter((entity) => entity !== undefined);
}

function unknownItem(plan: Plan, item: Item, returns: readonly string[]): ItemError {
  const known = entityOf(plan, item, plan.entities.values());
  const what = known === undefined ? 'is none that the design knows' : `is a ${known.name}`;
  return new ItemError(`the item ${showKey(plan, item)} ${what}, and the pattern returns ${returns.join(', ')}`);
}
