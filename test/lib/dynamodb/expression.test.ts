import type { Condition, Operand, Test } from '../../../lib/design/pattern';
import { KeyError } from '../../../lib/design/template';
import { conditioned, Expression } from '../../../lib/dynamodb/expression';
import { operandValue } from '../../../lib/items/operands';

/** Renders a condition on the attribute `a`, followed by its placeholder values. */
function written(test: Test, parameters: object = {}) {
  const expression = new Expression([]);
  const tests = expression.tests({ a: test }, parameters);
  return [tests.join(' AND '), ...Object.values(expression.values)];
}

describe('comparisons in a condition', () => {
  test.each<[Test, readonly unknown[]]>([
    ['x', ['#0 = :0', 'x']],
    [1, ['#0 = :0', 1]],
    [false, ['#0 = :0', false]],
    [null, ['#0 = :0', null]],
    [{ attribute: 'b' }, ['#0 = #1']],
    [{ not: 'x' }, ['#0 <> :0', 'x']],
    [{ atLeast: 1 }, ['#0 >= :0', 1]],
    [{ atMost: 1 }, ['#0 <= :0', 1]],
    [{ greaterThan: 1 }, ['#0 > :0', 1]],
    [{ lessThan: { attribute: 'b.c' } }, ['#0 < #1.#2']],
    [{ between: [1, { attribute: 'b' }] }, ['#0 BETWEEN :0 AND #1', 1]],
    [{ beginsWith: 'x' }, ['begins_with(#0, :0)', 'x']],
    [{ contains: 'x' }, ['contains(#0, :0)', 'x']],
    [{ in: ['x', 1, null] }, ['#0 IN (:0, :1, :2)', 'x', 1, null]],
    [{ exists: true }, ['attribute_exists(#0)']],
    [{ exists: false }, ['attribute_not_exists(#0)']],
    [{ size: 2 }, ['size(#0) = :0', 2]],
    [{ size: { not: 2 } }, ['size(#0) <> :0', 2]],
    [{ size: { between: [1, 3] } }, ['size(#0) BETWEEN :0 AND :1', 1, 3]],
  ])('%j', (test, expected) => {
    expect(written(test)).toEqual(expected);
  });

  test('preserves the types of parameter values in a test', () => {
    expect(written('<x>', { x: ['a'] })).toEqual(['#0 = :0', ['a']]);
    expect(written({ between: ['<from>', '<to>'] }, { from: 1, to: 2 })).toEqual(['#0 BETWEEN :0 AND :1', 1, 2]);
    expect(written({ in: ['<x>', '<y>'] }, { x: 1, y: false })).toEqual(['#0 IN (:0, :1)', 1, false]);
    expect(written({ contains: '<user.id>' }, { user: { id: 'u' } })).toEqual(['contains(#0, :0)', 'u']);
    expect(written({ not: '<x>' }, { x: null })).toEqual(['#0 <> :0', null]);
  });
});

describe('conditions with `any` and `none`', () => {
  const [a, b, c] = [{ a: 1 }, { b: 2 }, { c: 3 }];
  test.each<[Condition, string]>([
    [{ any: [a, b] }, '(#0 = :0 OR #1 = :1)'],
    [{ none: [a] }, 'NOT (#0 = :0)'],
    [{ none: [a, b] }, 'NOT (#0 = :0 OR #1 = :1)'],
    [{ a: 1, any: [{ b: 2, c: 3 }, c] }, '#0 = :0 AND (#1 = :1 AND #2 = :2 OR #2 = :3)'],
    [{ any: [{ ...a, ...b }] }, '#0 = :0 AND #1 = :1'],
    [{ any: [{ any: [a, b] }] }, '(#0 = :0 OR #1 = :1)'],
    [{ none: [{ any: [a, b] }] }, 'NOT (#0 = :0 OR #1 = :1)'],
    [{ none: [{ none: [a] }] }, 'NOT (NOT (#0 = :0))'],
    [{ any: [a, { none: [b] }] }, '(#0 = :0 OR NOT (#1 = :1))'],
    [{ any: [a, b], none: [c] }, '(#0 = :0 OR #1 = :1) AND NOT (#2 = :2)'],
    [{ any: [a, { b: '<x?>' }, { c: '<x?>' }] }, '#0 = :0'],
    [{ any: [{ a: '<x?>' }], none: [{ any: [{ a: '<x?>' }] }], c: 3 }, '#0 = :0'],
    // Operator names are also valid attribute names in a condition.
    [{ any: 1, none: { exists: true } }, '#0 = :0 AND attribute_exists(#1)'],
  ])('%j', (condition, expected) => {
    expect(new Expression([]).tests(condition, {}).join(' AND ')).toBe(expected);
  });

  test('refuses a size that is not a non-negative integer', () => {
    for (const n of [-1, 1.5, '2', null]) {
      const message = `a is compared with ${JSON.stringify(n)}: a size is a non-negative integer`;
      expect(() => written({ size: '<n>' }, { n })).toThrow(message);
    }
    expect(written({ size: { atMost: '<n>' } }, { n: 0 })).toEqual(['size(#0) <= :0', 0]);
    expect(written({ size: { atMost: '<n?>' } })).toEqual(['']);
  });
});

describe('optional parts that the caller omits', () => {
  test.each<[Test]>([
    ['<x?>'],
    ['a-<x?>'],
    [{ not: '<x?>' }],
    [{ atLeast: '<x?>' }],
    [{ beginsWith: '<x:year?>' }],
    [{ contains: '<x?>' }],
    [{ between: ['<x?>', '<y?>'] }],
    [{ in: ['<x?>', '<y?>'] }],
  ])('drops the whole test %j and its names, because DynamoDB would refuse unused names', (test) => {
    const expression = new Expression([]);
    expect(expression.tests({ a: test, b: 1 }, {})).toEqual(['#0 = :0']);
    expect(conditioned([], expression)).toEqual({
      ExpressionAttributeNames: { '#0': 'b' },
      ExpressionAttributeValues: { ':0': 1 },
    });
  });

  test('keeps a test whose optional value is false, zero, empty or null', () => {
    for (const x of [false, 0, '', null]) expect(written('<x?>', { x })).toEqual(['#0 = :0', x]);
  });

  test('drops only the omitted operand from a list of operands', () => {
    expect(written({ in: ['<x?>', '<y?>', 'z'] }, { y: 'y' })).toEqual(['#0 IN (:0, :1)', 'y', 'z']);
  });

  test('refuses a range with only one end, because dropping the test would let unwanted items through', () => {
    const attempt = () => written({ between: ['<x?>', '<y?>'] }, { x: 1 });
    expect(attempt).toThrow(KeyError);
    expect(attempt).toThrow('a: give both ends of the range, or neither');
  });

  test('requires a value for a parameter without a question mark', () => {
    expect(() => written('<x>')).toThrow('<x> is missing; give it a value');
    expect(() => written({ atLeast: '<map.x>' }, { map: {} })).toThrow('<map.x> is missing; give it a value');
  });
});

describe('values of operands', () => {
  test.each<[Exclude<Operand, object>, object, unknown]>([
    ['plain', {}, 'plain'],
    ['', {}, ''],
    [3, {}, 3],
    [true, {}, true],
    [null, {}, null],
    ['<x>', { x: { deep: [1] } }, { deep: [1] }],
    ['<x>', { x: '' }, ''],
    ['<x?>', {}, undefined],
    ['<first> <last>', { first: 'Ana', last: 'Paz' }, 'Ana Paz'],
    ['<n> left', { n: 0 }, '0 left'],
    ['is <flag>', { flag: false }, 'is false'],
    ['a#<x>', { x: 'b#c' }, 'a#b#c'],
    ['<x?>, <y?>', { x: 'x' }, undefined],
  ])('evaluates %j with %j to %j', (operand, parameters, value) => {
    expect(operandValue(operand, parameters)).toEqual(value);
  });

  test.each<[string, unknown, string]>([
    ['<x:date>', '2026-01-31T12:00:00Z', '2026-01-31'],
    ['<x:year>', '2026-01-31', '2026'],
    ['in <x:month>', '2026-01-31T12:00:00Z', 'in 01'],
    ['<x:4>', 7, '0007'],
    ['no. <x:4>', 7, 'no. 0007'],
  ])('applies the format in %j: %j becomes %j', (operand, x, value) => {
    expect(operandValue(operand, { x })).toBe(value);
  });

  test('refuses a value that cannot be rendered as text or does not fit the format', () => {
    expect(() => operandValue('<x:date>', { x: 'yesterday' })).toThrow('<x:date>: <x> is "yesterday"; give an ISO');
    expect(() => operandValue('<x:2>', { x: 100 })).toThrow('<x:2>: <x> is 100; give a whole number of at most 2');
    expect(() => operandValue('hello <x>', { x: {} })).toThrow(
      'hello <x>: <x> is an object; give a string or a number',
    );
    expect(() => operandValue('hello <x>', { x: null })).toThrow('hello <x>: <x> is null; give a string or a number');
  });
});

describe('names and values', () => {
  const condition: Condition = { 'a.b': 1, a: { attribute: 'b.a' }, size: { exists: true } };

  test('uses a placeholder for each name in a path, so that attribute names can be reserved words', () => {
    const expression = new Expression([]);
    expect(expression.tests(condition, {})).toEqual(['#0.#1 = :0', '#0 = #1.#0', 'attribute_exists(#2)']);
    expect(conditioned([], expression)).toEqual({
      ExpressionAttributeNames: { '#0': 'a', '#1': 'b', '#2': 'size' },
      ExpressionAttributeValues: { ':0': 1 },
    });
  });

  test('reuses the placeholders of an earlier expression without changing that expression', () => {
    const names = Object.freeze({ '#0': 'PK', '#1': 'a' });
    const expression = new Expression([], names);
    expect(expression.tests({ a: 1, b: 2 }, {})).toEqual(['#1 = :0', '#2 = :1']);
    expect(expression.names).toEqual({ '#0': 'PK', '#1': 'a', '#2': 'b' });
  });

  test('leaves out the fields for names and values if they are empty, because DynamoDB refuses empty fields', () => {
    const expression = new Expression([]);
    expect(expression.tests({}, {})).toEqual([]);
    expect(conditioned([], expression)).toEqual({});
    expect(conditioned(['a', 'b'], expression)).toEqual({ ConditionExpression: 'a AND b' });
  });
});
