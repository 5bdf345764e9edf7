import { get, N, type Request, S, seed, TableName } from './requests';

export const key = (p: string, sk = 's') => ({ pk: S(p), sk: S(sk) });

/** Returns requests with the legacy parameters that expressions have replaced. */
export function legacy() {
  const Key = key;
  const equals = { ComparisonOperator: 'EQ', AttributeValueList: [S('x')] };
  const requests: Readonly<Record<string, (p: string) => Request>> = {
    'Expected and a condition': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), Expected: { a: equals }, ConditionExpression: 'attribute_exists(pk)' },
    ],
    'Expected alone': (p) => ['DeleteItem', { TableName, Key: Key(p), Expected: { a: equals } }],
    'Expected with a Value and an operator': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), Expected: { a: { ...equals, Value: S('x') } } },
    ],
    'Expected with Exists but no Value': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), Expected: { a: { Exists: true } } },
    ],
    'ConditionalOperator alone': (p) => ['DeleteItem', { TableName, Key: Key(p), ConditionalOperator: 'AND' }],
    'AttributeUpdates and an expression': (p) => [
      'UpdateItem',
      {
        TableName,
        Key: Key(p),
        AttributeUpdates: { a: { Action: 'PUT', Value: S('y') } },
        UpdateExpression: 'REMOVE a',
      },
    ],
    'AttributeUpdates of a key': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), AttributeUpdates: { sk: { Action: 'PUT', Value: S('y') } } },
    ],
    'AttributeUpdates that add a string': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), AttributeUpdates: { a: { Action: 'ADD', Value: S('y') } } },
    ],
    'AttributeUpdates of an index key of the wrong type': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), AttributeUpdates: { rank: { Action: 'PUT', Value: S('y') } } },
    ],
    'AttributeUpdates with an empty set': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), AttributeUpdates: { a: { Action: 'PUT', Value: { SS: [] } } } },
    ],
    'KeyConditions and an expression': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] } },
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': S(p) },
      },
    ],
    'KeyConditions on another attribute': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] }, a: equals },
      },
    ],
    'KeyConditions with a filter expression': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] } },
        FilterExpression: 'attribute_exists(a)',
      },
    ],
    'KeyConditions with a prefix in upper case': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: {
          pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] },
          sk: { ComparisonOperator: 'BEGINS_WITH', AttributeValueList: [S('S')] },
        },
      },
    ],
    'KeyConditions with a value of the wrong type': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: {
          pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] },
          sk: { ComparisonOperator: 'EQ', AttributeValueList: [N(1)] },
        },
      },
    ],
    'QueryFilter on a key': (p) => [
      'Query',
      {
        TableName,
        KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [S(p)] } },
        QueryFilter: { sk: equals },
      },
    ],
    'ScanFilter and an expression': () => [
      'Scan',
      { TableName, Select: 'COUNT', Limit: 1, ScanFilter: { a: equals }, FilterExpression: 'attribute_exists(a)' },
    ],
    'ScanFilter with two values for EQ': () => [
      'Scan',
      { TableName, Select: 'COUNT', Limit: 1, ScanFilter: { a: { ...equals, AttributeValueList: [S('x'), S('y')] } } },
    ],
    'AttributesToGet and a projection': (p) => [
      'GetItem',
      { TableName, Key: Key(p), AttributesToGet: ['a'], ProjectionExpression: 'a' },
    ],
    'AttributesToGet of none': (p) => ['GetItem', { TableName, Key: Key(p), AttributesToGet: [] }],
    'AttributesToGet twice the same': (p) => ['GetItem', { TableName, Key: Key(p), AttributesToGet: ['a', 'a'] }],
    'names without an expression': (p) => [
      'GetItem',
      { TableName, Key: Key(p), ExpressionAttributeNames: { '#a': 'a' } },
    ],
    'values without an expression': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), ExpressionAttributeValues: { ':a': S('a') } },
    ],
  };
  return cases('legacy', requests, (p, request) => [seed(p), request(p), get(p)]);
}

/** Prefixes each case's name with the label, and makes the case a function of its partition. */
export function cases<T>(
  label: string,
  given: Readonly<Record<string, T>>,
  make: (p: string, one: T) => readonly Request[],
): Readonly<Record<string, (p: string) => readonly Request[]>> {
  return Object.fromEntries(
    Object.entries(given).map(([name, one]) => [`hostile ${label}: ${name}`, (p: string) => make(p, one)]),
  );
}
