import { TableClient } from '@azure/data-tables';
import { type Send, sender } from './sender';

/** An emulator on this machine, which alone is spoken to without TLS. */
const EMULATOR = /(^|;\s*|=)(http:\/\/(127\.0\.0\.1|localhost|\[::1\])[:/]|UseDevelopmentStorage=true)/i;

/**
 * Sends through clients of the Azure SDK, one a table: of an account's address and a credential (of `@azure/identity`, or one
 * of the SDK's own), or of a connection string.
 */
export function storage(account: string, credential?: object): Send {
  const options = { allowInsecureConnection: EMULATOR.test(account) };
  if (!/^https?:\/\//.test(account))
    return sender((table) => TableClient.fromConnectionString(account, table, options));
  return sender((table) => new TableClient(account, table, credential as never, options));
}
