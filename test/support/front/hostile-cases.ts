import { cases, key, legacy } from './legacy-cases';
import { get, type Input, L, N, put, query, type Request, S, seed, TableName, transact, type Value } from './requests';

const big = (bytes: number) => S('x'.repeat(bytes));
const deep = (levels: number): Value =>
  Array(levels)
    .fill(0)
    .reduce((inner: Value) => L(inner), S('x'));

/** Returns requests that exceed their operation's limits or combine mutually exclusive options. */
export function hostile(): Readonly<Record<string, (p: string) => readonly Request[]>> {
  return { ...batches(), ...lists(), ...reads(), ...legacy(), ...writes() };
}

/** Returns batch requests, for example with too many items, or with the same item twice. */
function batches() {
  const keys = (p: string, count: number) => Array.from({ length: count }, (_, i) => key(p, `s${i}`));
  const written = (p: string, count: number) => keys(p, count).map((Item) => ({ PutRequest: { Item } }));
  const write = (RequestItems: unknown): Request => ['BatchWriteItem', { RequestItems }];
  const read = (RequestItems: unknown): Request => ['BatchGetItem', { RequestItems }];
  const requests: Readonly<Record<string, (p: string) => Request>> = {
    'writes of 25': (p) => write({ [TableName]: written(p, 25) }),
    'writes of 26': (p) => write({ [TableName]: written(p, 26) }),
    'writes of none': () => write({ [TableName]: [] }),
    'writes to no table': () => write({}),
    'writes without an action': () => write({ [TableName]: [{}] }),
    'writes with two actions': (p) =>
      write({ [TableName]: [{ PutRequest: { Item: key(p) }, DeleteRequest: { Key: key(p, 't') } }] }),
    'writes that put and delete the same item': (p) =>
      write({ [TableName]: [{ PutRequest: { Item: key(p) } }, { DeleteRequest: { Key: key(p) } }] }),
    'writes that delete the same item twice': (p) =>
      write({ [TableName]: [{ DeleteRequest: { Key: key(p) } }, { DeleteRequest: { Key: key(p) } }] }),
    'writes that delete an item by an incomplete key': (p) =>
      write({ [TableName]: [{ DeleteRequest: { Key: { pk: S(p) } } }] }),
    'writes to an unknown table': (p) => write({ nowhere: written(p, 1) }),
    'writes of an item over 400 KB': (p) =>
      write({ [TableName]: [{ PutRequest: { Item: { ...key(p), a: big(409_700) } } }] }),
    'reads of 100': (p) => read({ [TableName]: { Keys: keys(p, 100) } }),
    'reads of 101': (p) => read({ [TableName]: { Keys: keys(p, 101) } }),
    'reads of none': () => read({ [TableName]: { Keys: [] } }),
    'reads of no table': () => read({}),
    'reads of an unknown table': (p) => read({ nowhere: { Keys: keys(p, 1) } }),
    'reads with an incomplete key': (p) => read({ [TableName]: { Keys: [{ pk: S(p) }] } }),
    'reads with an unused name': (p) =>
      read({ [TableName]: { Keys: keys(p, 1), ProjectionExpression: 'a', ExpressionAttributeNames: { '#x': 'x' } } }),
    'reads with names but no expression': (p) =>
      read({ [TableName]: { Keys: keys(p, 1), ExpressionAttributeNames: { '#x': 'x' } } }),
    'reads with AttributesToGet and a projection': (p) =>
      read({ [TableName]: { Keys: keys(p, 1), ProjectionExpression: 'a', AttributesToGet: ['a'] } }),
  };
  return cases('batch', requests, (p, request) => [request(p), get(p)]);
}

/** Transactions. */
function lists() {
  const puts = (p: string, count: number) =>
    Array.from({ length: count }, (_, i) => ({ Put: { TableName, Item: key(p, `s${i}`) } }));
  const gets = (p: string, count: number): Request => [
    'TransactGetItems',
    { TransactItems: Array.from({ length: count }, (_, i) => ({ Get: { TableName, Key: key(p, `s${i}`) } })) },
  ];
  const twice = (p: string, ...actions: readonly Input[]) => transact(...actions.map((action) => actionOn(p, action)));
  const actionOn = (p: string, action: Input) =>
    Object.fromEntries(
      Object.entries(action).map(([name, more]) => [
        name,
        { TableName, ...(name === 'Put' ? { Item: key(p) } : { Key: key(p) }), ...(more as object) },
      ]),
    );
  const set = { UpdateExpression: 'SET a = :s', ExpressionAttributeValues: { ':s': S('x') } };
  const requests: Readonly<Record<string, (p: string) => Request>> = {
    'of 100 puts': (p) => transact(...puts(p, 100)),
    'of 101 puts': (p) => transact(...puts(p, 101)),
    'that updates an item twice': (p) => twice(p, { Update: set }, { Update: set }),
    'that checks and updates an item': (p) =>
      twice(p, { ConditionCheck: { ConditionExpression: 'attribute_exists(pk)' } }, { Update: set }),
    'that checks an item twice': (p) =>
      twice(
        p,
        { ConditionCheck: { ConditionExpression: 'attribute_exists(pk)' } },
        { ConditionCheck: { ConditionExpression: 'attribute_exists(sk)' } },
      ),
    'with an item over 400 KB': (p) => transact({ Put: { TableName, Item: { ...key(p), a: big(409_700) } } }),
    'with ReturnValues': (p) => twice(p, { Update: { ...set, ReturnValues: 'ALL_NEW' } }),
    'of more than 4 MB': (p) =>
      transact(
        ...Array.from({ length: 11 }, (_, i) => ({
          Put: { TableName, Item: { ...key(p, `s${i}`), a: big(400_000) } },
        })),
      ),
    'with a token of 37 characters': (p) => [
      'TransactWriteItems',
      { TransactItems: puts(p, 1), ClientRequestToken: 'x'.repeat(37) },
    ],
    'with an empty token': (p) => ['TransactWriteItems', { TransactItems: puts(p, 1), ClientRequestToken: '' }],
    'of 100 gets': (p) => gets(p, 100),
    'of 101 gets': (p) => gets(p, 101),
    'of no gets': (p) => gets(p, 0),
    'that gets an item twice': (p) => [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName, Key: key(p) } }, { Get: { TableName, Key: key(p) } }] },
    ],
    'with an entry without a get': () => ['TransactGetItems', { TransactItems: [{}] }],
    'that gets with an incomplete key': (p) => [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName, Key: { pk: S(p) } } }] },
    ],
    'that gets from an unknown table': (p) => [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName: 'nowhere', Key: key(p) } }] },
    ],
    'that gets with an unused name': (p) => [
      'TransactGetItems',
      {
        TransactItems: [
          {
            Get: { TableName, Key: key(p), ProjectionExpression: 'a', ExpressionAttributeNames: { '#x': 'x' } },
          },
        ],
      },
    ],
    'that gets a reserved word': (p) => [
      'TransactGetItems',
      { TransactItems: [{ Get: { TableName, Key: key(p), ProjectionExpression: 'status' } }] },
    ],
  };
  return cases('transaction', requests, (p, request) => [seed(p), request(p), get(p)]);
}

/** Returns queries and scans with invalid or mutually exclusive options. */
function reads() {
  const options: Readonly<Record<string, Input>> = {
    'a Limit of 0': { Limit: 0 },
    'a negative Limit': { Limit: -1 },
    'Select COUNT and a projection': { Select: 'COUNT', ProjectionExpression: 'a' },
    'Select ALL_ATTRIBUTES and a projection': { Select: 'ALL_ATTRIBUTES', ProjectionExpression: 'a' },
    'Select SPECIFIC_ATTRIBUTES and a projection': { Select: 'SPECIFIC_ATTRIBUTES', ProjectionExpression: 'a' },
    'Select SPECIFIC_ATTRIBUTES alone': { Select: 'SPECIFIC_ATTRIBUTES' },
    'Select ALL_PROJECTED_ATTRIBUTES on the table': { Select: 'ALL_PROJECTED_ATTRIBUTES' },
    'an unknown Select': { Select: 'SOME' },
    'an unknown ReturnConsumedCapacity': { ReturnConsumedCapacity: 'ALL' },
    'an unknown index': { IndexName: 'nowhere' },
    'an index name of two characters': { IndexName: 'ab' },
    'an unused name': { ProjectionExpression: 'a', ExpressionAttributeNames: { '#x': 'x' } },
    'an unused value': { ExpressionAttributeValues: { ':x': S('x') } },
    'an undefined name': { ProjectionExpression: '#x' },
    'an undefined value': { FilterExpression: 'a = :x' },
    'an empty filter': { FilterExpression: '' },
    'an empty projection': { ProjectionExpression: '' },
    'a reserved word in a filter': { FilterExpression: 'attribute_exists(status)' },
    'a reserved word inside a path': { FilterExpression: 'attribute_exists(m.status)' },
    'a reserved word in a projection': { ProjectionExpression: 'm.status' },
    'AttributesToGet and a filter': { AttributesToGet: ['a'], FilterExpression: 'attribute_exists(a)' },
    'AttributesToGet and a projection': { AttributesToGet: ['a'], ProjectionExpression: 'a' },
    'AttributesToGet twice the same': { AttributesToGet: ['a', 'a'] },
    'AttributesToGet of none': { AttributesToGet: [] },
    'overlapping paths': { ProjectionExpression: 'm, m.a' },
    'a reversed BETWEEN': {
      FilterExpression: 'n BETWEEN :x AND :y',
      ExpressionAttributeValues: { ':x': N(2), ':y': N(1) },
    },
    'begins_with of a number': { FilterExpression: 'begins_with(n, :x)', ExpressionAttributeValues: { ':x': N(1) } },
    'a name without #': { ProjectionExpression: '#x', ExpressionAttributeNames: { x: 'a', '#x': 'b' } },
    'an empty name': { ProjectionExpression: '#x', ExpressionAttributeNames: { '#x': '' } },
    'no names': { ProjectionExpression: 'a', ExpressionAttributeNames: {} },
    'a value of no type': { FilterExpression: 'a = :x', ExpressionAttributeValues: { ':x': {} } },
    'an empty set as a value': { FilterExpression: 'a = :x', ExpressionAttributeValues: { ':x': { SS: [] } } },
    'a number of 39 digits': { FilterExpression: 'n = :x', ExpressionAttributeValues: { ':x': N('9'.repeat(39)) } },
    'a value 33 levels deep': { FilterExpression: 'a = :x', ExpressionAttributeValues: { ':x': deep(33) } },
  };
  const scan = (more: Input): Request => ['Scan', { TableName, ...more }];
  return {
    ...cases('query', options, (p, more) => [seed(p), query(p, more)]),
    ...cases('scan', options, (p, more) => [seed(p), scan({ Limit: 1, ...more })].map(counted)),
    ...cases('query of an index', options, (p, more) => [
      seed(p),
      query(p, { IndexName: 'all', KeyConditionExpression: 'g1pk = :pk', ...more }),
    ]),
    ...cases(
      'query',
      {
        'a consistent read of a global index': {
          IndexName: 'all',
          KeyConditionExpression: 'g1pk = :pk',
          ConsistentRead: true,
        },
        'a consistent read of a local index': { IndexName: 'local', ConsistentRead: true },
        'a filter on its key': { FilterExpression: 'sk = :x', ExpressionAttributeValues: { ':x': S('x') } },
        'a filter on the key of its index': {
          IndexName: 'all',
          KeyConditionExpression: 'g1pk = :pk',
          FilterExpression: 'g1sk = :x',
          ExpressionAttributeValues: { ':x': S('x') },
        },
        'no key condition': { KeyConditionExpression: undefined, ExpressionAttributeValues: undefined },
      },
      (p, more) => [seed(p), query(p, more)],
    ),
    ...cases(
      'scan',
      {
        'Segment -1': { Segment: -1, TotalSegments: 2 },
        'no TotalSegments': { Segment: 0, TotalSegments: 0 },
        'too many TotalSegments': { Segment: 0, TotalSegments: 1_000_001 },
        'a KeyConditionExpression': {
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': S('x') },
        },
      },
      (_, more) => [counted(scan({ Limit: 1, ...more }))],
    ),
  };
}

/** Makes a scan return only the number of items, because each engine returns items in a different order. */
function counted([operation, input]: Request): Request {
  return operation === 'Scan' &&
    input.Select === undefined &&
    input.ProjectionExpression === undefined &&
    input.AttributesToGet === undefined
    ? [operation, { ...input, Select: 'COUNT' }]
    : [operation, input];
}

/** Returns writes that exceed an item's limits, and writes with combinations of options. */
function writes() {
  const Key = key;
  const set = (value: Value) => ({ UpdateExpression: 'SET b = :v', ExpressionAttributeValues: { ':v': value } });
  const returned = (ReturnValues: string) => ({
    [`update returning ${ReturnValues}`]: (p: string): Request => [
      'UpdateItem',
      { TableName, Key: Key(p), ...set(S('y')), ReturnValues },
    ],
    [`put returning ${ReturnValues}`]: (p: string): Request => put({ ...Key(p), a: S('y') }, { ReturnValues }),
    [`delete returning ${ReturnValues}`]: (p: string): Request => [
      'DeleteItem',
      { TableName, Key: Key(p), ReturnValues },
    ],
  });
  const requests: Readonly<Record<string, (p: string) => Request>> = {
    ...returned('NONE'),
    ...returned('ALL_OLD'),
    ...returned('ALL_NEW'),
    ...returned('UPDATED_OLD'),
    ...returned('UPDATED_NEW'),
    ...returned('SOMETHING'),
    'put of 400 KB': (p) => put({ ...Key(p), a: big(409_600 - 4 - p.length - 3 - 1) }),
    'put over 400 KB': (p) => put({ ...Key(p), a: big(409_700) }),
    'update over 400 KB': (p) => ['UpdateItem', { TableName, Key: Key(p), ...set(big(409_700)) }],
    'update that makes the item larger than 400 KB': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), ...set(big(409_500)) },
    ],
    'update with a value 32 levels deep': (p) => ['UpdateItem', { TableName, Key: Key(p), ...set(deep(32)) }],
    'update with a value 33 levels deep': (p) => ['UpdateItem', { TableName, Key: Key(p), ...set(deep(33)) }],
    'put with a value 32 levels deep': (p) => put({ ...Key(p), a: deep(32) }),
    'put without an item': () => put({}),
    'put with a name of 256 bytes': (p) => put({ ...Key(p), ['x'.repeat(256)]: S('x') }),
    'put with an index key that is too long': (p) => put({ ...Key(p), g1pk: S('x'.repeat(2049)) }),
    'get with an empty key': (p) => get(p, ''),
    'get with a long key': (p) => get(p, 'x'.repeat(1025)),
    'get with a key that has two types': (p) => ['GetItem', { TableName, Key: { pk: { S: p, N: '1' }, sk: S('s') } }],
    'get without a key': () => ['GetItem', { TableName, Key: {} }],
    'get with a reserved word': (p) => get(p, 's', { ProjectionExpression: 'status' }),
    'update with an unused value': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), UpdateExpression: 'REMOVE b', ExpressionAttributeValues: { ':v': S('x') } },
    ],
    'update with an unused name': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), UpdateExpression: 'REMOVE b', ExpressionAttributeNames: { '#v': 'x' } },
    ],
    'update of its key': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), UpdateExpression: 'SET sk = :v', ExpressionAttributeValues: { ':v': S('x') } },
    ],
    'update with a reserved word inside a path': (p) => [
      'UpdateItem',
      { TableName, Key: Key(p), UpdateExpression: 'SET m.status = :v', ExpressionAttributeValues: { ':v': S('x') } },
    ],
    'delete with a reserved word': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), ConditionExpression: 'attribute_exists(status)' },
    ],
    'delete with an unknown ReturnItemCollectionMetrics': (p) => [
      'DeleteItem',
      { TableName, Key: Key(p), ReturnItemCollectionMetrics: 'ALL' },
    ],
    'a table name of two characters': (p) => ['GetItem', { TableName: 'ab', Key: Key(p) }],
    'a table name with a blank': (p) => ['GetItem', { TableName: 'a b c', Key: Key(p) }],
  };
  return cases('write', requests, (p, request) => [seed(p), request(p), get(p)]);
}
