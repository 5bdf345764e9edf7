import { suggestion } from '../../lib/design/names';
import { UsageError } from './command';

/**
 * What tables are called where they are deployed, by their names in the design, as `--table blog=journal-prod-blog` says.
 * @param known the tables there are to speak of
 * @param unknown what is wrong with another
 */
export function tablesNamed(
  given: readonly string[],
  known: readonly string[],
  unknown: (table: string) => string,
): readonly (readonly [table: string, name: string])[] {
  return given.map((text) => {
    const [table = '', name = '', ...more] = text.split('=');
    if (table === '' || name === '' || more.length > 0)
      throw new UsageError(
        `--table must be the name in the design and the deployed one, such as --table ${known[0] ?? 'blog'}=journal-prod-blog, got: '${text}'`,
      );
    if (!known.includes(table)) throw new UsageError(`--table: ${unknown(table)}; ${suggestion(table, known)}`);
    return [table, name] as const;
  });
}
