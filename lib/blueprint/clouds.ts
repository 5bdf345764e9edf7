import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/** The limits of DynamoDB, some of which CDK and CloudFormation do not enforce. */
export const DYNAMODB = {
  name: { form: /^[A-Za-z0-9_.-]{3,255}$/, words: '3 to 255 of a-z, A-Z, 0-9, _ . -' },
  indexes: 20,
  localIndexes: 5,
  projectedAttributes: 100,
  projectedAttributesOfIndex: 20,
  attributeNameBytes: 255,
  /** The limit applies separately to the partition key and the sort key of a global index. */
  keyAttributes: 4,
} as const;

/** How many items a batch to DynamoDB may have; separate, since a Lambda that only reads needs no other limit. */
export const BATCH_ITEMS = { batchGet: 100, batchWrite: 25 } as const;

/** How many partitions one call of a query may read: each takes a separate request. */
export const PARTITIONS = 100;

/** The maximum number of writes, or reads, in a transaction; apart from the other limits, which few bundles need. */
export const TRANSACTION_ITEMS = 100;

/** The limits of one request to DynamoDB; separate, since a Lambda needs only these. */
export const DYNAMODB_REQUEST = {
  // No bundler drops an unused object with a product in it.
  itemBytes: 409_600,
  transactionBytes: 4_194_304,
  tokenLength: 36,
} as const;

/** The limits of Azure Tables. They are a function, since no bundler drops an object with a regular expression in it. */
export const AZURE_TABLES = /* @__PURE__ */ (() =>
  ({
    name: {
      form: /^(?!tables$)[a-z][a-z0-9]{2,62}$/i,
      words: "3 to 63 letters and digits, the first one a letter, and not 'tables'",
    },
    /** Characters that a key may not contain. */
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for them
    illegalInKeys: /[/\\#?\u0000-\u001f\u007f-\u009f]/,
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    /** The maximum number of UTF-16 units in a key, which take 1 KiB in Azure's storage. */
    keyLength: 512,
    properties: 252,
    batchItems: 100,
    batchBytes: 4 * 1024 * 1024,
    propertyBytes: 64 * 1024,
    entityBytes: 1024 * 1024,
    pageItems: 1000,
    propertyName: /^[\p{L}_][\p{L}\p{N}_]{0,254}$/u,
    /** Names to which the service or its SDK gives a special meaning. */
    reservedNames: ['PartitionKey', 'RowKey', 'Timestamp', 'partitionKey', 'rowKey', 'timestamp', 'etag'],
  }) as const)();

/** Whether a table's keys have the names that keys have in every Azure table. */
export function hasAzureKeys({ key }: Pick<TableDesign, 'key'>): boolean {
  return key.partition === AZURE_TABLES.key.partition && key.sort === AZURE_TABLES.key.sort;
}

/** A lone table as a system of one table: on Azure if its keys have Azure's names, as the check assumes. */
export function systemOfTable(design: TableDesign): SystemDesign {
  return { name: design.name, cloud: hasAzureKeys(design) ? 'azure' : 'aws', tables: { [design.name]: design } };
}
