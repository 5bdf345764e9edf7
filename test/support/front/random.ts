import { condition, get, query, type Request, seed, transact, update, VALUES } from './requests';

/**
 * Generates requests from a small grammar, so that many are valid and many others almost valid. The same seed always
 * gives the same requests.
 */
export function randomCases(count: number, first: number): Readonly<Record<string, (p: string) => readonly Request[]>> {
  let state = first;
  const random = (below: number) => {
    // A linear congruential generator is enough to vary requests.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const several = (make: () => string, most: number) => Array.from({ length: 1 + random(most) }, make).join(', ');
  const paths = [
    'a',
    'n',
    'l',
    'm',
    't',
    'flag',
    'b',
    'gone',
    '#name',
    '#a',
    'm.a',
    'm.b',
    'm.b.c',
    'm.l',
    'm.l[0]',
    'm.gone',
    'l[0]',
    'l[1]',
    'l[3]',
    'l[4]',
    'l[7]',
    'a.b',
    'gone.x',
    'gone[0]',
    'm.b.new2',
    'lsk',
    'g1pk',
    'sk',
  ];
  const values = Object.keys(VALUES).filter((name) => name !== ':long');
  const path = () => one(paths);
  const value = () => one(values);
  const operand = (): string => one([path, path, value, value, () => `size(${one([path, value])()})`])();
  const test = (): string =>
    one([
      () => `${operand()} ${one(['=', '<>', '<', '<=', '>', '>='])} ${operand()}`,
      () => `${operand()} BETWEEN ${operand()} AND ${operand()}`,
      () => `${operand()} IN (${several(operand, 3)})`,
      () => `attribute_exists(${operand()})`,
      () => `attribute_not_exists(${path()})`,
      () => `attribute_type(${path()}, ${one([':type', ':bad', value()])})`,
      () => `begins_with(${operand()}, ${operand()})`,
      () => `contains(${operand()}, ${operand()})`,
    ])();
  const tests = (depth: number): string =>
    depth === 0 || random(2) === 0
      ? test()
      : one([
          () => `${tests(depth - 1)} ${one(['AND', 'OR'])} ${tests(depth - 1)}`,
          () => `NOT ${tests(depth - 1)}`,
          () => `(${tests(depth - 1)})`,
        ])();
  const assigned = (): string =>
    one([
      value,
      path,
      () => `${operand()} ${one(['+', '-'])} ${operand()}`,
      () => `if_not_exists(${path()}, ${operand()})`,
      () => `list_append(${operand()}, ${operand()})`,
      () => `if_not_exists(${path()}, ${value()}) + ${value()}`,
    ])();
  const clauses: readonly (() => string)[] = [
    () => `SET ${several(() => `${path()} = ${assigned()}`, 3)}`,
    () => `REMOVE ${several(path, 3)}`,
    () => `ADD ${several(() => `${path()} ${one([':one', ':set', ':ns', value()])}`, 2)}`,
    () => `DELETE ${several(() => `${path()} ${one([':set', ':ns', value()])}`, 2)}`,
  ];
  const change = () => {
    const chosen = clauses.filter(() => random(3) === 0);
    return (chosen.length === 0 ? [one(clauses)] : chosen).map((clause) => clause()).join(' ');
  };
  const make = (): ((p: string) => readonly Request[]) => {
    const [expression, wanted, written] = [tests(2), several(path, 3), change()];
    return one<(p: string) => readonly Request[]>([
      (p) => [seed(p), update(p, written, { ReturnValues: 'ALL_NEW' }), get(p)],
      (p) => [seed(p), update(p, written, { ReturnValues: 'ALL_OLD' }), get(p)],
      (p) => [seed(p), update(p, written, { ConditionExpression: expression }), get(p)],
      (p) => [seed(p), transact({ Update: update(p, written)[1] }), get(p)],
      (p) => [update(p, written, { ReturnValues: 'ALL_NEW' }), get(p)],
      (p) => [seed(p), condition(p, expression), get(p)],
      (p) => [seed(p), transact({ ConditionCheck: condition(p, expression)[1] })],
      (p) => [seed(p), query(p, { FilterExpression: expression })],
      (p) => [seed(p), query(p, { ProjectionExpression: wanted })],
    ]);
  };
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const requests = make();
      const label = JSON.stringify(requests(''))
        .replace(/^.*?(Expression":.*)$/, '$1')
        .slice(0, 250);
      return [`random ${i}: ${label}`, requests];
    }),
  );
}
