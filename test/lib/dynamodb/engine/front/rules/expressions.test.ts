import { condition, S, TableName, update } from '../../../../../support/front/requests';
import { refusalOf } from '../table';

const nameOf = (alias: string, name = 'a') =>
  refusalOf([
    'DeleteItem',
    {
      TableName,
      Key: { pk: S('p'), sk: S('s') },
      ConditionExpression: `attribute_exists(${alias})`,
      ExpressionAttributeNames: { [alias]: name },
    },
  ]);

describe('refused conditions', () => {
  test.each([
    ['', 'The expression can not be empty;'],
    ['  ', 'Syntax error; token: "<EOF>", near: "  "'],
    ['é = :s', 'Syntax error; token: "é", near: "é ="'],
    ['_a = :s', 'Syntax error; token: "_", near: "_a"'],
    ['a LIKE :s', 'Syntax error; token: "LIKE", near: "a LIKE :s"'],
    ['((a = :s))', 'The expression has redundant parentheses;'],
    ['((a = :s AND n = :one))', 'The expression has redundant parentheses;'],
    ['Size(a) > :one', 'Invalid function name; function: Size'],
    ['list_append(a, :s)', 'The function is not allowed in a condition expression; function: list_append'],
    ['size(a)', 'The function is not allowed to be used this way in an expression; function: size'],
    ['attribute_exists(:s)', 'Operator or function requires a document path; operator or function: attribute_exists'],
    ['l[99999999999] = :s', 'List index is not within the allowable range; index: [99999999999]'],
    ['a = :undefined', 'An expression attribute value used in expression is not defined; attribute value: :undefined'],
    [
      '#undefined = :s',
      'An expression attribute name used in the document path is not defined; attribute name: #undefined',
    ],
    [`a = :s${' AND a = :s'.repeat(150)}`, 'The expression contains too many operators; operator count: 301'],
    [
      `a = :s${' OR a = :s'.repeat(500)}`,
      'Expression size has exceeded the maximum allowed size; expression size: 5006',
    ],
    [
      `n IN (${Array(101).fill(':one').join(', ')})`,
      'The IN operator is provided with too many operands; number of operands: 101',
    ],
    ['n > :yes', 'Incorrect operand type for operator or function; operator or function: >, operand type: BOOL'],
    [
      'n BETWEEN :list AND :list',
      'Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: L',
    ],
    [
      'n BETWEEN :two AND :one',
      'The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}',
    ],
    [
      'n BETWEEN :one AND :s',
      'The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}',
    ],
    [
      'n = n',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [n]',
    ],
    [
      'a = #a',
      'The first operand must be distinct from the remaining operands for this operator or function; operator: =, first operand: [a]',
    ],
    [
      'attribute_type(a, :bad)',
      'Invalid attribute type name found; type: STRING, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}',
    ],
    [
      'begins_with(a, :one)',
      'Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
    ],
  ])('%s', (expression, message) => {
    expect(refusalOf(condition('p', expression))).toBe(`ValidationException: Invalid ConditionExpression: ${message}`);
  });
});

test.each([
  'a = :s',
  '(a = :s) AND (n = :one)',
  'NOT (a = :s)',
  '(a) = :s',
  'a = (:s)',
  'size(:s) = :one',
  'n IN (:one, :one)',
  'not a = :t or n between :one and :two',
  '#m.#a = :one',
  'l[0][1] = :one',
  `a = :s${' AND a = :s'.repeat(149)}`,
])('accepts the condition %s', (expression) => {
  expect(refusalOf(condition('p', expression))).toBeUndefined();
});

describe('refused updates', () => {
  test.each([
    [
      'SET a = :s REMOVE a',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
    ],
    [
      'REMOVE g1pk, g1sk, g1pk',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [g1pk], path two: [g1pk]',
    ],
    [
      'SET m = :map REMOVE m.b',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [m], path two: [m, b]',
    ],
    [
      'SET #a = :s, a = :t',
      'Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path two: [a]',
    ],
    [
      'SET m.a = :one, m[0] = :one',
      'Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [m, a], path two: [m, [0]]',
    ],
    ['SET a = :s SET b = :t', 'The "SET" section can only be used once in an update expression;'],
    [
      'SET l = if_not_exists(l, list_append(:list, :list))',
      'The function is not allowed to be used this way in an expression; function: list_append',
    ],
    ['SET a = size(b)', 'The function is not allowed in an update expression; function: size'],
    ['SET n = :s + :one', 'Incorrect operand type for operator or function; operator or function: +, operand type: S'],
    [
      'ADD n :s',
      'Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
    ],
    [
      'DELETE t :one',
      'Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND',
    ],
    ['REMOVE a b', 'Syntax error; token: "b", near: "a b"'],
  ])('%s', (expression, message) => {
    expect(refusalOf(update('p', expression))).toBe(`ValidationException: Invalid UpdateExpression: ${message}`);
  });

  test('refuses an update of a key attribute', () => {
    expect(refusalOf(update('p', 'REMOVE sk'))).toBe(
      'ValidationException: One or more parameter values were invalid: Cannot update attribute sk. This attribute is part of the key',
    );
  });
});

test.each([
  'SET a = :s REMOVE b',
  'SET b = (:one) + n',
  'SET b = (n + :one)',
  'SET m.a = :one, m.b = :two',
  'REMOVE l[0], l[1]',
  'SET l = list_append(if_not_exists(l, :list), :list)',
])('accepts the update %s', (expression) => {
  expect(refusalOf(update('p', expression))).toBeUndefined();
});

describe('refused aliases', () => {
  test.each(['#', '#é', '#a b', '#a-b', '##a'])('refuses the alias %s', (alias) => {
    expect(nameOf(alias)).toBe(
      `ValidationException: ExpressionAttributeNames contains invalid key: Syntax error; key: "${alias}"`,
    );
  });

  test('refuses an alias of more than 255 bytes', () => {
    expect(nameOf(`#${'a'.repeat(254)}`)).toBeUndefined();
    expect(nameOf(`#${'a'.repeat(255)}`)).toMatch(/a key that is too long; size of key: 256$/);
  });

  test('refuses an alias for an empty name', () => {
    expect(nameOf('#a', '')).toMatch(/Empty attribute name for key #a$/);
  });

  test('refuses an alias that is not used in any expression', () => {
    const [operation, input] = condition('p', 'a = :s');
    expect(refusalOf([operation, { ...input, ExpressionAttributeNames: { '#x': 'x' } }])).toBe(
      'ValidationException: Value provided in ExpressionAttributeNames unused in expressions: keys: {#x}',
    );
  });
});
