import { hashOf } from '../../lib/azure-tables/equivalents/names';

/** The names that Azure allows for a storage account. */
export const ACCOUNT_NAME = { form: /^[a-z0-9]{3,24}$/, words: '3 to 24 of a-z, 0-9' } as const;

const LONGEST = 24;

/**
 * Returns the name of a system's storage account in an environment. The account name contains as much of the system's
 * name and the environment's name as fits, and a hash of all arguments, so that long names with a common prefix do not
 * collide. The same arguments always give the same name.
 */
export function accountNameOf(system: string, environment: string, uniqueIn = ''): string {
  const mark = hashOf([system, environment, uniqueIn].join('/'));
  const letters = `${system}${environment}`.toLowerCase().replace(/[^a-z0-9]/g, '');
  return `${letters.slice(0, LONGEST - mark.length)}${mark}`;
}
