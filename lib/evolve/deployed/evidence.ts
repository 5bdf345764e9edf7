import { tableNameOf } from '../../blueprint/names';
import type { PhysicalTables } from '../../blueprint/physical-table';
import type { SystemDesign } from '../../design/system';
import { compareTable, type Difference, differ } from '../../dynamodb/template/differences';
import { EvolutionError } from '../lock/read';
import { asDescribed, type Sources } from './stack';

/** The state of the tables according to a template, a stack or the live tables. */
export interface Seen {
  /** A readable description of where the tables were read. */
  readonly from: string;
  readonly tables: PhysicalTables;
  /** The names of the tables that were looked up. Tables that do not exist are missing from `tables`. */
  readonly looked: readonly string[];
  /** Indexes that exist but do not serve queries yet. */
  readonly waiting?: readonly Difference[];
}

/** Returns the differences between the observed tables and the tables in a lock or in a step of a plan. */
export function differencesOf(expected: PhysicalTables, { tables, looked, waiting = [] }: Seen): readonly Difference[] {
  return [...looked.flatMap((name) => [...differencesIn(name, expected[name], tables[name])]), ...waiting];
}

function* differencesIn(
  name: string,
  expected: PhysicalTables[string] | undefined,
  got: PhysicalTables[string] | undefined,
): Iterable<Difference> {
  if (expected === undefined || got === undefined) {
    yield* differ(
      name,
      expected === undefined ? 'no such table' : 'a table',
      got === undefined ? 'no such table' : 'a table',
    );
    return;
  }
  for (const identity of ['name', 'logicalId'] as const) {
    const [own, other] = [expected[identity], got[identity]];
    if (own !== undefined && other !== undefined) yield* differ(`${name}.${identity}`, own, other);
  }
  yield* compareTable(name, expected, got);
  if (expected.stream !== undefined && got.stream !== undefined)
    yield* differ(`${name}.stream`, expected.stream ?? 'no stream', got.stream ?? 'no stream');
  if (expected.replicas !== undefined && got.replicas !== undefined)
    yield* differ(`${name}.replicas`, shown(expected.replicas), shown(got.replicas));
}

function shown(regions: readonly string[]): string {
  return regions.length === 0 ? 'none' : [...regions].sort().join(', ');
}

/**
 * Describes live tables, given their deployed names.
 * @param among the system's tables to match the live tables against
 */
export async function seenTables(
  names: readonly string[],
  system: Pick<SystemDesign, 'name'>,
  environment: string,
  among: readonly string[],
  describe: Sources['describe'],
): Promise<Seen> {
  const found = await Promise.all(
    names.map(async (name) => ({
      name,
      table: tableMeant(name, system, environment, among),
      described: await describe(name),
    })),
  );
  return {
    from: names.map((name) => `table ${name}`).join(', '),
    looked: found.map(({ table }) => table),
    tables: Object.fromEntries(
      found.flatMap(({ name, table, described }) =>
        described === undefined ? [] : [[table, { name, ...asDescribed(described) }]],
      ),
    ),
    waiting: found.flatMap(({ table, described }) =>
      (described?.table.GlobalSecondaryIndexes ?? []).flatMap(({ IndexName, IndexStatus = 'ACTIVE' }) => [
        ...differ(`${table}.indexes.${IndexName}`, 'ACTIVE', IndexStatus),
      ]),
    ),
  };
}

/** Finds the system's table that has this deployed name. */
function tableMeant(
  name: string,
  system: Pick<SystemDesign, 'name'>,
  environment: string,
  among: readonly string[],
): string {
  const own = among.find((table) => name === tableNameOf(system, environment, table) || name === table);
  const ending = among.filter((table) => name.endsWith(`-${table}`));
  const meant = own ?? (ending.length === 1 ? ending[0] : among.length === 1 ? among[0] : undefined);
  if (meant !== undefined) return meant;
  throw new EvolutionError(
    `which table of '${system.name}' is '${name}'? Its name must have one of these endings: ${among.map((table) => `-${table}`).join(', ')}`,
  );
}
