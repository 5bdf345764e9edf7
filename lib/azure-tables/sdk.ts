import { TableClient } from '@azure/data-tables';
import { type Send, sender } from './sender';

/** Matches the address of an emulator on this machine, the only address that does not require TLS. */
const EMULATOR = /(^|;\s*|=)(http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]|UseDevelopmentStorage=true)/i;

/**
 * Creates a `send` that uses one client of the Azure SDK per table. Accepts either a connection string, or an account's
 * address and a credential from `@azure/identity` or the SDK.
 */
export function storage(account: string, credential?: object): Send {
  if (typeof account !== 'string' || account === '')
    throw new Error(
      "storage: pass the account's address (https://<account>.table.core.windows.net) or a connection string",
    );
  const options = { allowInsecureConnection: EMULATOR.test(account) };
  if (!/^https?:\/\//.test(account))
    return sender((table) => TableClient.fromConnectionString(account, table, options));
  return sender((table) => new TableClient(account, table, credential as never, options));
}
