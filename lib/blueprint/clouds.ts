import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/** The limits of DynamoDB, including some that CDK and CloudFormation do not enforce. */
export const DYNAMODB = {
  name: { form: /^[A-Za-z0-9_.-]{3,255}$/, words: '3 to 255 characters from a-z, A-Z, 0-9, _ . -' },
  indexes: 20,
  localIndexes: 5,
  projectedAttributes: 100,
  projectedAttributesOfIndex: 20,
  attributeNameBytes: 255,
  /** The limit applies separately to the partition key and the sort key of a global index. */
  keyAttributes: 4,
} as const;

/**
 * The maximum number of items in a batch request to DynamoDB. `BATCH_ITEMS` is a separate constant, so that a read-only
 * Lambda does not bundle any other limits.
 */
export const BATCH_ITEMS = { batchGet: 100, batchWrite: 25 } as const;

/** The maximum number of partitions that one query call may read. Each partition requires a separate request. */
export const PARTITIONS = 100;

/**
 * The maximum number of writes, or of reads, in a transaction. `TRANSACTION_ITEMS` is a separate constant, so that a
 * Lambda that needs no other limits does not bundle them.
 */
export const TRANSACTION_ITEMS = 100;

/**
 * The limits of a single request to DynamoDB. `DYNAMODB_REQUEST` is a separate constant, so that a Lambda does not
 * bundle the other limits.
 */
export const DYNAMODB_REQUEST = {
  // All values are literals, because bundlers keep an unused object that contains a multiplication.
  itemBytes: 409_600,
  transactionBytes: 4_194_304,
  tokenLength: 36,
} as const;

/**
 * The limits of Azure Tables. A function marked as pure creates the limits, because bundlers keep an unused object that
 * contains a regular expression.
 */
export const AZURE_TABLES = /* @__PURE__ */ (() =>
  ({
    name: {
      form: /^(?!tables$)[a-z][a-z0-9]{2,62}$/i,
      words: "3 to 63 letters and digits, starting with a letter, and not 'tables'",
    },
    /** Characters that a key may not contain. */
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression must match control characters
    illegalInKeys: /[/\\#?\u0000-\u001f\u007f-\u009f]/,
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    /** The maximum length of a key in UTF-16 code units; Azure stores such a key in 1 KiB. */
    keyLength: 512,
    properties: 252,
    batchItems: 100,
    batchBytes: 4 * 1024 * 1024,
    propertyBytes: 64 * 1024,
    entityBytes: 1024 * 1024,
    pageItems: 1000,
    propertyName: /^[\p{L}_][\p{L}\p{N}_]{0,254}$/u,
    /** Names that have a special meaning to the service or its SDK. */
    reservedNames: ['PartitionKey', 'RowKey', 'Timestamp', 'partitionKey', 'rowKey', 'timestamp', 'etag'],
  }) as const)();

/** Whether a table's keys have the names that every Azure table uses. */
export function hasAzureKeys({ key }: Pick<TableDesign, 'key'>): boolean {
  return key.partition === AZURE_TABLES.key.partition && key.sort === AZURE_TABLES.key.sort;
}

/**
 * Wraps a single table in a system. Like the check, this function assumes that the system is on Azure if the table's
 * keys have Azure's names.
 */
export function systemOfTable(design: TableDesign): SystemDesign {
  return { name: design.name, cloud: hasAzureKeys(design) ? 'azure' : 'aws', tables: { [design.name]: design } };
}
