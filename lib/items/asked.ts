import type { PatternBlueprint, TableOutline } from '../blueprint/outline';
import type { Write } from '../design/pattern';
import type { Item } from './item';

/**
 * A request, expressed in terms of the design. A `send` for Azure reads these fields instead of the expressions in the
 * input.
 */
export interface Asked {
  readonly table: TableOutline;
  /**
   * The read pattern, and the values for its templates.
   * @default - the keys in the input describe the whole
   * request
   */
  readonly read?: { readonly pattern: PatternBlueprint; readonly values: object };
  /**
   * For a read of several keys: the table of each key, in the order of the input.
   * @default - all keys belong to `table`
   */
  readonly tables?: readonly TableOutline[];
  /** The writes, in the order of the input. @default - the request only reads */
  readonly writes?: readonly AskedWrite[];
  /** The token that makes retries of a transaction idempotent. @default - the caller passes no token */
  readonly token?: string | undefined;
}

/** A write that is ready to send, and the details for its error messages. */
export interface AskedWrite {
  /** The pattern, the step, and the position in the step's list: `placeOrder.lines[2]`. */
  readonly name: string;
  readonly part: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  /** The input's `Item` or `Key`. */
  readonly input: Item;
  readonly step: Write;
  readonly table: TableOutline;
  /** The values for the step's templates. */
  readonly values: object;
  /**
   * The unique value whose guard this write changes, and the owner of the value.
   * @default - the write changes an item
   * of the pattern, not a guard
   */
  readonly unique?: { readonly name: string; readonly entity: string; readonly owner: Item };
}
