import { condition, each, get, named, seed, transact, update } from './requests';

export function updates() {
  const expressions = [
    ...each(`
      SET a = :s, a = :t | SET a = :s REMOVE a | SET m.a = :one, m = :map | SET m = :map REMOVE m.b |
      REMOVE m.a, m.b.c | SET m.a = :one, m[0] = :one | SET #a = :s, a = :t | SET pk = :s | SET sk = :s | REMOVE sk |
      SET pk.a = :s | REMOVE gone.a | REMOVE a.b | REMOVE l[9] | REMOVE gone[0] | REMOVE m.gone | REMOVE m.gone.deep |
      REMOVE gone | DELETE gone.t :set | DELETE t :set | DELETE t :one | DELETE gone :set | ADD m.n :one |
      ADD gone.n :one | ADD t :set | ADD n :one | ADD n :s | ADD a :one | ADD newly :one | ADD newly :set |
      ADD newly :list | DELETE newly :list | SET gone.a = :s | SET a.b = :s | SET m.new = :s | SET m.gone.deep = :s |
      SET l.a = :s | SET a[0] = :s | SET m[0] = :s | SET l[9] = :s | SET l[9] = :s, l[7] = :t |
      SET l[4] = :s, l[9] = :t | SET l[1] = :s, l[8] = :t | REMOVE l[0], l[1] | REMOVE l[1], l[0], l[3] |
      SET l[0] = :s REMOVE l[1] | SET l[0] = :s REMOVE l[0] | SET l[9] = :s REMOVE l[0] | SET m.l[3] = :s |
      REMOVE m.l[0] | SET n = n + :one | SET n = n - :s | SET n = :s + :one | SET n = a + :one | SET n = gone + :one |
      SET b = gone | SET b = m.a | SET b = if_not_exists(gone, :one) + :one | SET b = if_not_exists(a, :s) |
      SET b = if_not_exists(:s, :s) | SET l = list_append(l, :list) | SET l = list_append(:list, l) |
      SET l = list_append(l, :s) | SET l = list_append(a, :list) | SET l = list_append(gone, :list) |
      SET l = list_append(if_not_exists(gone, :list), :list) | SET l = if_not_exists(l, list_append(:list, :list)) |
      SET l = list_append(l) | SET b = (:s) | SET b = (n + :one) | SET b = n + :one + :one | SET b = ((n) + (:one)) |
      SET b = (n) | SET b = (:one) + n | SET b = (if_not_exists(n, :one)) + :one | SET a = :s SET b = :t |
      set a = :s remove b | SET | SET a :s | ADD a = :s | REMOVE | REMOVE a b | SET name = :s | SET #name = :s |
      SET #gone = :s | SET a = :gone | SET _a = :s | SET 1a = :s | SET é = :s | SET a = :s, é = :s | SET a-b = :s |
      SET a.1 = :s | SET l[99999999999] = :s | SET l[-1] = :s | SET l[01] = :s | SET l[ 1 ] = :s | SET m . a = :s |
      SET l [0] = :s | SET a = IF_NOT_EXISTS(b, :s) | SET a = size(b) | SET a = begins_with(a, :s) |
      REMOVE a SET b = :s DELETE t :set ADD n :one | SET g1pk = :one | SET g1pk = :empty | SET g1pk = :s |
      SET rank = :s | SET g1pk = :null | SET lsk = :one | SET g1sk = :empty | SET g1sk = :long | SET lsk = :long |
      SET a = :s, b = a | SET a = b, b = :s | SET a = #a | SET a = a | SET a = :s REMOVE b, b |
      REMOVE g1pk, g1sk, g1pk | SET a = if_not_exists(a, :empty) | ADD m :map | ADD :s :one | DELETE t t |
      SET m.b.c = :s, m.b.d = :t | SET m.b.c = :s, m.b = :map | SET b = m.gone | SET b = m.gone.deep | SET b = a.b |
      SET b = l[9] | SET b = l[1] | SET l[0] = l[1], l[1] = l[0] | ADD l[0] :one | ADD l[9] :one | DELETE m.t :set |
      SET m.l[0] = :s, m.l[5] = :t | SET b = :one + :two | SET b = :one + :bytes | ADD n :ns | DELETE n :ns |
      ADD t :ns | DELETE t :ns | ADD n n | SET a = :s ,b = :t`),
    '',
    ' ',
    'SET a = :s, ',
  ];
  const single = named('update', expressions, (p, expression) => [
    seed(p),
    update(p, expression, { ReturnValues: 'ALL_NEW' }),
    get(p),
  ]);
  const absent = named('update of nothing', expressions.slice(0, 120), (p, expression) => [
    update(p, expression, { ReturnValues: 'ALL_OLD' }),
    get(p),
  ]);
  const within = named('update in a transaction', expressions, (p, expression) => [
    seed(p),
    transact({ Update: update(p, expression)[1] }),
    get(p),
  ]);
  const returned = named(
    'returns',
    ['ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE', 'SOME'],
    (p, ReturnValues) => [
      seed(p),
      update(p, 'SET m.a = :s, b = :t, l[9] = :s REMOVE a, l[0], l[1]', { ReturnValues }),
      update(p, 'SET n = :one', { ReturnValues }),
      get(p),
    ],
  );
  const conditional = named('conditional', ['a = :s', 'a = :t', 'attribute_exists(gone)'], (p, ConditionExpression) => [
    seed(p),
    update(p, 'SET gone.a = :s', { ConditionExpression }),
    update(p, 'SET l[9] = :s', { ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
    transact({ Update: { ...update(p, 'REMOVE gone.a', { ConditionExpression })[1] } }),
    transact(
      { Update: { ...update(p, 'REMOVE gone.a', { ConditionExpression })[1] } },
      { ConditionCheck: condition(`${p}!`, 'attribute_exists(pk)')[1] },
    ),
    get(p),
  ]);
  return { ...single, ...absent, ...within, ...returned, ...conditional };
}
