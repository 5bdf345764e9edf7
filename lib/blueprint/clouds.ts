/** What DynamoDB accepts, where CDK and CloudFormation let more through. */
export const DYNAMODB = {
  name: { form: /^[A-Za-z0-9_.-]{3,255}$/, words: '3 to 255 of a-z, A-Z, 0-9, _ . -' },
  indexes: 20,
  localIndexes: 5,
  projectedAttributes: 100,
  projectedAttributesOfIndex: 20,
  attributeNameBytes: 255,
  /** Of the partition key of a global index, and as many of its sort key. */
  keyAttributes: 4,
} as const;

/** How many items a batch to DynamoDB may hold: apart, since a Lambda that only reads needs no other limit. */
export const BATCH_ITEMS = { batchGet: 100, batchWrite: 25 } as const;

/** What one request to DynamoDB may hold: apart, since a Lambda needs no other limits. */
export const DYNAMODB_REQUEST = {
  transactionItems: 100,
  itemBytes: 400 * 1024,
  transactionBytes: 4 * 1024 * 1024,
  tokenLength: 36,
} as const;

/** What Azure Tables accept. Made by a call, since no bundler leaves out what has a regular expression in it by itself. */
export const AZURE_TABLES = /* @__PURE__ */ (() =>
  ({
    name: {
      form: /^(?!tables$)[a-z][a-z0-9]{2,62}$/i,
      words: "3 to 63 letters and digits, the first one a letter, and not 'tables'",
    },
    /** Characters that a key may not hold. */
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    illegalInKeys: /[/\\#?\u0000-\u001f\u007f-\u009f]/,
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    /** Of either key, in UTF-16 units: 1 KiB as Azure stores it. */
    keyLength: 512,
    properties: 252,
    batchItems: 100,
    batchBytes: 4 * 1024 * 1024,
    propertyBytes: 64 * 1024,
    entityBytes: 1024 * 1024,
    pageItems: 1000,
    propertyName: /^[\p{L}_][\p{L}\p{N}_]{0,254}$/u,
    /** Names that the service or its SDK gives a meaning of its own. */
    reservedNames: ['PartitionKey', 'RowKey', 'Timestamp', 'partitionKey', 'rowKey', 'timestamp', 'etag'],
  }) as const)();
