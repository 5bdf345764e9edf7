import { checkRequest } from '../../../../../lib/dynamodb/engine/front/check';
import { projected } from '../../../../../lib/dynamodb/engine/front/project';
import { rewrittenQuery } from '../../../../../lib/dynamodb/engine/front/reads';
import { Rendering } from '../../../../../lib/dynamodb/engine/front/render';
import { settledUpdate } from '../../../../../lib/dynamodb/engine/front/updates';
import { type Input, L, M, N, query, type Request, S, update, type Value } from '../../../../support/front/requests';
import { table } from './table';

const checked = ([operation, input]: Request) => {
  const [first] = checkRequest(operation, input, () => table);
  if (first === undefined) throw new Error('nothing was checked');
  return first;
};
/** Returns a request with the aliases in its expressions replaced by the attribute names. */
const plain = (sent: Input | undefined): Input => {
  const names = (sent?.ExpressionAttributeNames ?? {}) as Readonly<Record<string, string>>;
  const named = (value: unknown) =>
    typeof value === 'string' ? value.replace(/#\w+/g, (alias) => String(names[alias])) : value;
  return Object.fromEntries(Object.entries(sent ?? {}).map(([field, value]) => [field, named(value)]));
};
const item = { l: L(N(0), N(1), N(2)), m: M({ a: N(1), l: L(S('q')) }), a: S('x') };
const settled = (expression: string, stored: Readonly<Record<string, Value>> | undefined = item) => {
  const { input, parts } = checked(update('p', expression));
  if (parts.update === undefined) throw new Error('there is no update');
  const sent = Rendering.of({}, { ...parts, update: settledUpdate(parts.update, stored, table) });
  return input && plain(sent).UpdateExpression;
};

describe('updates of a stored item', () => {
  test.each([
    ['SET l[9] = :s', 'SET l[3] = :v0'],
    ['SET l[9] = :s, l[7] = :t', 'SET l[3] = :v0, l[4] = :v1'],
    ['SET m.l[5] = :s', 'SET m.l[1] = :v0'],
    ['ADD l[9] :one', 'ADD l[3] :v0'],
  ])('turns a write past the end of a list into an append: %s', (given, sent) => {
    expect(settled(given)).toBe(sent);
  });

  test('removes list elements from the highest position down', () => {
    expect(settled('REMOVE l[0], l[2], a, l[1]')).toBe('REMOVE a, l[2], l[1], l[0]');
  });

  test.each(['REMOVE gone.a', 'REMOVE a.b', 'SET gone[0] = :s', 'SET m[0] = :s', 'SET l.a = :s', 'DELETE gone.t :set'])(
    'refuses an update of a path whose parent is missing or has the wrong type: %s',
    (given) => {
      expect(() => settled(given)).toThrow('The document path provided in the update expression is invalid for update');
      expect(() => settled(given, undefined)).toThrow(/invalid for update$/);
    },
  );

  test('refuses if_not_exists with a fallback path that does not exist, even if the fallback is not needed', () => {
    expect(() => settled('SET b = if_not_exists(a, gone)')).toThrow(/refers to an attribute that does not exist/);
    expect(settled('SET b = if_not_exists(gone, a)')).toBe('SET b = if_not_exists(gone, a)');
  });

  test('refuses an update that copies a value of the wrong type to an index key', () => {
    expect(() => settled('SET g1pk = m')).toThrow(/Type mismatch for Index Key g1pk/);
  });
});

describe('a query', () => {
  const sent = (KeyConditionExpression: string) => rewrittenQuery(checked(query('p', { KeyConditionExpression })));

  test('moves the condition on the partition key to the front of the key condition', () => {
    expect(plain(sent('sk = :s AND pk = :pk'))).toMatchObject({ KeyConditionExpression: 'pk = :v0 AND sk = :v1' });
  });

  test('sends a prefix as a range, because the engine compares ranges exactly', () => {
    const { KeyConditionExpression, ExpressionAttributeValues } = plain(sent('pk = :pk AND begins_with(sk, :s)'));
    expect(KeyConditionExpression).toBe('pk = :v0 AND sk BETWEEN :v1 AND :v2');
    const { ':v1': low, ':v2': high } = ExpressionAttributeValues as Record<string, { S: string }>;
    expect(low).toEqual(S('x'));
    expect(Buffer.byteLength(high?.S as string)).toBe(1021);
    expect(high?.S).toMatch(/^x\u{10FFFF}+$/u);
  });

  test('also converts BEGINS_WITH in KeyConditions to a range', () => {
    const equals = { ComparisonOperator: 'EQ', AttributeValueList: [S('p')] };
    const begins = { ComparisonOperator: 'BEGINS_WITH', AttributeValueList: [S('x')] };
    const input = { TableName: table.name, KeyConditions: { pk: equals, sk: begins } };
    expect(rewrittenQuery(checked(['Query', input]))?.KeyConditions).toEqual({
      pk: equals,
      sk: { ComparisonOperator: 'BETWEEN', AttributeValueList: [S('x'), S(`x${'\u{10FFFF}'.repeat(255)}`)] },
    });
  });

  test('does not rewrite a query that the engine handles correctly', () => {
    expect(sent('pk = :pk AND sk > :s')).toBeUndefined();
  });

  test('replaces `size` of a request value in a filter with the computed number', () => {
    expect(plain(rewrittenQuery(checked(query('p', { FilterExpression: 'size(:list) = n' }))))).toMatchObject({
      FilterExpression: ':v0 = n',
      ExpressionAttributeValues: { ':v0': N(2) },
    });
  });

  test('requests all attributes if a query selects an attribute that its local index does not project', () => {
    const asked = query('p', { IndexName: 'local', ProjectionExpression: 'lost' });
    const rewritten = rewrittenQuery(checked(asked));
    expect(rewritten).toMatchObject({ Select: 'ALL_ATTRIBUTES' });
    expect(rewritten).not.toHaveProperty('ProjectionExpression');
  });
});

test('keeps only the projected paths of an item, and closes the resulting gaps in lists', () => {
  expect(
    projected(item, [
      ['l', 2],
      ['l', 0],
      ['m', 'a'],
      ['gone', 'x'],
    ]),
  ).toEqual({ l: L(N(0), N(2)), m: M({ a: N(1) }) });
  expect(projected(item, [['gone']])).toEqual({});
});
