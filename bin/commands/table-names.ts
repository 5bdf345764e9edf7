import { suggestion } from '../../lib/design/names';
import { UsageError } from './command';

/**
 * Reads options such as `--table blog=journal-prod-blog`. Returns pairs of a table's name in the design and its
 * deployed name.
 * @param known the tables that may be named
 * @param unknown returns the message for an unknown table
 * @param what describes the part after `=`, for the error message
 */
export function tablesNamed(
  given: readonly string[],
  known: readonly string[],
  unknown = (table: string) => `there is no table '${table}'`,
  what = 'its deployed name',
): readonly (readonly [table: string, name: string])[] {
  return given.map((text) => {
    const [, table, name] = /^([^=]+)=([\w.-]+)$/.exec(text) ?? [];
    if (table === undefined || name === undefined)
      throw new UsageError(
        `--table must be a table of the design and ${what}, such as --table ${known[0] ?? 'blog'}=journal-prod-blog, got: '${text}'`,
      );
    if (!known.includes(table)) throw new UsageError(`--table: ${unknown(table)}; ${suggestion(table, known)}`);
    return [table, name] as const;
  });
}
