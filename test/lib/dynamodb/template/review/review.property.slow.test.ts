import { reviewTables } from '../../../../../lib/dynamodb/template/review/review';
import fc from '../../../../support/fuzz';

/** Generates any JSON value, usually of the wrong type for its place in the template. */
const anything = fc.jsonValue({ maxDepth: 4 });
const fields = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, fc.oneof(anything, fc.array(anything))])), {
    requiredKeys: [],
  });

const table = fc.record({
  Type: fc.constantFrom('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'),
  Properties: fields(
    ...[
      'TableName',
      'KeySchema',
      'AttributeDefinitions',
      'GlobalSecondaryIndexes',
      'LocalSecondaryIndexes',
      'Replicas',
    ],
    ...['BillingMode', 'TimeToLiveSpecification', 'SSESpecification', 'PointInTimeRecoverySpecification'],
    ...['ResourcePolicy', 'StreamSpecification', 'Tags', 'DeletionProtectionEnabled'],
  ),
});
const policy = fc.record({
  Type: fc.constantFrom(
    'AWS::IAM::Policy',
    'AWS::IAM::Role',
    'AWS::Backup::BackupSelection',
    'AWS::CloudFormation::Stack',
  ),
  Properties: fields('PolicyDocument', 'Policies', 'BackupSelection', 'Parameters'),
});
const statement = fc.record({
  Type: fc.constant('AWS::IAM::Policy'),
  Properties: fc.record({
    PolicyDocument: fc.record({
      Statement: fc.array(fc.record({ Effect: fc.constant('Allow'), Action: anything, Resource: intrinsic() })),
    }),
  }),
});

/** Generates a CloudFormation value, which may be malformed. */
function intrinsic(): fc.Arbitrary<unknown> {
  const names = ['Ref', 'Fn::GetAtt', 'Fn::Join', 'Fn::Sub', 'Fn::ImportValue', 'Fn::GetStackOutput', 'Fn::If'];
  return fc.oneof(
    anything,
    fc.tuple(fc.constantFrom(...names), anything).map(([name, value]) => ({ [name]: value })),
    fc.array(anything).map((parts) => ({ 'Fn::Join': ['', parts] })),
  );
}

test('reviews every table without throwing, whatever the template contains', () => {
  fc.assert(
    fc.property(table, table, policy, statement, (one, two, other, allow) => {
      const Resources = { One: one, Two: two, Other: other, Allow: allow };
      const found = reviewTables([{ path: 'S', template: { Resources } as never }]);
      for (const id of ['One', 'Two']) expect(found.some(({ logicalId }) => logicalId === id)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
