import { existsSync } from 'node:fs';
import { azureTablesIn, readStack, stacksIn } from '../../lib/azure-tables/terraform';
import type { PhysicalTables } from '../../lib/blueprint/physical-table';
import type { SystemDesign } from '../../lib/design/system';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import { addressProblem } from '../../lib/engine/secrets';
import { tablesOfSystem } from '../../lib/evolve/deployed/assembly';
import { type Seen, seenTables } from '../../lib/evolve/deployed/evidence';
import { EvolutionError } from '../../lib/evolve/lock/read';
import { environmentIn } from '../../lib/proof/template';
import { FileError, UsageError } from './command';
import { used } from './evolution';

/** The system to compare, with every table that may be deployed. */
export interface Looked {
  readonly system: SystemDesign;
  readonly environment: string;
  readonly tables: PhysicalTables;
}

/**
 * Reads live tables, or the tables in a folder or a stack. Refuses a table whose name shows that it belongs to another
 * environment.
 */
export async function seenAt(against: readonly string[], about: Looked, endpoint?: string): Promise<Seen> {
  const seen = await readAt(against, about, endpoint);
  const { system, environment, tables } = about;
  for (const [table, { name }] of Object.entries(seen.tables)) {
    const other = environmentIn(system, table, { ...(name !== undefined && { name }) });
    // If the lock records a table's name, that name identifies the table, even if it does not follow the usual naming
    // scheme.
    if (other === undefined || other === environment || tables[table]?.name !== undefined) continue;
    throw new FileError(
      `'${name}' belongs to environment '${other}', not to '${environment}'; choose a table of '${environment}', or pass --environment ${other}`,
    );
  }
  return seen;
}

/** Reads the tables in one folder or stack, or reads one or more live tables. */
async function readAt(against: readonly string[], about: Looked, endpoint: string | undefined): Promise<Seen> {
  const names = against.flatMap((place) => /^table:(.+)$/.exec(place)?.[1] ?? []);
  const [place = ''] = against;
  if (names.length < against.length && against.length > 1)
    throw new UsageError('--against accepts either one folder or stack, or one or more tables (table:<name>)');
  if (names.length > 0) return liveTables(names, about, endpoint);
  const [, stack] = /^stack:(.+)$/.exec(place) ?? [];
  const looked = Object.keys(about.tables);
  if (stack !== undefined) {
    const { tablesOfStack } = await import('../../lib/evolve/deployed/stack');
    return { from: `stack ${stack}`, looked, tables: await explained(tablesOfStack(wholeOf(about), stack)) };
  }
  if (!existsSync(place))
    throw new FileError(
      `--against must be a folder that 'cdk synth' wrote, stack:<name> or table:<name>; there is no folder '${place}'`,
    );
  const tables = used(() => (about.system.cloud === 'azure' ? onAzure(place, about) : onAws(place, about)));
  return { from: `'${place}'`, looked, tables };
}

function onAws(folder: string, about: Looked): PhysicalTables {
  return tablesOfSystem(wholeOf(about), readAssembly(folder), about.environment);
}

/** Returns the tables that the stacks in a folder create. For an Azure table, only the name can be compared. */
function onAzure(folder: string, { tables }: Looked): PhysicalTables {
  const names = stacksIn(folder).flatMap(({ file }) => azureTablesIn(readStack(file)));
  return Object.fromEntries(Object.entries(tables).filter(([table]) => names.includes(table)));
}

/**
 * Returns the system with every table that may be deployed, including tables that have been removed from the design.
 */
function wholeOf({ system, tables }: Looked): SystemDesign {
  const [any] = Object.values(system.tables);
  const all = Object.keys(tables).map((name) => [name, system.tables[name] ?? any]);
  return { ...system, tables: Object.fromEntries(all) };
}

async function liveTables(names: readonly string[], about: Looked, endpoint: string | undefined): Promise<Seen> {
  const { system, environment, tables } = about;
  if (system.cloud !== 'aws')
    throw new UsageError('--against table:<name> works only on DynamoDB; on Azure, pass a folder');
  const problem = endpoint === undefined || endpoint === 'aws' ? undefined : addressProblem(endpoint);
  if (problem !== undefined) throw new UsageError(`--endpoint ${problem}, or aws`);
  const { environmentCredentials } = await import('../../lib/dynamodb/engine/connection');
  const isAws = endpoint === undefined || endpoint === 'aws';
  const config = isAws ? {} : { endpoint, region: 'local', credentials: environmentCredentials() };
  const { describeWith } = await import('../../lib/evolve/deployed/stack');
  const describe = (name: string) => describeWith(name, config);
  return explained(seenTables(names, system, environment, Object.keys(tables), describe));
}

/** If the promise rejects with an EvolutionError, turns it into a FileError. */
function explained<T>(promise: Promise<T>): Promise<T> {
  return promise.catch((error: unknown) => {
    throw error instanceof EvolutionError ? new FileError(error.message) : error;
  });
}
