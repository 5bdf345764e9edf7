import type { DatabaseOf } from '../../engine/database';
import type { Send } from '../sender';
import type { TerraformJson } from '../terraform';

/**
 * A database in Azure Tables, or in an engine that speaks the protocol of Azure Tables. It stores items as entities.
 * Dropping a table that does not exist succeeds.
 */
export interface AzureDatabase extends DatabaseOf<TerraformJson, Send> {
  readonly cloud: 'azure';
  /** The address at which other clients can connect. */
  readonly endpoint: string;
  /** The names of all tables in the account. */
  tables(): Promise<readonly string[]>;
}
