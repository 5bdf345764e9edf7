import type { Index, Key, KeyAttribute, Table } from '../catalogue';
import { invalid, invalidParameter, misfit } from '../refusal';
import type { Condition, Operand } from '../syntax';
import { type Attributes, type Body, compareValues, keyBytes, typeOf, type Value } from '../values';

const MOST_BYTES = { partition: 2048, sort: 1024 } as const;

/** The condition on the sort key: an operator (a comparison, BETWEEN or begins_with) and its values. */
export interface SortTest {
  readonly attribute: string;
  readonly sign: string;
  readonly values: readonly Value[];
}

export interface KeyTest {
  readonly partition: { readonly attribute: string; readonly value: Value };
  readonly sort?: SortTest;
}

/**
 * Parses a key condition against the key of the queried table or index. Returns undefined for a multi-attribute key,
 * because the engine checks such conditions itself.
 */
export function keyTestOf(condition: Condition, key: Key, values: Attributes): KeyTest | undefined {
  return keyTest(
    conjuncts(condition).map((test) => sortTestOf(test, values)),
    key,
  );
}

/** The operators of the legacy parameter `KeyConditions`, mapped to the operators of expressions. */
const LEGACY_SIGNS: Readonly<Record<string, string>> = {
  EQ: '=',
  LE: '<=',
  LT: '<',
  GE: '>=',
  GT: '>',
  BEGINS_WITH: 'begins_with',
  BETWEEN: 'BETWEEN',
};

/** Parses `KeyConditions`. Returns undefined if the request has no `KeyConditions`, or if the engine refuses them. */
export function legacyKeyTest(conditions: unknown, key: Key): KeyTest | undefined {
  const tests = Object.entries((conditions ?? {}) as Readonly<Record<string, Body>>).map(
    ([attribute, { ComparisonOperator, AttributeValueList }]) => ({
      attribute,
      sign: LEGACY_SIGNS[String(ComparisonOperator)] ?? '',
      values: (AttributeValueList ?? []) as readonly Value[],
    }),
  );
  const isKnown = tests.every(({ sign, values }) => sign !== '' && values.length === (sign === 'BETWEEN' ? 2 : 1));
  return tests.length === 0 || !isKnown ? undefined : keyTest(tests, key);
}

function keyTest(tests: readonly SortTest[], key: Key): KeyTest | undefined {
  if (key.partition.length > 1 || key.sort.length > 1) return undefined;
  const [partition, sort] = [key.partition[0] as KeyAttribute, key.sort[0]];
  if (new Set(tests.map(({ attribute }) => attribute)).size < tests.length)
    throw invalid('KeyConditionExpressions must only contain one condition per key');
  if (tests.length > 2) throw invalid('Conditions can be of length 1 or 2 only');
  const first = tests.find(({ attribute }) => attribute === partition.name);
  if (first === undefined) throw invalid(`Query condition missed key schema element: ${partition.name}`);
  if (first.sign !== '=') throw invalid('Query key condition not supported');
  const second = tests.find((test) => test !== first);
  if (second !== undefined && second.attribute !== sort?.name)
    throw invalid(
      sort === undefined
        ? 'Query key condition not supported'
        : `Query condition missed key schema element: ${sort.name}`,
    );
  checkKeyValue(partition, first.values[0] as Value, 'partition');
  for (const value of second?.values ?? []) checkKeyValue(sort as KeyAttribute, value, 'sort');
  return {
    partition: { attribute: partition.name, value: first.values[0] as Value },
    ...(second && { sort: second }),
  };
}

function conjuncts(condition: Condition): readonly Condition[] {
  if (condition.kind === 'and') return [...conjuncts(condition.left), ...conjuncts(condition.right)];
  return [condition];
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=' };

function sortTestOf(test: Condition, values: Attributes): SortTest {
  const refused = (operator: string) => invalid(`Invalid operator used in KeyConditionExpression: ${operator}`);
  if (test.kind === 'or' || test.kind === 'not' || test.kind === 'in') throw refused(test.kind.toUpperCase());
  if (test.kind === 'compare' && test.sign === '<>') throw refused('<>');
  if (test.kind === 'call' && test.name !== 'begins_with') throw refused(test.name);
  const nested = (test as { operands: readonly Operand[] }).operands.find((operand) => operand.kind === 'call');
  if (nested?.kind === 'call') throw invalid('KeyConditionExpressions cannot contain nested operations');
  const sign = test.kind === 'compare' ? test.sign : test.kind === 'between' ? 'BETWEEN' : 'begins_with';
  let [attribute, ...bounds] = (test as { operands: readonly Operand[] }).operands;
  const isMirrored = test.kind === 'compare' && attribute?.kind === 'value' && bounds[0]?.kind === 'path';
  if (isMirrored) [attribute, bounds] = [bounds[0], [attribute as Operand]];
  if (attribute?.kind !== 'path' || !bounds.every((bound) => bound.kind === 'value'))
    throw invalid('Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition');
  if (attribute.path.length > 1)
    throw invalid(
      'Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes',
    );
  return {
    attribute: attribute.path[0] as string,
    sign: isMirrored ? (MIRRORED[sign] as string) : sign,
    values: bounds.map((bound) => values[(bound as { name: string }).name] as Value),
  };
}

export function checkKeyValue({ name, type }: KeyAttribute, value: Value, part: 'partition' | 'sort'): void {
  if (typeOf(value) !== type) throw invalidParameter('Condition parameter type does not match schema type');
  const bytes = keyBytes(value) as number;
  if (type !== 'N' && bytes === 0)
    throw invalid(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. Key: ${name}`,
    );
  if (bytes > MOST_BYTES[part])
    throw invalidParameter(
      part === 'partition'
        ? 'Size of hashkey has exceeded the maximum size limit of2048 bytes'
        : 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    );
}

/**
 * Refuses a primary key that is incomplete, has extra attributes, or contains values that DynamoDB does not allow in a
 * key.
 */
export function checkPrimaryKey(table: Table, key: Attributes): void {
  const { partition, sort } = table.key;
  if (Object.keys(key).length !== partition.length + sort.length)
    throw invalid('The number of conditions on the keys is invalid');
  checkItemKey(table, key, 'The provided key element does not match the schema');
}

/** Refuses an item if DynamoDB would refuse its key or one of its index keys. */
export function checkItemKeys(table: Table, item: Attributes): void {
  checkItemKey(table, item);
  for (const index of table.indexes.values()) if (!index.isLeaving) checkIndexKeys(index, item);
}

function checkItemKey({ key }: Table, item: Attributes, mismatch?: string): void {
  for (const part of ['partition', 'sort'] as const) {
    for (const attribute of key[part]) {
      const value = item[attribute.name];
      if (value === undefined)
        throw mismatch === undefined
          ? invalidParameter(`Missing the key ${attribute.name} in the item`)
          : misfit(mismatch);
      if (typeOf(value) !== attribute.type)
        throw mismatch === undefined
          ? invalidParameter(
              `Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${typeOf(value)}`,
            )
          : misfit(mismatch);
      checkKeyValue(attribute, value, part);
    }
  }
}

function checkIndexKeys({ name: index, key }: Index, item: Attributes): void {
  for (const part of ['partition', 'sort'] as const) {
    for (const attribute of key[part]) {
      const value = item[attribute.name];
      if (value !== undefined) checkIndexValue(index, attribute, value, part);
    }
  }
}

export function checkIndexValue(
  index: string,
  { name, type }: KeyAttribute,
  value: Value,
  part: keyof typeof MOST_BYTES,
): void {
  if (typeOf(value) !== type)
    throw misfit(
      `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: ${type} Actual: ${typeOf(value)} IndexName: ${index}`,
    );
  const bytes = keyBytes(value) as number;
  if (type !== 'N' && bytes === 0)
    throw invalid(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. IndexName: ${index}, IndexKey: ${name}`,
    );
  if (bytes > MOST_BYTES[part])
    throw invalidParameter(`Size limit exceeded for index key ${name} of ${index}: at most ${MOST_BYTES[part]} bytes`);
}

/** Refuses a start key outside the range that the query reads. */
export function checkStartKey(
  start: Attributes,
  table: Table,
  index: Index | undefined,
  test: KeyTest | undefined,
): void {
  const names = new Set([...keyAttributes(table.key), ...(index === undefined ? [] : keyAttributes(index.key))]);
  const wanted = new Map([...names].map(({ name, type }) => [name, type]));
  if (Object.keys(start).length !== wanted.size)
    throw invalid("Exclusive Start Key must have same size as table's key schema");
  for (const [name, type] of wanted) {
    const value = start[name];
    if (value === undefined || typeOf(value) !== type) throw invalid('The provided starting key is invalid');
    if (type !== 'N' && keyBytes(value) === 0)
      throw invalid(
        'The provided starting key is invalid: One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ' +
          name,
      );
  }
  if (test === undefined) return;
  const { partition, sort } = test;
  if (compareValues(start[partition.attribute] as Value, partition.value) !== 0)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  if (sort !== undefined && !satisfies(start[sort.attribute] as Value, sort))
    throw invalid('The provided starting key does not match the range key predicate');
}

function keyAttributes({ partition, sort }: Key): readonly KeyAttribute[] {
  return [...partition, ...sort];
}

function satisfies(value: Value, { sign, values }: SortTest): boolean {
  const [first, second] = values as readonly [Value, Value];
  if (sign === 'begins_with') {
    const text = ({ S, B }: Value) => (typeof S === 'string' ? S : Buffer.from(String(B), 'base64').toString('latin1'));
    return text(value).startsWith(text(first));
  }
  const order = compareValues(value, first);
  switch (sign) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    default:
      return order >= 0 && compareValues(value, second) <= 0;
  }
}
