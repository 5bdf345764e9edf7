/**
 * Requests to send to two engines. Each case has its own partition, `p`. Only the responses to a case's last request
 * are compared.
 */

export type Value = Readonly<Record<string, unknown>>;
export type Input = Readonly<Record<string, unknown>>;
export type Request = readonly [operation: string, input: Input];

export const S = (text: string): Value => ({ S: text });
export const N = (number: number | string): Value => ({ N: String(number) });
export const L = (...values: readonly Value[]): Value => ({ L: values });
export const M = (map: Readonly<Record<string, Value>>): Value => ({ M: map });

export const TableName = 'front-main';

const attribute = (AttributeName: string, AttributeType: string) => ({ AttributeName, AttributeType });
const keys = (hash: string, range?: string) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
];

/** A table with every kind of key, index and projection. */
export const TABLE: Input = {
  TableName,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    ...['pk', 'sk', 'g1pk', 'g1sk', 'g2pk', 'lsk'].map((name) => attribute(name, 'S')),
    attribute('rank', 'N'),
  ],
  KeySchema: keys('pk', 'sk'),
  GlobalSecondaryIndexes: [
    { IndexName: 'all', KeySchema: keys('g1pk', 'g1sk'), Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: 'some',
      KeySchema: keys('g2pk', 'rank'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
    },
    { IndexName: 'keys', KeySchema: keys('g2pk'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
  LocalSecondaryIndexes: [
    { IndexName: 'local', KeySchema: keys('pk', 'lsk'), Projection: { ProjectionType: 'KEYS_ONLY' } },
  ],
};

export const put = (Item: Input, more: Input = {}): Request => ['PutItem', { TableName, Item, ...more }];
export const get = (p: string, sk = 's', more: Input = {}): Request => [
  'GetItem',
  { TableName, Key: { pk: S(p), sk: S(sk) }, ConsistentRead: true, ...more },
];

const names = (expression: string, given: Readonly<Record<string, string>>) => {
  const used = Object.entries(given).filter(([name]) => new RegExp(`${name}\\b`).test(expression));
  return used.length === 0 ? {} : { ExpressionAttributeNames: Object.fromEntries(used) };
};
const values = (expression: string, given: Readonly<Record<string, Value>>) => {
  const used = Object.entries(given).filter(([name]) => new RegExp(`${name}\\b`).test(expression));
  return used.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(used) };
};

export const NAMES = { '#a': 'a', '#b': 'b', '#n': 'n', '#name': 'name', '#pk': 'pk', '#sk': 'sk', '#m': 'm' };
export const VALUES: Readonly<Record<string, Value>> = {
  ':s': S('x'),
  ':t': S('y'),
  ':p': S('ite'),
  ':empty': S(''),
  ':one': N(1),
  ':two': N(2),
  ':yes': { BOOL: true },
  ':null': { NULL: true },
  ':list': L(N(1), N(2)),
  ':map': M({ a: N(1) }),
  ':set': { SS: ['a', 'b'] },
  ':ns': { NS: ['1', '2'] },
  ':bytes': { B: 'AAEC' },
  ':type': S('S'),
  ':bad': S('STRING'),
  ':long': S('x'.repeat(1025)),
};

/** Returns only the attribute names and values that the expressions use. */
export function expressed(...expressions: readonly string[]): Input {
  const whole = expressions.join(' ');
  return { ...names(whole, NAMES), ...values(whole, VALUES) };
}

export const seed = (p: string): Request =>
  put({
    pk: S(p),
    sk: S('s'),
    a: S('x'),
    n: N(1),
    l: L(N(0), N(1), N(2), N(3)),
    m: M({ a: N(1), b: M({ c: S('z') }), l: L(S('q')) }),
    t: { SS: ['a', 'b', 'c'] },
    flag: { BOOL: true },
    name: S('item'),
  });

export const update = (p: string, UpdateExpression: string, more: Input = {}): Request => [
  'UpdateItem',
  {
    TableName,
    Key: { pk: S(p), sk: S('s') },
    UpdateExpression,
    ...expressed(UpdateExpression, String(more.ConditionExpression ?? '')),
    ...more,
  },
];

export const condition = (p: string, ConditionExpression: string, more: Input = {}): Request => [
  'DeleteItem',
  { TableName, Key: { pk: S(p), sk: S('s') }, ConditionExpression, ...expressed(ConditionExpression), ...more },
];

export const query = (p: string, more: Input = {}): Request => {
  const KeyConditionExpression = String(more.KeyConditionExpression ?? 'pk = :pk');
  const used = expressed(
    KeyConditionExpression,
    String(more.FilterExpression ?? ''),
    String(more.ProjectionExpression ?? ''),
  );
  const given = {
    ...(used.ExpressionAttributeValues as object),
    ...(KeyConditionExpression.includes(':pk') ? { ':pk': S(p) } : {}),
    ...(more.ExpressionAttributeValues as object),
  };
  return ['Query', { TableName, KeyConditionExpression, ...used, ...more, ExpressionAttributeValues: given }];
};

export const transact = (...TransactItems: readonly Input[]): Request => ['TransactWriteItems', { TransactItems }];

/** Splits a string into expressions, which are separated by '|'. */
export function each(text: string): readonly string[] {
  return text.split('|').map((expression) => expression.trim().replace(/\s+/g, ' '));
}

/** Makes a case for each expression, named after the expression. */
export function named(
  label: string,
  expressions: readonly string[],
  make: (p: string, expression: string) => readonly Request[],
) {
  return Object.fromEntries(
    expressions.map((expression) => [
      `${label}: ${expression.length > 120 ? `${expression.slice(0, 60)}… (${expression.length})` : expression}`,
      (p: string) => make(p, expression),
    ]),
  );
}
