import { reviewTables, templateRules } from '../../../../../lib/dynamodb/template/review/review';
import { findings, inStacks, soundPlainTable, soundTable } from './app';

test.each([
  ['GlobalTable', soundTable()],
  ['Table', soundPlainTable()],
])('a sound %s has no findings', (_, table) => {
  expect(findings(table)).toEqual([]);
});

test('rules have unique ids, and say why', () => {
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

test('a policy about several tables is reported once', () => {
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
])('a table that is known only at deployment is not judged, and the review says so: %j', (properties) => {
  expect(findings(soundTable(properties))).toEqual([
    'illegible Stack/Table Properties: its keys, indexes or regions are known only at deployment, so it is not judged',
  ]);
});

test('a region, key or name that is known only at deployment is fine', () => {
  const late = {
    Region: { Ref: 'AWS::Region' },
    SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
  };
  expect(findings(soundTable({ TableName: { Ref: 'Name' } }, late))).toEqual([]);
});
