import { hashOf } from '../../lib/azure-tables/equivalents/names';

/** The names that Azure takes for a storage account. */
export const ACCOUNT_NAME = { form: /^[a-z0-9]{3,24}$/, words: '3 to 24 of a-z, 0-9' } as const;

const LONGEST = 24;

/**
 * The name of the storage account of a system in an environment: as much of both names as fits, and a hash of all that sets
 * the account apart, so that long names which begin alike do not become one. The same input always gives the same name.
 */
export function accountNameOf(system: string, environment: string, uniqueIn = ''): string {
  const mark = hashOf([system, environment, uniqueIn].join('/'));
  const letters = `${system}${environment}`.toLowerCase().replace(/[^a-z0-9]/g, '');
  return `${letters.slice(0, LONGEST - mark.length)}${mark}`;
}
