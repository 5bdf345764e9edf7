import { grantOf } from '../../../lib/permissions/grant';
import { keyActions, policyOf } from '../../../lib/permissions/policy';
import { booking } from '../../../lib/systems';

const place = { region: 'eu-west-1', tableArn: (table: string) => `arn:table/${table}` };

test('a policy names the table or the index, and the partitions where there is something to say of them', () => {
  const grants = grantOf({ of: booking, names: ['getTenant', 'servicesByCategory'] });
  expect(policyOf(grants, place)).toEqual({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['dynamodb:GetItem'], Resource: 'arn:table/Tenants' },
      {
        Effect: 'Allow',
        Action: ['dynamodb:Query'],
        Resource: 'arn:table/Services/index/GSI1',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['*#*'] } },
      },
    ],
  });
});

test('the key of the tables comes with it, once, through DynamoDB in that region alone', () => {
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

test('who reads may decrypt, and not encrypt', () => {
  expect(keyActions([{ actions: ['dynamodb:GetItem', 'dynamodb:ConditionCheckItem'] }])).toEqual(['kms:Decrypt']);
  expect(keyActions([{ actions: ['dynamodb:GetItem'] }, { actions: ['dynamodb:DeleteItem'] }])).toEqual([
    'kms:Decrypt',
    'kms:Encrypt',
  ]);
});
