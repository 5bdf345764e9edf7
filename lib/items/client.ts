import type { ObserverOptions } from './observe';
import type { UnknownPolicy } from './result';
import type { CursorOptions } from './sealed-cursor';

/** The options that the clients of both clouds share. */
export interface SharedClientOptions<Operation extends string> extends ObserverOptions<Operation> {
  /**
   * What happens to an item that the design does not know, or that does not fit it: a function receives it, or `'throw'` fails the
   * whole read. A `get` always throws.
   * @default - the read omits and counts the item, and reports it to the observer, or as a warning without an observer
   */
  readonly onUnknown?: UnknownPolicy;
  /**
   * Seals cursors, so that callers can neither read the keys in them nor forge one.
   * @default - cursors are readable, and checked against the partition of the query
   */
  readonly cursors?: CursorOptions;
}
