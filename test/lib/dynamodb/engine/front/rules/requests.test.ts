import {
  condition,
  N,
  query,
  type Request,
  S,
  TableName,
  transact,
  update,
} from '../../../../../support/front/requests';
import { refusalOf } from '../table';

const invalid = (message: string) => `ValidationException: ${message}`;
const parameter = (message: string) => invalid(`One or more parameter values were invalid: ${message}`);

describe('refused reads of an index', () => {
  const some = (more: object) =>
    refusalOf(query('p', { IndexName: 'some', KeyConditionExpression: 'g2pk = :pk', ...more }));

  test('refuses a projection of an attribute that is not in the global index', () => {
    expect(some({ ProjectionExpression: 'kept, lost' })).toBe(
      parameter('Global secondary index some does not project [lost]'),
    );
    expect(some({ ProjectionExpression: 'kept, pk, sk' })).toBeUndefined();
  });

  test('refuses a filter on an attribute that is not in the index', () => {
    expect(some({ FilterExpression: 'lost = :s' })).toBe(
      parameter('Secondary index some does not project one or more filter attributes: [lost]'),
    );
  });

  test('refuses to read all attributes from a global index that projects only some of them', () => {
    expect(some({ Select: 'ALL_ATTRIBUTES' })).toMatch(
      /ALL_ATTRIBUTES is not supported for global secondary index some/,
    );
  });

  test('accepts a query on a local index that reads attributes outside the index', () => {
    expect(refusalOf(query('p', { IndexName: 'local', ProjectionExpression: 'lost' }))).toBeUndefined();
  });

  test('refuses a read of an index that the table does not have', () => {
    expect(refusalOf(query('p', { IndexName: 'nowhere' }))).toBe(
      invalid('The table does not have the specified index: nowhere'),
    );
  });
});

test('refuses to filter a query by a key attribute', () => {
  expect(refusalOf(query('p', { FilterExpression: 'sk <> :s' }))).toBe(
    invalid('Filter Expression can only contain non-primary key attributes: Primary key attribute: sk'),
  );
});

test('refuses overlapping paths in a projection', () => {
  expect(refusalOf(query('p', { ProjectionExpression: 'm, m.a' }))).toMatch(
    /Invalid ProjectionExpression: Two document paths overlap/,
  );
});

describe('refused transactions', () => {
  const Key = { pk: S('p'), sk: S('s') };

  test('refuses a transaction with an entry that has two actions or none', () => {
    const put = { Put: { TableName, Item: Key } };
    expect(refusalOf(transact({ ...put, Delete: { TableName, Key } }))).toMatch(
      /TransactItems can only contain one of/,
    );
    expect(refusalOf(transact({}))).toMatch(/TransactItems can only contain one of/);
  });

  test('refuses a transaction with an invalid expression, with the same message as for a single request', () => {
    const twice = update('p', 'REMOVE g1pk, g1sk, g1pk')[1];
    expect(refusalOf(transact({ Update: twice }))).toMatch(
      /^ValidationException: Invalid UpdateExpression: Two document paths overlap/,
    );
    expect(refusalOf(transact({ Update: update('p', '')[1] }))).toBe(
      invalid('Invalid UpdateExpression: The expression can not be empty;'),
    );
  });

  test('refuses a transaction if one of its writes does not fit the table, and gives a reason for each entry', () => {
    const entries = [{ ConditionCheck: condition('q', 'a = :s')[1] }, { Update: update('p', 'SET sk = :s')[1] }];
    expect(refusalOf(transact(...entries))).toMatch(/^TransactionCanceledException: .*\[None, ValidationError\]$/);
  });

  test('refuses a transaction with an unknown option', () => {
    const input = { TableName, Key, ReturnValuesOnConditionCheckFailure: 'ALL_NEW' };
    expect(refusalOf(transact({ Delete: input }))).toMatch(/Member must satisfy enum value set: \[ALL_OLD, NONE\]$/);
  });
});

test('refuses a request to a missing table', () => {
  expect(refusalOf(['GetItem', { TableName: 'nowhere', Key: { pk: S('p') } }])).toMatch(/^ResourceNotFoundException: /);
});

test('reports an illegal table name as illegal, not as a missing table', () => {
  expect(refusalOf(['GetItem', { TableName: 'a b', Key: { pk: S('p') } }])).toMatch(
    /^ValidationException: Invalid table\/index name\./,
  );
});

describe('reserved words without an alias', () => {
  const Key = { pk: S('p'), sk: S('s') };
  const get = (ProjectionExpression: string) => ({ TableName, Key, ProjectionExpression });
  const reserved = (field: string, word: string) =>
    invalid(`Invalid ${field}: Attribute name is a reserved keyword; reserved keyword: ${word}`);

  test.each<[string, Request, string, string]>([
    ['in a projection', ['GetItem', get('Status')], 'ProjectionExpression', 'Status'],
    [
      'in a get in a transaction',
      ['TransactGetItems', { TransactItems: [{ Get: get('name') }] }],
      'ProjectionExpression',
      'name',
    ],
    [
      'in a projection on a local index',
      query('p', { IndexName: 'local', ProjectionExpression: 'm.size' }),
      'ProjectionExpression',
      'size',
    ],
    [
      'in an update in a transaction',
      transact({ Update: update('p', 'SET rank = :s')[1] }),
      'UpdateExpression',
      'rank',
    ],
    ['in a condition', condition('p', 'attribute_exists(m.value)'), 'ConditionExpression', 'value'],
    ['in a projection, for a keyword of update expressions', ['GetItem', get('add')], 'ProjectionExpression', 'add'],
  ])('%s', (_, request, field, word) => {
    expect(refusalOf(request)).toBe(reserved(field, word));
  });

  test('accepts a reserved word as a function name or behind an alias', () => {
    expect(refusalOf(condition('p', 'size(#name) = :one'))).toBeUndefined();
  });
});

describe('refused options', () => {
  const scan = (more: object) => refusalOf(['Scan', { TableName, ...more }]);
  const KeyConditions = (sk: object) => ({
    pk: { ComparisonOperator: 'EQ', AttributeValueList: [S('p')] },
    sk: { ComparisonOperator: 'EQ', ...sk },
  });

  test('refuses a page limit below 1', () => {
    expect(scan({ Limit: 0 })).toBe(invalid('Limit must be greater than or equal to 1'));
    expect(refusalOf(query('p', { Limit: -1 }))).toBe(invalid('Limit must be greater than or equal to 1'));
    expect(scan({ Limit: 1 })).toBeUndefined();
  });

  test('refuses a negative segment number and too many segments', () => {
    expect(scan({ Segment: -1, TotalSegments: 2 })).toMatch(/'-1' at 'segment'/);
    expect(scan({ Segment: 0, TotalSegments: 1_000_001 })).toMatch(/less than or equal to 1000000$/);
    expect(scan({ Segment: 0, TotalSegments: 1_000_000 })).toBeUndefined();
  });

  test('refuses ConditionalOperator without any conditions', () => {
    expect(scan({ ConditionalOperator: 'AND' })).toBe(
      invalid('ConditionalOperator cannot be used without Filter or Expected'),
    );
    expect(refusalOf(['DeleteItem', { TableName, Key: { pk: S('p'), sk: S('s') }, ConditionalOperator: 'AND' }])).toBe(
      invalid('ConditionalOperator cannot be used without Filter or Expected'),
    );
    expect(scan({ ConditionalOperator: 'AND', ScanFilter: {} })).toBeUndefined();
  });

  test('refuses KeyConditions with a value of the wrong type', () => {
    expect(refusalOf(['Query', { TableName, KeyConditions: KeyConditions({ AttributeValueList: [N(1)] }) }])).toBe(
      parameter('Condition parameter type does not match schema type'),
    );
    expect(
      refusalOf(['Query', { TableName, KeyConditions: KeyConditions({ AttributeValueList: [S('s')] }) }]),
    ).toBeUndefined();
  });
});

test('refuses a batch entry that contains both a put and a delete', () => {
  const Key = { pk: S('p'), sk: S('s') };
  const entry = { PutRequest: { Item: Key }, DeleteRequest: { Key: { pk: S('q'), sk: S('s') } } };
  expect(refusalOf(['BatchWriteItem', { RequestItems: { [TableName]: [entry] } }])).toMatch(
    /has more than one datatypes set/,
  );
});

test('refuses a read transaction with an entry that is not a get', () => {
  expect(refusalOf(['TransactGetItems', { TransactItems: [{}] }])).toMatch(/Member must not be null$/);
});
