import { codeOf } from '../errors';
import { BackupError } from './file';

/** Why an account says no, by its code, and what to do about it. */
const REASONS: Readonly<Record<string, string>> = {
  AuthorizationFailure: 'its firewall lets in only addresses and networks that it knows; run this in one of them',
  KeyBasedAuthenticationNotPermitted:
    'it takes no shared key; give its address (https://<account>.table.core.windows.net), for the identity of this machine',
};
const ROLE =
  'the role is Storage Table Data Reader to read and Contributor to write, and minutes may pass until it counts';

/** What the service refused, in a sentence instead of its JSON; whatever else it was stays as it is. */
export function inWords(error: unknown, table: string): unknown {
  const code = codeOf(error);
  const options = { cause: error };
  if (code === 'TableNotFound')
    return new BackupError(`there is no table ${table} in the account; make it first, with 'terraform apply'`, options);
  if ((error as { statusCode?: number } | undefined)?.statusCode !== 403) return error;
  const reason = (code !== undefined && REASONS[code]) || ROLE;
  return new BackupError(`the account refuses ${table} (${code ?? 'HTTP 403'}): ${reason}`, options);
}
