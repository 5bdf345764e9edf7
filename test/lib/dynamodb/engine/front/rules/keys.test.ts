import { L, N, put, query, S, type Value } from '../../../../../support/front/requests';
import { refusalOf } from '../table';

const sort = (condition: string, value: Value, more: object = {}) =>
  refusalOf(
    query('p', {
      KeyConditionExpression: `pk = :pk AND ${condition}`,
      ExpressionAttributeValues: { ':pk': S('p'), ':v': value },
      ...more,
    }),
  );

describe('refused key conditions', () => {
  test.each([
    [
      'of the wrong type',
      'sk = :v',
      N(1),
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    ],
    [
      'of a type that keys cannot have',
      'sk = :v',
      L(),
      'One or more parameter values were invalid: Condition parameter type does not match schema type',
    ],
    [
      'empty',
      'begins_with(sk, :v)',
      S(''),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: sk',
    ],
    [
      'over 1,024 bytes',
      'sk = :v',
      S('é'.repeat(513)),
      'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
    ],
  ])('refuses a key condition whose value is %s', (_, condition, value, message) => {
    expect(sort(condition, value)).toBe(`ValidationException: ${message}`);
  });

  test.each([
    ['pk = :pk AND sk <> :s', 'Invalid operator used in KeyConditionExpression: <>'],
    ['pk = :pk OR sk = :s', 'Invalid operator used in KeyConditionExpression: OR'],
    ['pk = :pk AND sk > :s AND sk < :t', 'KeyConditionExpressions must only contain one condition per key'],
    ['pk > :pk', 'Query key condition not supported'],
    ['sk = :s', 'Query condition missed key schema element: pk'],
    [
      'pk = :pk AND sk BETWEEN :t AND :s',
      'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: AttributeValue: {S:y}, upper bound operand: AttributeValue: {S:x}',
    ],
  ])('%s', (KeyConditionExpression, message) => {
    expect(refusalOf(query('p', { KeyConditionExpression }))).toBe(`ValidationException: ${message}`);
  });
});

test('accepts a key condition that names the sort key first', () => {
  expect(refusalOf(query('p', { KeyConditionExpression: 'begins_with(sk, :s) AND pk = :pk' }))).toBeUndefined();
});

describe('refused start keys', () => {
  const from = (ExclusiveStartKey: object, condition = 'sk > :v') => sort(condition, S('b'), { ExclusiveStartKey });
  test.each([
    [
      'of another partition',
      { pk: S('q'), sk: S('c') },
      'The provided starting key is outside query boundaries based on provided conditions',
    ],
    [
      'outside the range',
      { pk: S('p'), sk: S('a') },
      'The provided starting key does not match the range key predicate',
    ],
    ['of the wrong type', { pk: S('p'), sk: N(1) }, 'The provided starting key is invalid'],
    ['incomplete', { pk: S('p') }, "Exclusive Start Key must have same size as table's key schema"],
  ])('refuses a start key that is %s', (_, key, message) => {
    expect(from(key)).toBe(`ValidationException: ${message}`);
  });

  test('refuses a start key whose sort key does not begin with the prefix in the key condition', () => {
    expect(from({ pk: S('p'), sk: S('c') }, 'begins_with(sk, :v)')).toMatch(/does not match the range key predicate$/);
    expect(from({ pk: S('p'), sk: S('bc') }, 'begins_with(sk, :v)')).toBeUndefined();
  });
});

describe('refused items', () => {
  test.each([
    [
      'an index key of the wrong type',
      { rank: S('x') },
      'One or more parameter values were invalid: Type mismatch for Index Key rank Expected: N Actual: S IndexName: some',
    ],
    ['an empty index key', { g1pk: S('') }, /cannot contain an empty string value. IndexName: all, IndexKey: g1pk$/],
    [
      'an index partition key of more than 2,048 bytes',
      { g1pk: S('x'.repeat(2049)) },
      /Size limit exceeded for index key g1pk/,
    ],
    [
      'an index sort key of more than 1,024 bytes',
      { lsk: S('x'.repeat(1025)) },
      /Size limit exceeded for index key lsk/,
    ],
    ['an empty name in a list', { l: L({ M: { '': S('x') } }) }, /Empty attribute name$/],
    ['a number with a four-digit exponent', { n: N('1E0003') }, /cannot be converted to a numeric value: 1E0003$/],
    ['a number of 39 digits', { n: N('9'.repeat(39)) }, /more than 38 significant digits/],
    ['equal numbers in a set', { t: { NS: ['1', '1.0'] } }, /contains duplicates$/],
    ['an empty set', { t: { SS: [] } }, /may not be empty$/],
  ])('refuses an item with %s', (_, more, message) => {
    const refusal = refusalOf(put({ pk: S('p'), sk: S('s'), ...more }));
    if (typeof message === 'string') expect(refusal).toBe(`ValidationException: ${message}`);
    else expect(refusal).toMatch(message);
  });

  test('accepts an item whose index keys have the maximum length', () => {
    expect(
      refusalOf(put({ pk: S('p'), sk: S('s'), g1pk: S('x'.repeat(2048)), g1sk: S('x'.repeat(1024)) })),
    ).toBeUndefined();
  });
});
