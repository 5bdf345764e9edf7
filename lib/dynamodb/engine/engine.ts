import type { Item } from '../../items/item';
import type { Send } from '../sending';
import type { TemplateJson } from '../template/tables';

/** A database that understands the requests of designs: embedded, or behind an endpoint. */
export interface Engine {
  /** A name for people to read. */
  readonly name: string;
  /** The address, for other clients. @default - AWS, in the region of the process's environment */
  readonly endpoint?: string;
  /** Makes the tables of a template, all or none, and returns their names; a name that is taken is an error. */
  provision(template: TemplateJson): Promise<readonly string[]>;
  /** Removes a table and everything in it. */
  drop(tableName: string): Promise<void>;
  /** Changes an existing table, with the inputs of UpdateTable and UpdateTimeToLive. */
  alter(change: TableChange): Promise<void>;
  /** Every item of a table, as it is stored. */
  scan(tableName: string): AsyncIterable<Item>;
  /** Sends one request; the output says what it consumed. */
  readonly send: Send;
  /** Ends the engine, and the requests under way. It also ends with its process, however that ends. */
  stop(): Promise<void>;
}

export interface TableChange {
  readonly table?: Item;
  readonly ttl?: Item;
}
