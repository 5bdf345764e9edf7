import { arn, findings, inStacks, key, soundTable } from '../app';

const table = soundTable({
  GlobalSecondaryIndexes: [{ IndexName: 'GSI1', KeySchema: key('SK'), Projection: { ProjectionType: 'ALL' } }],
});
const on = (path: string) => ({ 'Fn::Join': ['', [arn, path]] });
const allow = (Action: string | string[], Resource: unknown) => ({ Effect: 'Allow', Action, Resource });
const policy = (...Statement: object[]) => ({
  Type: 'AWS::IAM::Policy',
  Properties: { PolicyDocument: { Statement } },
});
const granted = (...statements: object[]) =>
  findings(table, { Policy: policy(...statements) }).map((found) => found.replace('Properties.PolicyDocument.', ''));

test.each([
  ['one action on the table', allow('dynamodb:GetItem', arn)],
  ['a query of one index', allow('dynamodb:Query', on('/index/GSI1'))],
  ['everything on another table', allow('dynamodb:*', 'arn:aws:dynamodb:*:*:table/other')],
  ['everything in another service', allow(['s3:*', 'sqs:*'], '*')],
  ['a resource that is known only at deployment', allow('dynamodb:*', { Ref: 'Parameter' })],
  ['management actions on all indexes', allow('dynamodb:DescribeTable', on('/index/*'))],
  ['a Deny statement', { Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' }],
])('accepts %s', (_, statement) => {
  expect(granted(statement)).toEqual([]);
});

describe('grant-everything', () => {
  test.each(['dynamodb:*', '*', 'dynamodb:*e*'])('reports a grant of %s', (action) => {
    expect(granted(allow(action, arn))).toEqual([
      `grant-everything Stack/Policy Statement.0: '${action}' is allowed on table/orders`,
    ]);
  });

  test("reports a grant of every action on a table, whether on its ARN, on an ARN with a wildcard, or on '*'", () => {
    for (const [resource, path] of [
      ['arn:aws:dynamodb:eu-west-1:123456789012:table/orders', 'table/orders'],
      ['arn:aws:dynamodb:*:*:table/ord*', 'table/ord*'],
      ['*', '*'],
    ]) {
      expect(granted(allow('dynamodb:*', resource))).toContain(
        `grant-everything Stack/Policy Statement.0: 'dynamodb:*' is allowed on ${path}`,
      );
    }
  });
});

describe('grant-scan', () => {
  test.each(['dynamodb:Scan', 'dynamodb:S*', 'DynamoDB:scan'])('reports a grant of %s', (action) => {
    expect(granted(allow(['dynamodb:GetItem', action], arn))).toEqual([
      `grant-scan Stack/Policy Statement.0: '${action}' allows a Scan of table/orders`,
    ]);
  });

  test('reports a grant of Scan on an index', () => {
    expect(granted(allow('dynamodb:Scan', on('/index/GSI1')))).toEqual([
      "grant-scan Stack/Policy Statement.0: 'dynamodb:Scan' allows a Scan of table/orders/index/GSI1",
    ]);
  });
});

describe('grant-every-index', () => {
  test.each([
    [on('/index/*'), 'table/orders/index/*'],
    [on('/*'), 'table/orders/*'],
    ['arn:aws:dynamodb:*:*:table/*', 'table/*'],
  ])('reports a grant on all indexes: %j', (resource, path) => {
    expect(granted(allow('dynamodb:Query', [arn, resource]))).toEqual([
      `grant-every-index Stack/Policy Statement.0: '${path}' allows reads of every index`,
    ]);
  });

  test('accepts a grant on all indexes of a table without indexes, because CDK may generate such a grant', () => {
    expect(findings(soundTable(), { Policy: policy(allow('dynamodb:Query', [arn, on('/index/*')])) })).toEqual([]);
  });
});

test('finds policies in every kind of IAM resource, even in other stacks', () => {
  const Policies = [{ PolicyName: 'inline', PolicyDocument: { Statement: allow('dynamodb:Scan', arn) } }];
  expect(findings(table, { Role: { Type: 'AWS::IAM::Role', Properties: { Policies } } })).toEqual([
    "grant-scan Stack/Role Properties.Policies.0.PolicyDocument.Statement.0: 'dynamodb:Scan' allows a Scan of table/orders",
  ]);
  const Outputs = { Arn: { Value: arn, Export: { Name: 'orders-arn' } } };
  const other = { Resources: { Policy: policy(allow('dynamodb:Scan', { 'Fn::ImportValue': 'orders-arn' })) } };
  const found = inStacks({ Stack: { Resources: { Table: table }, Outputs }, Other: other });
  expect(found.filter((one) => one.startsWith('grant'))).toEqual([
    "grant-scan Other/Policy Properties.PolicyDocument.Statement.0: 'dynamodb:Scan' allows a Scan of table/orders",
  ]);
});
