import type { PatternBlueprint, TableOutline } from '../blueprint/outline';
import type { Write } from '../design/pattern';
import type { Item } from './item';

/**
 * What a request asks for, in the design's terms. A `send` for Azure reads this instead of the expressions in the
 * input.
 */
export interface Asked {
  readonly table: TableOutline;
  /** The read pattern, with the values for its templates. @default - the keys in the input are enough */
  readonly read?: { readonly pattern: PatternBlueprint; readonly values: object };
  /** The tables of a read of several keys, in the order of the input. @default - all keys belong to `table` */
  readonly tables?: readonly TableOutline[];
  /** The writes, in the order of the input. @default - the request only reads */
  readonly writes?: readonly AskedWrite[];
  /** The token that makes retries of a transaction idempotent. @default - the caller gives no token */
  readonly token?: string | undefined;
}

/** One write that is ready to send, with the details for an error message. */
export interface AskedWrite {
  /** The pattern, the step and the position in its list: `placeOrder.lines[2]`. */
  readonly name: string;
  readonly part: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  /** Its `Item` or its `Key`. */
  readonly input: Item;
  readonly step: Write;
  readonly table: TableOutline;
  /** The values for its templates. */
  readonly values: object;
  /** The unique whose guard it writes, and the owner. @default - it writes an item of the pattern */
  readonly unique?: { readonly name: string; readonly entity: string; readonly owner: Item };
}
