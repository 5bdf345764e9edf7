import type { Item } from '../items/item';

/**
 * A request that a database accepted or refused, with the items that it read and the keys of the items that it may have
 * written.
 */
export interface Sent {
  readonly command: string;
  readonly input: unknown;
  readonly isRead: boolean;
  /** The limit on the number of items that the request reads. @default - the request has no limit */
  readonly limit?: number;
  /** The capacity that the request consumed. @default - the database does not report it, or refused the request */
  readonly units?: number;
  readonly read: readonly { readonly tableName: string; readonly index?: string; readonly items: readonly Item[] }[];
  /** The items that the request may have written, each with at least its key attributes. */
  readonly touched: readonly { readonly tableName: string; readonly key: Item }[];
}
