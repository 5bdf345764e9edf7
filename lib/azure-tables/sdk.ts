import { TableClient, type TableServiceClient } from '@azure/data-tables';
import { type Send, sender } from './sender';

/** What `TableClient` takes to prove who it is. */
type Credential = ConstructorParameters<typeof TableServiceClient>[1];

/** Sends through clients of the Azure SDK, one a table: of an account's address and a credential, or of a connection string. */
export function storage(account: string, credential?: Credential): Send {
  if (!/^https?:\/\//.test(account)) return sender((table) => TableClient.fromConnectionString(account, table));
  return sender((table) => new TableClient(account, table, credential as never));
}
