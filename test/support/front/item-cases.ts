import {
  condition,
  get,
  type Input,
  L,
  M,
  N,
  put,
  type Request,
  S,
  seed,
  TableName,
  transact,
  update,
  type Value,
} from './requests';

export function transactions() {
  const key = (p: string, sk = 's') => ({ pk: S(p), sk: S(sk) });
  const lists: Readonly<Record<string, (p: string) => readonly Input[]>> = {
    'of nothing': () => [],
    'of an entry without an action': () => [{}],
    'with two actions in an entry': (p) => [
      { Put: { TableName, Item: key(p) }, Delete: { TableName, Key: key(p, 't') } },
    ],
    'twice on one item': (p) => [{ Put: { TableName, Item: key(p) } }, { Delete: { TableName, Key: key(p) } }],
    'with an unknown ReturnValuesOnConditionCheckFailure': (p) => [
      { Delete: { TableName, Key: key(p), ReturnValuesOnConditionCheckFailure: 'ALL_NEW' } },
    ],
    'with ALL_OLD on failure': (p) => [
      {
        Delete: {
          TableName,
          Key: key(p),
          ConditionExpression: 'a = :q',
          ExpressionAttributeValues: { ':q': S('q') },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
    ],
    'with an unknown table': (p) => [{ Put: { TableName: 'nowhere', Item: key(p) } }],
    'with a key of the wrong type': (p) => [{ Delete: { TableName, Key: { pk: S(p), sk: N(1) } } }],
    'with an incomplete key': (p) => [{ Delete: { TableName, Key: { pk: S(p) } } }],
    'with an empty key': (p) => [{ Put: { TableName, Item: key(p, '') } }],
    'with an index key of the wrong type': (p) => [{ Put: { TableName, Item: { ...key(p), g1pk: N(1) } } }],
    'with an unused name': (p) => [
      {
        Put: {
          TableName,
          Item: key(p),
          ConditionExpression: 'attribute_exists(a)',
          ExpressionAttributeNames: { '#x': 'x' },
        },
      },
    ],
    'with a check without a condition': (p) => [{ ConditionCheck: { TableName, Key: key(p) } }],
    'with an update without an expression': (p) => [{ Update: { TableName, Key: key(p) } }],
    'with an invalid condition next to a failing condition': (p) => [
      { ConditionCheck: condition(p, 'a = :t')[1] },
      { ConditionCheck: condition(`${p}!`, 'a = a')[1] },
    ],
    'with a failing and a passing entry': (p) => [
      { ConditionCheck: condition(p, 'a = :t')[1] },
      { Put: { TableName, Item: key(`${p}!`) } },
    ],
    'with two puts': (p) => [{ Put: { TableName, Item: key(p) } }, { Put: { TableName, Item: key(`${p}!`) } }],
    'with an index key that is too long in an update': (p) => [{ Update: update(p, 'SET lsk = :long')[1] }],
    'with an update of an attribute of the wrong type': (p) => [
      { Update: update(p, 'ADD a :one')[1] },
      { ConditionCheck: condition(`${p}!`, 'attribute_not_exists(pk)')[1] },
    ],
  };
  return Object.fromEntries(
    Object.entries(lists).map(([name, entries]) => [
      `transaction ${name}`,
      (p: string) => [seed(p), transact(...entries(p)), get(p)],
    ]),
  );
}

export function items() {
  const long = (n: number) => S('x'.repeat(n));
  const more: Readonly<Record<string, Input>> = {
    plain: { a: S('x') },
    'index key too long': { g1pk: long(2049), g1sk: S('x') },
    'index sort key too long': { g1pk: S('x'), g1sk: long(1025) },
    'index key at the limit': { g1pk: long(2048), g1sk: long(1024) },
    'local sort key too long': { lsk: long(1025) },
    'index key empty': { g1pk: S(''), g1sk: S('x') },
    'index key of the wrong type': { rank: S('x') },
    'index key NULL': { g1pk: { NULL: true } },
    'empty name': { '': S('x') },
    'empty name inside': { m: M({ '': S('x') }) },
    'empty name in a list': { l: L(M({ '': S('x') })) },
    'number with exponent': { n: N('1E3') },
    'number with a four-digit exponent': { n: N('1E0003') },
    'number with a plus': { n: N('+1') },
    'number with blanks': { n: N(' 1 ') },
    'number with zeros': { n: N('001.100') },
    'number of 38 digits': { n: N('9'.repeat(38)) },
    'number of 39 digits': { n: N('9'.repeat(39)) },
    'number too small': { n: N('1e-131') },
    'number tiny': { n: N('1e-130') },
    'number negative zero': { n: N('-0') },
    'number hex': { n: N('0x10') },
    'number Infinity': { n: N('Infinity') },
    'number empty': { n: N('') },
    'empty set': { t: { SS: [] } },
    'set with an empty string': { t: { SS: [''] } },
    'set of equal numbers': { t: { NS: ['1', '1.0'] } },
    'set twice': { t: { SS: ['a', 'a'] } },
    'NULL false': { a: { NULL: false } },
    'empty string': { a: S('') },
    'empty bytes': { a: { B: '' } },
    'empty list and map': { l: L(), m: M({}) },
    'two types': { a: { S: 'x', N: '1' } },
    'no type': { a: {} },
    'bytes set': { a: { BS: ['AAEC', 'AAEC'] } },
    'nested 33 deep': {
      a: Array(33)
        .fill(0)
        .reduce((inner: Value) => L(inner), S('x')),
    },
    'nested 31 deep': {
      a: Array(31)
        .fill(0)
        .reduce((inner: Value) => L(inner), S('x')),
    },
  };
  return {
    ...Object.fromEntries(
      Object.entries(more).flatMap(([name, item]) => [
        [`put ${name}`, (p: string) => [put({ pk: S(p), sk: S('s'), ...item }), get(p)]],
        [
          `transact put ${name}`,
          (p: string) => [transact({ Put: { TableName, Item: { pk: S(p), sk: S('s'), ...item } } }), get(p)],
        ],
        [
          `batch put ${name}`,
          (p: string): Request[] => [
            [
              'BatchWriteItem',
              { RequestItems: { [TableName]: [{ PutRequest: { Item: { pk: S(p), sk: S('s'), ...item } } }] } },
            ],
            get(p),
          ],
        ],
      ]),
    ),
    'put without a sort key': (p: string) => [put({ pk: S(p) })],
    'put with a key of the wrong type': (p: string) => [put({ pk: S(p), sk: N(1) })],
    'put with an empty key': (p: string) => [put({ pk: S(p), sk: S('') })],
    'put with a long key': (p: string) => [put({ pk: S(p), sk: long(1025) })],
    'put with a long partition': (p: string) => [put({ pk: S(p.padEnd(2049, 'x')), sk: S('s') })],
    'get with an extra key attribute': (p: string): Request[] => [
      ['GetItem', { TableName, Key: { pk: S(p), sk: S('s'), a: S('x') } }],
    ],
    'get of an unknown table': (p: string): Request[] => [['GetItem', { TableName: 'nowhere', Key: { pk: S(p) } }]],
    'put twice in a batch': (p: string): Request[] => [
      [
        'BatchWriteItem',
        {
          RequestItems: {
            [TableName]: [
              { PutRequest: { Item: { pk: S(p), sk: S('s') } } },
              { PutRequest: { Item: { pk: S(p), sk: S('s') } } },
            ],
          },
        },
      ],
    ],
    'get twice in a batch': (p: string): Request[] => [
      [
        'BatchGetItem',
        {
          RequestItems: {
            [TableName]: {
              Keys: [
                { pk: S(p), sk: S('s') },
                { pk: S(p), sk: S('s') },
              ],
            },
          },
        },
      ],
    ],
    'put of a new item with ALL_OLD': (p: string) => [put({ pk: S(p), sk: S('s') }, { ReturnValues: 'ALL_OLD' })],
    'put returns ALL_NEW': (p: string) => [put({ pk: S(p), sk: S('s') }, { ReturnValues: 'ALL_NEW' })],
    'delete of a missing item with ALL_OLD': (p: string): Request[] => [
      ['DeleteItem', { TableName, Key: { pk: S(p), sk: S('s') }, ReturnValues: 'ALL_OLD' }],
    ],
    'update without an expression': (p: string): Request[] => [
      ['UpdateItem', { TableName, Key: { pk: S(p), sk: S('s') }, ReturnValues: 'ALL_NEW' }],
      get(p),
    ],
    'update with ALL_OLD but no expression': (p: string): Request[] => [
      ['UpdateItem', { TableName, Key: { pk: S(p), sk: S('s') }, ReturnValues: 'ALL_OLD' }],
      get(p),
    ],
  };
}
