import { type Access, boundsOfRange } from '../blueprint/accesses';
import { optionalIn } from '../blueprint/keys';
import {
  type EntityOutline,
  entitiesNamed,
  type IndexBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  type TableOutline,
} from '../blueprint/outline';
import { lackingIn } from '../blueprint/projected';
import { naming } from '../blueprint/stored';
import { partsOf } from '../blueprint/template-parts';
import type { BatchGetPattern, GetPattern, QueryPattern, TransactGetPattern } from '../design/pattern';
import { holdsWhole, KeyError, shownValue, type Template, valueAt } from '../design/template';
import { CursorError, isSame, keyText, readCursor } from '../items/cursor';
import { scopesOf } from '../items/each';
import { type Item, ItemError } from '../items/item';
import { keyBuilder, keyValue, type Value } from '../items/parameters';
import type { UnknownPolicy } from '../items/result';
import { compared, Expression } from './expression';

/** The options of one read. */
export interface ReadOptions {
  /** The cursor of the previous page. @default - the call reads the first page */
  readonly cursor?: string | undefined;
  /** The maximum number of items to read for a page. @default - the pattern's `pageSize` */
  readonly limit?: number | undefined;
  /** @default - the pattern's `order` */
  readonly order?: 'ascending' | 'descending' | undefined;
  /** Whether the read is strongly consistent. @default - the pattern's `consistent` */
  readonly consistent?: boolean | undefined;
  /**
   * How to handle an item that does not fit the design: `'throw'`, or a function that receives the item.
   * @default - the client's `onUnknown`
   */
  readonly onUnknown?: UnknownPolicy | undefined;
}

/** Builds the requests of one pattern; the parts that do not depend on the values are built only once. */
export type Builder = (values: object, options?: ReadOptions) => Item;

export function getBuilder(table: TableOutline, tableName: string, pattern: GetPattern): Builder {
  const key = keyBuilder(table, pattern.where, entitiesNamed(table, pattern.returns));
  return (values, options) =>
    (options?.consistent ?? pattern.consistent)
      ? { TableName: tableName, Key: key(values), ConsistentRead: true }
      : { TableName: tableName, Key: key(values) };
}

/**
 * Builds the keys that a pattern reads, with their names; leaves out a key if its optional part (`<part?>`) has no
 * value.
 */
export function namedKeys(
  table: TableOutline,
  name: string,
  pattern: BatchGetPattern | TransactGetPattern,
): (values: object) => readonly NamedKey[] {
  const keys = Object.entries(pattern.keys).map(([part, where]) => ({
    part,
    optional: optionalIn(where),
    build: keyBuilder(table, where, entitiesNamed(table, pattern.returns)),
  }));
  const each = 'each' in pattern ? pattern.each : undefined;
  return (values) => {
    const given: NamedKey[] = [];
    for (const scope of each === undefined ? [values] : scopesOf(name, each, values)) {
      for (const { part, optional, build } of keys) {
        if (optional.some(({ path }) => (valueAt(scope, path) ?? undefined) === undefined)) continue;
        given.push({ part, key: build(scope) });
      }
    }
    if (given.length === 0 && each === undefined) {
      const names = keys.flatMap(({ optional }) => optional.map((part) => `<${part.name}>`));
      throw new KeyError(name, `${name}: there is nothing to get; give at least one of ${names.join(', ')}`);
    }
    return given;
  };
}

export interface NamedKey {
  readonly part: string;
  readonly key: Item;
}

/** Builds the input of a `batchGet` or a `transactGet`. */
export function keysBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  pattern: BatchGetPattern | TransactGetPattern,
): Builder {
  const keys = namedKeys(table, name, pattern);
  return (values, options) => {
    // Removes duplicate keys, because DynamoDB refuses two gets of the same item.
    const Keys = [...new Map(keys(values).map(({ key }) => [keyText(key), key])).values()];
    if (pattern.op === 'transactGet')
      return { TransactItems: Keys.map((Key) => ({ Get: { TableName: tableName, Key } })) };
    const consistent = (options?.consistent ?? pattern.consistent) ? { ConsistentRead: true } : {};
    return { RequestItems: { [tableName]: { Keys, ...consistent } } };
  };
}

export function queryBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  pattern: QueryPattern,
  { key, partition, sort, range }: Access,
): Builder {
  const isOpen = range.kind === 'all';
  // Otherwise, the query would ignore a condition after a gap in the key and read too many items.
  if (!key || !partition || Object.keys(pattern.where).length > partition.length + (isOpen ? 0 : 1))
    throw new ItemError(`${name} can never work: run the check, which says why`);
  const entities = entitiesNamed(table, pattern.returns);
  const expression = new Expression(entities);
  const { index: IndexName, pageSize, consistent, filter, select } = pattern;
  const index = table.indexes.find(({ name }) => name === IndexName);
  const isFetched = index !== undefined && fetches(table, index, entities, select);
  const selected = isFetched
    ? undefined
    : select && projection(table, entities, select, index).map((a) => expression.name(a));
  const values: Value[] = [];
  const test = (attribute: KeyAttribute, comparison: string, bounds: readonly Template[]) => {
    const extent = comparison === 'equals' ? 'whole' : 'bound';
    const placeholders = bounds.map(
      (bound) => `:k${values.push(keyValue(table, entities, attribute, bound, extent)) - 1}`,
    );
    return compared(comparison, expression.name(attribute.name), placeholders);
  };
  const conditions = partition.map(({ attribute, at }) => test(attribute, 'equals', [at]));
  if (!isOpen) conditions.push(test(sort as KeyAttribute, range.kind, boundsOfRange(range)));
  const [first, second] = values as [Value, Value?];
  const descending = pattern.order === 'descending';
  const KeyConditionExpression = conditions.join(' AND ');
  const ProjectionExpression = selected?.join(', ');
  // All requests share this object, so code that adds a name must copy the object first.
  const ExpressionAttributeNames = Object.freeze(expression.names);
  return (parameters, options) => {
    // The fields are written out here and below, because a loop or a spread takes several times as long.
    const ExpressionAttributeValues: Item = second
      ? { ':k0': first(parameters), ':k1': second(parameters) }
      : { ':k0': first(parameters) };
    // Only a `between` range or a multi-attribute key has more than two values.
    for (let i = 2; i < values.length; i++) ExpressionAttributeValues[`:k${i}`] = (values[i] as Value)(parameters);
    const input: Item = {
      TableName: tableName,
      KeyConditionExpression,
      ExpressionAttributeNames,
      ExpressionAttributeValues,
    };
    if (IndexName !== undefined) input.IndexName = IndexName;
    if (ProjectionExpression !== undefined) input.ProjectionExpression = ProjectionExpression;
    if (isFetched) input.Select = WHOLE;
    if (descending) input.ScanIndexForward = false;
    if (pageSize !== undefined) input.Limit = pageSize;
    if (consistent) input.ConsistentRead = true;
    if (filter !== undefined) addFilter(input, filter, entities, parameters);
    if (options === undefined) return input;
    applyOptions(input, name, options, index);
    if (options.cursor !== undefined) {
      // A cursor is valid only within the partition that it came from.
      const start = readCursor(name, cursorKeys(table, { key }), options.cursor);
      // The message does not show the contents of the cursor, which may belong to a different user.
      if (partition.some(({ attribute }, i) => !isSame(start[attribute.name], ExpressionAttributeValues[`:k${i}`])))
        throw new CursorError(`the cursor is from another partition of '${name}'; use the previous page's cursor`);
      input.ExclusiveStartKey = start;
    }
    return input;
  };
}

/** Applies the options of a call, which override the settings of the pattern. */
export function applyOptions(
  input: Item,
  name: string,
  { limit, order, consistent }: ReadOptions,
  index: IndexBlueprint | undefined,
): void {
  if (limit !== undefined) {
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new ItemError(`${name}: limit must be a positive integer, got: ${shownValue(limit)}`);
    input.Limit = limit;
  }
  if (order !== undefined) {
    if (order !== 'ascending' && order !== 'descending')
      throw new ItemError(`${name}: order must be 'ascending' or 'descending', got: ${shownValue(order)}`);
    input.ScanIndexForward = order === 'ascending';
  }
  if (consistent === undefined) return;
  if (consistent && index && !index.local)
    throw new ItemError(`${name}: the index has no consistent reads; query the table`);
  input.ConsistentRead = consistent;
}

/** Returns the attributes that a cursor contains: the table's key and, if an index is read, also the index's key. */
export function cursorKeys(
  { key: primary }: TableOutline,
  { key = primary }: { readonly key?: KeyBlueprint | undefined },
): readonly KeyAttribute[] {
  return [...new Set([...keyOf(primary), ...keyOf(key)])];
}

export function addFilter(
  input: Item,
  filter: NonNullable<QueryPattern['filter']>,
  entities: readonly EntityOutline[],
  parameters: object,
): void {
  const expression = new Expression(entities, input.ExpressionAttributeNames as Record<string, string>);
  const tests = expression.tests(filter, parameters);
  if (tests.length === 0) return;
  input.FilterExpression = tests.join(' AND ');
  input.ExpressionAttributeNames = expression.names;
  Object.assign(input.ExpressionAttributeValues as Item, expression.values);
}

/** Makes DynamoDB return whole items; for a local index, DynamoDB fetches missing attributes from the table. */
export const WHOLE = 'ALL_ATTRIBUTES';

/**
 * Whether a read of a local index needs attributes that the index does not project; DynamoDB fetches them from the
 * table.
 */
export function fetches(
  table: TableOutline,
  index: IndexBlueprint,
  entities: readonly EntityOutline[],
  select?: readonly string[],
): boolean {
  return (
    index.local === true &&
    entities.some((entity) => lackingIn(table, index, entity, select ?? entity.attributes).length > 0)
  );
}

/**
 * Returns the attributes to read: the selected attributes that the table or the index contains, the attributes that
 * identify the item and its entity, and the index keys from which other selected attributes can be recovered.
 * Attributes that the index does not project are left out, because DynamoDB would refuse to read them.
 */
function projection(
  table: TableOutline,
  entities: readonly EntityOutline[],
  selected: readonly string[],
  index: IndexBlueprint | undefined,
): readonly string[] {
  const own = index === undefined ? [] : keyOf(index).map(({ name }) => name);
  const primary = keyOf(table.key).map(({ name }) => name);
  const { projection = 'all' } = index ?? {};
  const isThere = (attribute: string) => {
    const name = naming.path(entities, attribute);
    return projection === 'all' || own.includes(name) || (typeof projection === 'object' && projection.includes(name));
  };
  const tells = (source: KeySource | undefined, name: string) =>
    source !== undefined && partsOf(source.template).some((part) => part.name === name && holdsWhole(part));
  const readBack = own.filter((key) =>
    entities.some(({ keys }) =>
      selected.some(
        (name) =>
          !isThere(name) && tells(keys.get(key), name) && !primary.some((other) => tells(keys.get(other), name)),
      ),
    ),
  );
  const type = table.typeAttribute === undefined ? [] : [table.typeAttribute];
  return [...new Set([...primary, ...readBack, ...[...type, ...selected].filter(isThere)])];
}
