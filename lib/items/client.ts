import type { ObserverOptions } from './observe';
import type { UnknownPolicy } from './result';
import type { CursorOptions } from './sealed-cursor';

/** The options that the clients of both clouds share. */
export interface SharedClientOptions<Operation extends string> extends ObserverOptions<Operation> {
  /**
   * The policy for an item that the design does not know, or that does not match its entity. A function receives the
   * item; `'throw'` makes the whole read fail. A `get` always throws.
   * @default - the read skips and counts the item, and reports it to the observer or, without an observer, prints a
   * warning
   */
  readonly onUnknown?: UnknownPolicy;
  /**
   * Seals cursors, so that callers can neither read the keys in a cursor nor forge a cursor.
   * @default - cursors are readable, and the client checks them against the query's partition
   */
  readonly cursors?: CursorOptions;
}
