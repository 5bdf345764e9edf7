import type { DatabaseOf } from '../../engine/database';
import type { Item } from '../../items/item';
import type { Send } from '../sending';
import type { TemplateJson } from '../template/tables';
import type { Credentials } from './front/signature';

/**
 * Tables on DynamoDB, or on an engine that speaks the DynamoDB protocol. A stored item is a plain object; `send`
 * reports capacity.
 */
export interface Database extends DatabaseOf<TemplateJson, Send>, Exact {
  readonly cloud: 'aws';
  /** The address at which other clients can connect. @default - AWS, in the region of the process's environment */
  readonly endpoint?: string;
  /**
   * The credentials that other clients must sign their requests with.
   * @default - the credentials in the process's environment, or arbitrary credentials
   */
  readonly credentials?: Credentials;
  /** Advances the clock of an engine that has its own clock. @default - the clock cannot be advanced */
  readonly pass?: (seconds: number) => void;
  /** Changes an existing table, with the inputs of UpdateTable and UpdateTimeToLive. */
  alter(change: TableChange): Promise<void>;
}

/** Database access that preserves every digit of a number. */
export interface Exact {
  readonly name: string;
  /** Like `send`, but the request and the response contain values in DynamoDB's own format. */
  readonly sendExact: Send;
  /** Returns the names of a table's key attributes, and its approximate number of items. */
  describe(tableName: string): Promise<{ readonly key: readonly string[]; readonly items?: number | undefined }>;
}

export interface TableChange {
  readonly table?: Item;
  readonly ttl?: Item;
}
