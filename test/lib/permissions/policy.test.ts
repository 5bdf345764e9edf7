import { grantOf } from '../../../lib/permissions/grant';
import { conditionsOf, keyActions, policyOf } from '../../../lib/permissions/policy';
import { booking } from '../../../lib/systems';
import { type Context, evaluate } from '../../support/iam';

const place = { region: 'eu-west-1', tableArn: (table: string) => `arn:table/${table}` };

test('a policy names the table or the index, and limits the partitions if the key templates allow it', () => {
  const grants = grantOf({ of: booking, names: ['getTenant', 'servicesByCategory'] });
  expect(policyOf(grants, place)).toEqual({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: 'arn:table/Tenants' },
      {
        Effect: 'Allow',
        Action: ['dynamodb:Query'],
        Resource: 'arn:table/Services/index/GSI1',
        Condition: {
          'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['*#*'] },
          Null: { 'dynamodb:LeadingKeys': 'false' },
        },
      },
    ],
  });
});

describe('a tenant', () => {
  const tenant = { variable: 'aws:PrincipalTag/tenantId' };
  const conditions = (name: string) => {
    const { Statement } = policyOf(grantOf({ of: booking, names: [name], tenant }), place);
    return Statement.map(({ Condition }) => Condition?.StringNotLike);
  };

  test('denies all access by a tenant whose id contains the separator if the key has parts besides the tenant id', () => {
    expect(conditions('servicesByCategory')).toEqual([{ 'aws:PrincipalTag/tenantId': '*#*' }]);
  });

  test('allows any tenant id if the id is the whole key', () => {
    expect(conditions('getService')).toEqual([undefined]);
  });

  test.each(['*', '?', '$'])('escapes the separator %s, which IAM would read as a wildcard', (separator) => {
    const leadingKeys = [`\${aws:PrincipalTag/tenantId}`];
    expect(conditionsOf({ actions: [], leadingKeys, tenant: { ...tenant, separator } })?.StringNotLike).toEqual({
      'aws:PrincipalTag/tenantId': `*\${${separator}}*`,
    });
  });
});

test('denies a request without keys, such as a scan, if the policy has a condition on keys', () => {
  const leadingKeys = ['POST#*'];
  const Condition = conditionsOf({ actions: [], leadingKeys });
  const allowed = (context: Context) =>
    evaluate([{ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', Condition }] }], {
      action: 'dynamodb:Scan',
      resource: 'table',
      context,
    });
  expect(allowed({})).toBe('denied');
  expect(allowed({ 'dynamodb:LeadingKeys': ['POST#1'] })).toBe('allowed');
  const { Null: _, ...without } = Condition as Record<string, never>;
  const trap = [{ Effect: 'Allow', Action: '*', Resource: '*', Condition: without }] as const;
  const asked = { action: 'dynamodb:Scan', resource: 'table', context: {} };
  expect(evaluate([{ Version: '2012-10-17', Statement: trap }], asked)).toBe('allowed');
});

test('a single statement allows using the encryption key, but only through DynamoDB in the given region', () => {
  const grants = grantOf({ of: booking, names: ['getTenant', 'updateConversation'] });
  expect(policyOf(grants, { ...place, keyArn: 'arn:key' }).Statement.slice(2)).toEqual([
    {
      Effect: 'Allow',
      Action: ['kms:Decrypt', 'kms:Encrypt'],
      Resource: 'arn:key',
      Condition: { StringEquals: { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' } },
    },
  ]);
});

test('allows a reader to decrypt, but not to encrypt', () => {
  expect(keyActions([{ actions: ['dynamodb:GetItem', 'dynamodb:ConditionCheckItem'] }])).toEqual(['kms:Decrypt']);
  expect(keyActions([{ actions: ['dynamodb:GetItem'] }, { actions: ['dynamodb:DeleteItem'] }])).toEqual([
    'kms:Decrypt',
    'kms:Encrypt',
  ]);
});
