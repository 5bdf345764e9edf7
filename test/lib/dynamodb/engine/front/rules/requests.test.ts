import { condition, query, S, TableName, transact, update } from '../../../../../support/front/requests';
import { refusalOf } from '../table';

const invalid = (message: string) => `ValidationException: ${message}`;
const parameter = (message: string) => invalid(`One or more parameter values were invalid: ${message}`);

describe('a read of an index is refused', () => {
  const some = (more: object) =>
    refusalOf(query('p', { IndexName: 'some', KeyConditionExpression: 'g2pk = :pk', ...more }));

  test('a read of an index is refused if the projection names an attribute that a global index lacks', () => {
    expect(some({ ProjectionExpression: 'kept, lost' })).toBe(
      parameter('Global secondary index some does not project [lost]'),
    );
    expect(some({ ProjectionExpression: 'kept, pk, sk' })).toBeUndefined();
  });

  test('a read of an index is refused if the filter names an attribute that the index lacks', () => {
    expect(some({ FilterExpression: 'lost = :s' })).toBe(
      parameter('Secondary index some does not project one or more filter attributes: [lost]'),
    );
  });

  test('a read of an index is refused if it asks a global index for all attributes', () => {
    expect(some({ Select: 'ALL_ATTRIBUTES' })).toMatch(
      /ALL_ATTRIBUTES is not supported for global secondary index some/,
    );
  });

  test('a read of an index is refused unless it is a local index, which fetches the rest from the table', () => {
    expect(refusalOf(query('p', { IndexName: 'local', ProjectionExpression: 'lost' }))).toBeUndefined();
  });

  test('a read of an index is refused if the table has no such index', () => {
    expect(refusalOf(query('p', { IndexName: 'nowhere' }))).toBe(
      invalid('The table does not have the specified index: nowhere'),
    );
  });
});

test('a query refuses a filter on its own key', () => {
  expect(refusalOf(query('p', { FilterExpression: 'sk <> :s' }))).toBe(
    invalid('Filter Expression can only contain non-primary key attributes: Primary key attribute: sk'),
  );
});

test('a projection refuses overlapping paths', () => {
  expect(refusalOf(query('p', { ProjectionExpression: 'm, m.a' }))).toMatch(
    /Invalid ProjectionExpression: Two document paths overlap/,
  );
});

describe('a transaction is refused', () => {
  const Key = { pk: S('p'), sk: S('s') };

  test('a transaction is refused if an entry has two actions, or none', () => {
    const put = { Put: { TableName, Item: Key } };
    expect(refusalOf(transact({ ...put, Delete: { TableName, Key } }))).toMatch(
      /TransactItems can only contain one of/,
    );
    expect(refusalOf(transact({}))).toMatch(/TransactItems can only contain one of/);
  });

  test('a transaction is refused for a static error, with the error that the single request would get', () => {
    const twice = update('p', 'REMOVE g1pk, g1sk, g1pk')[1];
    expect(refusalOf(transact({ Update: twice }))).toMatch(
      /^ValidationException: Invalid UpdateExpression: Two document paths overlap/,
    );
    expect(refusalOf(transact({ Update: update('p', '')[1] }))).toBe(
      invalid('Invalid UpdateExpression: The expression can not be empty;'),
    );
  });

  test('a transaction is refused for a write that does not fit the table, with the reason of each entry', () => {
    const entries = [{ ConditionCheck: condition('q', 'a = :s')[1] }, { Update: update('p', 'SET sk = :s')[1] }];
    expect(refusalOf(transact(...entries))).toMatch(/^TransactionCanceledException: .*\[None, ValidationError\]$/);
  });

  test('a transaction is refused for an unknown option', () => {
    const input = { TableName, Key, ReturnValuesOnConditionCheckFailure: 'ALL_NEW' };
    expect(refusalOf(transact({ Delete: input }))).toMatch(/Member must satisfy enum value set: \[ALL_OLD, NONE\]$/);
  });
});

test('a request to a missing table is refused', () => {
  expect(refusalOf(['GetItem', { TableName: 'nowhere', Key: { pk: S('p') } }])).toMatch(/^ResourceNotFoundException: /);
});
