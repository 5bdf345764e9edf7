import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { isGuarded } from '../../../lib/blueprint/accesses';
import { outline, type PatternBlueprint } from '../../../lib/blueprint/outline';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import type { IDesignedTable } from '../designed-table';
import { globalIndexes } from '../global-indexes';

/** An operation, by its name in CloudWatch. */
export type Operation =
  | 'GetItem'
  | 'Query'
  | 'BatchGetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'TransactWriteItems'
  | 'TransactGetItems'
  | 'BatchWriteItem'
  | 'Scan';

/** A table without a design, and the operations and indexes to monitor. */
export interface WatchedTable {
  readonly table: ITable;
  /** @default - none */
  readonly indexes?: readonly string[];
  /** @default - the operations that read or write one item, and Query */
  readonly operations?: readonly Operation[];
  /**
   * Whether items expire.
   * @default false
   */
  readonly expires?: boolean;
}

const OPERATIONS: Readonly<Record<PatternDesign['op'], Operation>> = {
  get: 'GetItem',
  find: 'GetItem',
  query: 'Query',
  scan: 'Scan',
  batchGet: 'BatchGetItem',
  transactGet: 'TransactGetItems',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  release: 'DeleteItem',
  transaction: 'TransactWriteItems',
  batchWrite: 'BatchWriteItem',
};

/**
 * Returns the indexes and operations to monitor. For a table with a design, these are all its global indexes and the
 * operations that its patterns send.
 */
export function watched(table: IDesignedTable | WatchedTable): Required<WatchedTable> {
  if (!('design' in table)) {
    const operations: readonly Operation[] = ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'];
    return { indexes: [], operations, expires: false, ...table };
  }
  const { design } = table;
  return {
    table: table.table,
    indexes: globalIndexes(design),
    operations: [...new Set(outline(design).patterns.map(operationOf))],
    expires: design.ttl !== undefined,
  };
}

/** Returns the operation that a pattern sends. */
export function operationOf(pattern: PatternBlueprint): Operation {
  return isGuarded(pattern) ? 'TransactWriteItems' : OPERATIONS[pattern.design.op];
}

/** Returns the patterns on a global index or, if no index is given, on the table itself and its local indexes. */
export function patternsOn(design: TableDesign, index?: string): readonly PatternBlueprint[] {
  const indexes = globalIndexes(design);
  return outline(design).patterns.filter(
    ({ design: pattern }) => indexes.find((name) => 'index' in pattern && pattern.index === name) === index,
  );
}
