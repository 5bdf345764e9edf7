import type { Item } from '../items/item';

/** A request that a database accepted or refused, with the items it read and the keys of those it may have written. */
export interface Sent {
  readonly command: string;
  readonly input: unknown;
  readonly isRead: boolean;
  /** The limit of the request. @default - no limit */
  readonly limit?: number;
  /** The capacity that it consumed. @default - the database does not report it, or refused the request */
  readonly units?: number;
  readonly read: readonly { readonly tableName: string; readonly index?: string; readonly items: readonly Item[] }[];
  /** For each item, attributes that contain its key. */
  readonly touched: readonly { readonly tableName: string; readonly key: Item }[];
}
