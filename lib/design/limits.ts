/** What DynamoDB accepts, where CDK and CloudFormation let more through. */
export const DYNAMODB = {
  name: { form: /^[A-Za-z0-9_.-]{3,255}$/, words: '3 to 255 of a-z, A-Z, 0-9, _ . -' },
  indexes: 20,
  projectedAttributes: 100,
  projectedAttributesOfIndex: 20,
  partitionKeyBytes: 2048,
  sortKeyBytes: 1024,
  attributeNameBytes: 255,
  transactionItems: 100,
  batchGetItems: 100,
} as const;
