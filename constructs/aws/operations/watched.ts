import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { outline, type PatternBlueprint } from '../../../lib/blueprint/outline';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import type { IDesignedTable } from '../designed-table';
import { globalIndexes } from '../global-indexes';

/** An operation as CloudWatch names it. */
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

/** A table without a design, with what there is to watch on it. */
export interface WatchedTable {
  readonly table: ITable;
  /** @default - none */
  readonly indexes?: readonly string[];
  /** @default - all that read or write an item at a time, and Query */
  readonly operations?: readonly Operation[];
  /**
   * Whether items expire.
   * @default false
   */
  readonly expires?: boolean;
}

const OPERATIONS: Readonly<Record<PatternDesign['op'], Operation>> = {
  get: 'GetItem',
  query: 'Query',
  scan: 'Scan',
  batchGet: 'BatchGetItem',
  put: 'PutItem',
  update: 'UpdateItem',
  delete: 'DeleteItem',
  transaction: 'TransactWriteItems',
  batchWrite: 'BatchWriteItem',
};

/** What there is to watch: of a design, what its patterns use and no more. */
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

/** The operation that a pattern comes to. */
export function operationOf({ design }: PatternBlueprint): Operation {
  return OPERATIONS[design.op];
}

/** The patterns that go to a global index, or to the table itself, with its local indexes, where none is named. */
export function patternsOn(design: TableDesign, index?: string): readonly PatternBlueprint[] {
  const indexes = globalIndexes(design);
  return outline(design).patterns.filter(
    ({ design: pattern }) => indexes.find((one) => 'index' in pattern && pattern.index === one) === index,
  );
}
