import type { Item } from '../../items/item';
import type { Send } from '../sending';
import type { TemplateJson } from '../template/tables';

/** A database that understands the requests of designs: embedded, or behind an endpoint. */
export interface Engine {
  /** What it is, for a person to read. */
  readonly name: string;
  /** Where it answers, for any other client. @default - AWS, as the environment's region says */
  readonly endpoint?: string;
  /** Makes the tables of a template, as it has them: all or none. Returns their names; a name that is taken is an error. */
  provision(template: TemplateJson): Promise<readonly string[]>;
  /** Removes a table and all that is in it. */
  drop(tableName: string): Promise<void>;
  /** Changes a table that is there, by the inputs of UpdateTable and of UpdateTimeToLive. */
  alter(change: TableChange): Promise<void>;
  /** Every item of a table, as it is stored. */
  scan(tableName: string): AsyncIterable<Item>;
  /** Sends one request; the output tells what it consumed. */
  readonly send: Send;
  /** Ends it, and what is under way. An engine also ends with its process, however that ends. */
  stop(): Promise<void>;
}

export interface TableChange {
  readonly table?: Item;
  readonly ttl?: Item;
}
