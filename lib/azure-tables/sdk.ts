import { TableClient } from '@azure/data-tables';
import { type Send, sender } from './sender';

/**
 * Sends through clients of the Azure SDK, one a table: of an account's address and a credential (of `@azure/identity`, or one
 * of the SDK's own), or of a connection string.
 */
export function storage(account: string, credential?: object): Send {
  if (!/^https?:\/\//.test(account)) return sender((table) => TableClient.fromConnectionString(account, table));
  return sender((table) => new TableClient(account, table, credential as never));
}
