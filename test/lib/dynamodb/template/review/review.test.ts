import { reviewTables, templateRules } from '../../../../../lib/dynamodb/template/review/review';
import { findings, inStacks, soundPlainTable, soundTable } from './app';

test.each([
  ['GlobalTable', soundTable()],
  ['Table', soundPlainTable()],
])('reports no findings for a sound %s', (_, table) => {
  expect(findings(table)).toEqual([]);
});

test('gives each rule a unique id and a reason', () => {
  expect(new Set(templateRules.map(({ id }) => id)).size).toBe(templateRules.length);
  for (const { id, why } of templateRules) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(why).toMatch(/\.$/);
  }
});

test('does not throw on nearly empty templates', () => {
  expect(inStacks({ Empty: {}, Other: { Resources: { Bucket: { Type: 'AWS::S3::Bucket' } } } })).toEqual([]);
  const bare = { Type: 'AWS::DynamoDB::Table' };
  expect(reviewTables([{ path: 'S', template: { Resources: { Bare: bare } } }]).map(({ rule }) => rule)).toEqual([
    'point-in-time-recovery',
    'encryption',
    'deletion-protection',
    'retention',
    'retention',
    'backup-coverage',
    'tls-only',
    'key-schema',
    'fixed-capacity',
  ]);
});

test('reports a policy only once, even if it applies to several tables', () => {
  const everything = { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' };
  const policy = { Type: 'AWS::IAM::Policy', Properties: { PolicyDocument: { Statement: everything } } };
  const found = findings(soundTable(), { Other: soundTable({ TableName: 'others' }), Policy: policy });
  expect(found.filter((one) => one.startsWith('grant'))).toEqual([
    "grant-everything Stack/Policy Properties.PolicyDocument.Statement.0: 'dynamodb:*' is allowed on *",
  ]);
});

test.each([
  [{ KeySchema: { 'Fn::If': ['A', [], []] } }],
  [{ KeySchema: [{ AttributeName: { Ref: 'Name' }, KeyType: 'HASH' }] }],
  [{ GlobalSecondaryIndexes: [{ 'Fn::If': ['A', {}, { Ref: 'AWS::NoValue' }] }] }],
  [{ AttributeDefinitions: { 'Fn::FindInMap': [] } }],
  [{ Replicas: [{ 'Fn::If': ['A', {}, {}] }] }],
])('reports a table that it skips because its settings are known only at deployment: %j', (properties) => {
  expect(findings(soundTable(properties))).toEqual([
    'illegible Stack/Table Properties: the review skips this table, because its keys, indexes or regions are known only at deployment',
  ]);
});

test('accepts a region, a KMS key or a name that is known only at deployment', () => {
  const late = {
    Region: { Ref: 'AWS::Region' },
    SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
  };
  expect(findings(soundTable({ TableName: { Ref: 'Name' } }, late))).toEqual([]);
});
