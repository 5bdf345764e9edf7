import { TableClient } from '@azure/data-tables';
import { type Send, sender } from './sender';

/** An emulator on this machine: the only address that may do without TLS. */
const EMULATOR = /(^|;\s*|=)(http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]|UseDevelopmentStorage=true)/i;

/**
 * Sends through clients of the Azure SDK, one per table. Takes an account's address and a credential (from `@azure/identity`, or
 * one of the SDK's own), or a connection string.
 */
export function storage(account: string, credential?: object): Send {
  if (typeof account !== 'string' || account === '')
    throw new Error(
      'storage: give it the address of the account (https://<account>.table.core.windows.net) or a connection string',
    );
  const options = { allowInsecureConnection: EMULATOR.test(account) };
  if (!/^https?:\/\//.test(account))
    return sender((table) => TableClient.fromConnectionString(account, table, options));
  return sender((table) => new TableClient(account, table, credential as never, options));
}
