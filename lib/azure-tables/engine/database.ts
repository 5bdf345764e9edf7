import type { DatabaseOf } from '../../engine/database';
import type { Send } from '../sender';
import type { TerraformJson } from '../terraform';

/**
 * A database on Azure Tables, or on an engine that speaks their protocol. Its stored items are entities. Dropping a
 * missing table succeeds.
 */
export interface AzureDatabase extends DatabaseOf<TerraformJson, Send> {
  readonly cloud: 'azure';
  /** The address at which other clients can connect. */
  readonly endpoint: string;
  /** The names of all tables in the account. */
  tables(): Promise<readonly string[]>;
}
