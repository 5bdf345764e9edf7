import {
  condition,
  each,
  get,
  type Input,
  N,
  named,
  query,
  type Request,
  S,
  seed,
  TableName,
  transact,
} from './requests';

export function conditions() {
  const expressions = [
    ...each(`
      a = a | a < a | a = #a | a <> a | size(a) = size(a) | n = n | :s = :s | a = :s | n > :yes | n > :list | n < :map |
      n >= :set | n <= :null | n BETWEEN :yes AND :yes | n BETWEEN :two AND :one | n BETWEEN :one AND :s |
      n BETWEEN :one AND :two | a BETWEEN :t AND :s | a BETWEEN n AND :s | n BETWEEN :list AND :list |
      a BETWEEN :s AND :list | :one BETWEEN n AND :two | n IN (:one) | n IN (:one, :one) | n IN () | n IN (n) |
      n IN (:one, n) | attribute_type(a, :type) | attribute_type(a, :bad) | attribute_type(a, :one) |
      attribute_type(a, n) | attribute_type(:s, :type) | attribute_exists(:s) | attribute_exists(a) |
      attribute_not_exists(gone.deep) | begins_with(a, :s) | begins_with(a, :one) | begins_with(a, a) |
      begins_with(:s, :s) | begins_with(:one, :s) | begins_with(name, :p) | begins_with(#name, :p) |
      begins_with(a, :list) | begins_with(n, :s) | BEGINS_WITH(a, :s) | Size(a) > :one | contains(a, :s) |
      contains(t, :s) | contains(a, a) | contains(:s, a) | contains(l, :one) | contains(a, :one) | contains(:one, a) |
      size(a) > :one | size(:s) = :one | size(n) = :one | size(:one) = :one | size(gone) = :one | size(a) > size(name) |
      size(a) | a | :yes | (a = :s) | ((a = :s)) | (((a = :s))) | (a = :s) AND (n = :one) | ((a = :s) AND (n = :one)) |
      ((a = :s AND n = :one)) | (a) = :s | a = (:s) | ((a)) = :s | NOT a = :s | NOT (a = :s) | NOT ((a = :s)) |
      NOT NOT a = :t | a = :s AND | AND a = :s | a = :s OR n = :two AND n = :one | (a = :s OR n = :two) AND n = :one |
      a == :s | a != :s | a LIKE :s | a = "x" | a = 'x' | a = 1 | a =:s | a=:s | a = :s; | a = :s and n = :one |
      a = :s Or n = :one | not a = :t | n between :one and :two | n in (:one) | l[0] = :one | m.b.c = :s | m.a = :one |
      #m.#a = :one | #m.gone.x = :one | gone = :s | gone <> :s | gone < :s | a = :s AND name = :s |
      a = :s AND #name = :s | a = :undefined | #undefined = :s | é = :s | a b = :s | l[0][0] = :one | l[0 = :one |
      l] = :one | l[a] = :one | attribute_exists(a, b) | attribute_exists() | unknown(a) | list_append(a, :s) |
      if_not_exists(a, :s) = :s | size(size(a)) = :one | attribute_exists(size(a)) | NOT attribute_exists(a) OR a = :s |
      a = :s AND NOT n = :two | a <> :s OR n <> :two | a > n | a < l | l = :list | m = :map | t = :set | flag = :yes |
      flag > :yes | flag < flag2 | n = :one AND n > :empty | a > :empty | a.b.c.d = :s | _a = :s | a_b = :s | 9a = :s |
      #9 = :s | :9 = a | a.#b.c = :s | a. b = :s | attribute_type(gone, :type) | attribute_type(l, :type) OR a = :s |
      size(l) = :one | size(t) > :one | size(flag) > :one | contains(l, :list) | contains(t, :set) |
      n BETWEEN size(a) AND :two | size(a) BETWEEN :one AND :two | size(a) IN (:one, :two) | a IN (:s, :one) |
      a IN (:list) | size(:list) = :two | size(:set) = :two | size(:map) = :one | size(:yes) = :one |
      size(:null) = :one | size(:s) > :one`),
    `n IN (${Array(100).fill(':one').join(', ')})`,
    `n IN (${Array(101).fill(':one').join(', ')})`,
    'a = :s ',
    '',
    '  ',
    `a = :s${' AND a = :s'.repeat(149)}`,
    `a = :s${' AND a = :s'.repeat(150)}`,
    `a = :s${' AND a = :s'.repeat(160)}`,
    `a = :s${' OR a = :s'.repeat(500)}`,
  ];
  return {
    ...named('condition', expressions, (p, expression) => [seed(p), condition(p, expression), get(p)]),
    ...named('condition of nothing', expressions.slice(0, 60), (p, expression) => [condition(p, expression)]),
    ...named('condition in a transaction', expressions, (p, expression) => [
      seed(p),
      transact({ ConditionCheck: condition(p, expression)[1] }),
    ]),
    ...named('filter', expressions, (p, expression) => [seed(p), query(p, { FilterExpression: expression })]),
    ...named(
      'aliases',
      ['#', '#a b', '#é', 'a', '##a', `#${'a'.repeat(254)}`, `#${'a'.repeat(255)}`, '#_', '#1', '#a.b', '#a-b'],
      (p, alias) => [
        seed(p),
        [
          'DeleteItem',
          {
            TableName,
            Key: { pk: S(p), sk: S('s') },
            ConditionExpression: `${alias} = :s`,
            ExpressionAttributeNames: { [alias]: 'a' },
            ExpressionAttributeValues: { ':s': S('x') },
          },
        ],
      ],
    ),
    ...named(
      'values',
      [':', ':a b', ':é', 'a', '::a', `:${'a'.repeat(254)}`, `:${'a'.repeat(255)}`, ':_', ':1', ':a-b'],
      (p, alias) => [
        seed(p),
        [
          'DeleteItem',
          {
            TableName,
            Key: { pk: S(p), sk: S('s') },
            ConditionExpression: `a = ${alias}`,
            ExpressionAttributeValues: { [alias]: S('x') },
          },
        ],
      ],
    ),
    ...variants('given', {
      'an unused name': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeNames: { '#x': 'x' },
        ExpressionAttributeValues: { ':s': S('x') },
      },
      'an unused value': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': S('x'), ':t': S('y') } },
      'an empty name': {
        ConditionExpression: '#e = :s',
        ExpressionAttributeNames: { '#e': '' },
        ExpressionAttributeValues: { ':s': S('x') },
      },
      'no names': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeNames: {},
        ExpressionAttributeValues: { ':s': S('x') },
      },
      'no values': { ConditionExpression: 'attribute_exists(a)', ExpressionAttributeValues: {} },
      'names without an expression': { ExpressionAttributeNames: { '#x': 'x' } },
      'values without an expression': { ExpressionAttributeValues: { ':x': S('x') } },
      'a value of two types': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeValues: { ':s': { S: 'x', N: '1' } },
      },
      'a value without type': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': {} } },
      'an empty set': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': { SS: [] } } },
      'a set with duplicates': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeValues: { ':s': { SS: ['a', 'a'] } },
      },
      'a number that is none': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': N('abc') } },
      'a number of 39 digits': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeValues: { ':s': N('1'.repeat(39)) },
      },
      'a number too large': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': N('1e126') } },
      'a four-digit exponent': { ConditionExpression: 'a = :s', ExpressionAttributeValues: { ':s': N('1e0001') } },
      'ReturnValuesOnConditionCheckFailure ALL_NEW': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeValues: { ':s': S('q') },
        ReturnValuesOnConditionCheckFailure: 'ALL_NEW',
      },
      'ReturnValuesOnConditionCheckFailure ALL_OLD': {
        ConditionExpression: 'a = :s',
        ExpressionAttributeValues: { ':s': S('q') },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
      'ReturnValues UPDATED_OLD': { ReturnValues: 'UPDATED_OLD' },
    }),
  };

  function variants(label: string, inputs: Readonly<Record<string, Input>>) {
    return Object.fromEntries(
      Object.entries(inputs).map(([name, input]) => [
        `${label} ${name}`,
        (p: string): Request[] => [seed(p), ['DeleteItem', { TableName, Key: { pk: S(p), sk: S('s') }, ...input }]],
      ]),
    );
  }
}
