import {
  each,
  expressed,
  get,
  type Input,
  L,
  M,
  N,
  named,
  put,
  query,
  type Request,
  S,
  TableName,
  type Value,
} from './requests';

export function keyConditions() {
  const fill = (p: string): Request[] =>
    ['ORDER#1', 'ORDER#2', 'order#3', 'P', 'a', 'a\u0000b', 'ab', 'é', '😀', '\uffff'].map((sk, i) =>
      put({
        pk: S(p),
        sk: S(sk),
        lsk: S(`l${i % 3}`),
        n: N(i),
        g1pk: S(p),
        g1sk: S(sk),
        g2pk: S(p),
        rank: N(i % 4),
        kept: S('k'),
        lost: S('l'),
      }),
    );
  const one: Readonly<Record<string, Value>> = {
    s: S('ORDER#'),
    lower: S('order#'),
    empty: S(''),
    number: N(1),
    list: L(),
    long: S('x'.repeat(1025)),
    nul: S('a\u0000'),
    a: S('a'),
    pair: S('😀'),
    last: S('\uffff'),
    full: S('x'.repeat(1024)),
    bytes: { B: 'AAEC' },
  };
  const sorts = Object.fromEntries(
    Object.entries(one).flatMap(([name, value]) =>
      [
        'begins_with(sk, :v)',
        'sk = :v',
        'sk > :v',
        'sk <= :v',
        'sk BETWEEN :v AND :v',
        'begins_with ( #sk , :v )',
        'sk <> :v',
        'sk IN (:v)',
        'contains(sk, :v)',
      ].map((sort) => [
        `key condition ${sort} ${name}`,
        (p: string) => [
          ...fill(p),
          query(p, {
            KeyConditionExpression: `pk = :pk AND ${sort}`,
            ExpressionAttributeValues: { ':pk': S(p), ':v': value },
          }),
        ],
      ]),
    ),
  );
  const whole = named(
    'key condition',
    [
      ...each(`
      sk = :s AND pk = :pk | begins_with(sk, :s) AND pk = :pk | (pk = :pk) AND (sk = :s) | ((pk = :pk) AND sk = :s) |
      (pk = :pk AND sk = :s) | ((pk = :pk)) AND sk = :s | pk = :pk AND sk > :s AND sk < :t | pk > :pk |
      pk = :pk OR sk = :s | NOT pk = :pk | sk = :s | pk = :pk AND n = :one | pk = :pk AND pk = :pk | :pk = pk |
      :pk = pk AND :s < sk | pk = :pk AND sk BETWEEN :t AND :s | pk = :pk AND sk BETWEEN :one AND :two |
      pk = :pk AND sk BETWEEN :s AND :one | begins_with(pk, :pk) | pk = sk | pk = :pk AND sk = pk | pk.a = :pk |
      pk = :pk AND attribute_exists(sk) | pk = :pk AND size(sk) = :one | PK = :pk | pk = :pk and sk = :s |
      sk BETWEEN :s AND :t AND pk = :pk | pk = :pk AND begins_with(:s, sk) | pk = :pk AND (sk BETWEEN :s AND :t) |
      pk IN (:pk) | pk = :pk AND sk = :s AND n = :one | pk = :pk AND NOT sk = :s`),
      '',
    ],
    (p, KeyConditionExpression) => [...fill(p), query(p, { KeyConditionExpression })],
  );
  const starts: Readonly<Record<string, (p: string) => Input>> = {
    'of another partition': (p) => ({ ExclusiveStartKey: { pk: S(`${p}!`), sk: S('a') } }),
    'of no item': (p) => ({ ExclusiveStartKey: { pk: S(p), sk: S('b') } }),
    'outside the range': (p) => ({
      KeyConditionExpression: 'pk = :pk AND sk > :q',
      ExpressionAttributeValues: { ':pk': S(p), ':q': S('b') },
      ExclusiveStartKey: { pk: S(p), sk: S('a') },
    }),
    'at the edge': (p) => ({
      KeyConditionExpression: 'pk = :pk AND sk > :q',
      ExpressionAttributeValues: { ':pk': S(p), ':q': S('a') },
      ExclusiveStartKey: { pk: S(p), sk: S('a') },
    }),
    'outside begins_with': (p) => ({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :q)',
      ExpressionAttributeValues: { ':pk': S(p), ':q': S('ORDER') },
      ExclusiveStartKey: { pk: S(p), sk: S('P') },
    }),
    'within begins_with': (p) => ({
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :q)',
      ExpressionAttributeValues: { ':pk': S(p), ':q': S('ORDER') },
      ExclusiveStartKey: { pk: S(p), sk: S('ORDER#1') },
    }),
    'without a sort key': (p) => ({ ExclusiveStartKey: { pk: S(p) } }),
    'with an extra attribute': (p) => ({ ExclusiveStartKey: { pk: S(p), sk: S('a'), n: N(1) } }),
    'of the wrong type': (p) => ({ ExclusiveStartKey: { pk: S(p), sk: N(1) } }),
    empty: (p) => ({ ExclusiveStartKey: { pk: S(p), sk: S('') } }),
    'that is nothing': () => ({ ExclusiveStartKey: {} }),
    'of the table in an index query': (p) => ({
      IndexName: 'all',
      KeyConditionExpression: 'g1pk = :pk',
      ExclusiveStartKey: { pk: S(p), sk: S('a') },
    }),
    'of another partition of an index': (p) => ({
      IndexName: 'all',
      KeyConditionExpression: 'g1pk = :pk',
      ExclusiveStartKey: { pk: S(p), sk: S('a'), g1pk: S(`${p}!`), g1sk: S('a') },
    }),
    'of an index': (p) => ({
      IndexName: 'all',
      KeyConditionExpression: 'g1pk = :pk',
      ExclusiveStartKey: { pk: S(p), sk: S('a'), g1pk: S(p), g1sk: S('a') },
    }),
    'of an index, backward': (p) => ({
      IndexName: 'all',
      ScanIndexForward: false,
      KeyConditionExpression: 'g1pk = :pk AND g1sk < :q',
      ExpressionAttributeValues: { ':pk': S(p), ':q': S('b') },
      ExclusiveStartKey: { pk: S(p), sk: S('z'), g1pk: S(p), g1sk: S('z') },
    }),
    'of a local index': (p) => ({ IndexName: 'local', ExclusiveStartKey: { pk: S(p), sk: S('a'), lsk: S('l1') } }),
  };
  const started = Object.fromEntries(
    Object.entries(starts).map(([name, input]) => [
      `start key ${name}`,
      (p: string) => [...fill(p), query(p, input(p))],
    ]),
  );
  const scans: Readonly<Record<string, (p: string) => Input>> = {
    'Segment 2 of 2': () => ({ Segment: 2, TotalSegments: 2 }),
    'Segment without total': () => ({ Segment: 0 }),
    'TotalSegments without segment': () => ({ TotalSegments: 2 }),
    'a Limit of 0': () => ({ Limit: 0 }),
    'ConsistentRead on a GSI': () => ({ IndexName: 'all', ConsistentRead: true }),
    'an unknown index': () => ({ IndexName: 'nowhere' }),
    'Select COUNT with a projection': () => ({ Select: 'COUNT', ProjectionExpression: 'a' }),
    'Select SPECIFIC_ATTRIBUTES without': () => ({ Select: 'SPECIFIC_ATTRIBUTES' }),
    'ALL_PROJECTED_ATTRIBUTES on the table': () => ({ Select: 'ALL_PROJECTED_ATTRIBUTES' }),
    'ALL_ATTRIBUTES of a GSI': () => ({ IndexName: 'keys', Select: 'ALL_ATTRIBUTES' }),
  };
  const scanned = Object.fromEntries(
    Object.entries(scans).map(([name, input]) => [
      `scan with ${name}`,
      (p: string): Request[] => [
        ['Scan', { TableName, FilterExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': S(p) }, ...input(p) }],
      ],
    ]),
  );
  return { ...sorts, ...whole, ...started, ...scanned };
}

export function projections() {
  const item = (p: string) =>
    put({
      pk: S(p),
      sk: S('s'),
      lsk: S('l'),
      g1pk: S(p),
      g1sk: S('s'),
      g2pk: S(p),
      rank: N(1),
      kept: S('k'),
      lost: S('l'),
      a: S('x'),
      m: M({ a: N(1), b: N(2) }),
      l: L(N(0), N(1), M({ a: N(1) })),
      name: S('n'),
    });
  const paths = [
    ...each(`
      a | a, a | m, m.a | m.a, m.b | m.a, m[0] | l[0], l[1] | l[1], l[0] | l[2].a | l[9] | gone | m.gone | name |
      #name | a b | a, | #a, a | m.a.b | pk, a | size(a) | :s | l[0][0] | a, #name, m.b | é | m.a, gone.x | l[2], l[0]`),
    '',
  ];
  const of = (index: string, hash: string, ...expressions: readonly string[]) =>
    named(`projection of ${index}`, expressions, (p, ProjectionExpression) => [
      item(p),
      query(p, { IndexName: index, KeyConditionExpression: `${hash} = :pk`, ProjectionExpression }),
    ]);
  const filters = (index: string, hash: string, ...expressions: readonly string[]) =>
    named(`filter of ${index}`, expressions, (p, FilterExpression) => [
      item(p),
      query(p, { IndexName: index, KeyConditionExpression: `${hash} = :pk`, FilterExpression }),
    ]);
  const wants = ['pk', 'kept', 'lost', 'rank', 'g2pk, sk', 'm.a', 'kept, lost', 'g1pk', 'lsk'];
  return {
    ...named('projection', paths, (p, ProjectionExpression) => [
      item(p),
      get(p, 's', { ProjectionExpression, ...expressed(ProjectionExpression) }),
      query(p, { ProjectionExpression }),
      [
        'BatchGetItem',
        {
          RequestItems: {
            [TableName]: { Keys: [{ pk: S(p), sk: S('s') }], ProjectionExpression, ...expressed(ProjectionExpression) },
          },
        },
      ],
      [
        'TransactGetItems',
        {
          TransactItems: [
            {
              Get: {
                TableName,
                Key: { pk: S(p), sk: S('s') },
                ProjectionExpression,
                ...expressed(ProjectionExpression),
              },
            },
            {
              Get: {
                TableName,
                Key: { pk: S(`${p}!`), sk: S('s') },
                ProjectionExpression,
                ...expressed(ProjectionExpression),
              },
            },
          ],
        },
      ],
    ]),
    ...of('some', 'g2pk', ...wants),
    ...of('keys', 'g2pk', ...wants),
    ...of('all', 'g1pk', ...wants),
    ...of('local', 'pk', ...wants),
    ...filters(
      'some',
      'g2pk',
      'lost = :s',
      'kept = :s',
      'attribute_exists(lost)',
      'pk = :s',
      'sk <> :s',
      'g2pk = :s',
      'rank > :one',
      'size(m) > :one',
    ),
    ...filters('keys', 'g2pk', 'kept = :s', 'rank = :one'),
    ...filters('all', 'g1pk', 'g1sk = :s', 'lost <> :s', 'sk <> :s'),
    ...filters('local', 'pk', 'lost <> :s', 'attribute_exists(kept)', 'lsk = :s', 'sk = :s'),
    ...named('select of local', ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT', 'SOMETHING'], (p, Select) => [
      item(p),
      query(p, { IndexName: 'local', Select }),
    ]),
    ...named('select of keys', ['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'COUNT'], (p, Select) => [
      item(p),
      query(p, { IndexName: 'keys', KeyConditionExpression: 'g2pk = :pk', Select }),
    ]),
    ...named('filter of the table', ['pk = :s', 'sk <> :s', '#pk = :s AND a = :s'], (p, FilterExpression) => [
      item(p),
      query(p, { FilterExpression }),
    ]),
  };
}
