import { randomBytes } from 'node:crypto';
import { azureTableNames } from '../../lib/azure-tables/equivalents/tables';
import { stackOfTables, stacksIn, type TerraformJson } from '../../lib/azure-tables/terraform';
import { tableNameOf } from '../../lib/blueprint/names';
import { physicalTable } from '../../lib/blueprint/physical-table';
import { suggestion } from '../../lib/design/names';
import type { SystemDesign } from '../../lib/design/system';
import { readAssembly, type SynthesizedStack } from '../../lib/dynamodb/template/assembly';
import { compareTable, type Difference, describeDifferences } from '../../lib/dynamodb/template/differences';
import { templateOf } from '../../lib/dynamodb/template/make';
import { type TemplateJson, tablesIn } from '../../lib/dynamodb/template/tables';
import { candidatesIn, environmentIn, proofStacks, proofTemplate } from '../../lib/proof/template';
import { FileError, UsageError } from './command';
import { terraformOf } from './prove-terraform';
import { tablesNamed } from './table-names';

/**
 * An environment that exists only for the proof. No deployed table's name contains this environment, so the proof
 * cannot touch a deployed table at any endpoint.
 */
export const ENVIRONMENT = `proof-${randomBytes(4).toString('hex')}`;

export interface TemplateOptions {
  /** A folder that `cdk synth` wrote. @default - the tables are derived from the design */
  readonly assembly?: string;
  readonly stack?: readonly string[];
  /**
   * The synthesized table for a table of the design, by name or logical id, such as `orders=OrdersTable1A2B3C4D`.
   */
  readonly table?: readonly string[];
  /** A folder that the Azure app wrote. @default 'cdktf.out' */
  readonly terraform?: string;
  /** The cloud on which every system is proved. @default - the cloud that each system is designed for */
  readonly on?: SystemDesign['cloud'] | undefined;
  /** The environment whose tables are proved, if there are several. @default 'dev' */
  readonly environment?: string;
  /** Whether the user named the environment. If so, the proof must not use the tables of any other environment. */
  readonly isAsked?: boolean;
}

/** A template, and a readable description of its source. */
export interface Found<T> {
  readonly template: T;
  readonly from: string;
  /**
   * The other environments in the assembly, whose tables are not proved.
   * @default - there are no other environments, or the user named one
   */
  readonly others?: readonly string[];
  /** The differences between the synthesized tables and the design. @default - the tables were not compared with the design */
  readonly differences?: readonly Difference[];
}

type Finder<T> = (system: SystemDesign) => Promise<Found<T>>;

/**
 * Finds the template that would be deployed, because a proof of the design alone would miss errors in the template. If
 * there is no synthesized template, derives the tables from the design.
 */
export function templateFinder(
  options: TemplateOptions,
  systems: readonly SystemDesign[],
): Finder<TemplateJson | TerraformJson> {
  const { terraform = 'cdktf.out', stack = [] } = options;
  if (options.assembly === undefined && options.table !== undefined) throw new UsageError(NEEDS_ASSEMBLY);
  const elsewhere = () => stacksIn(terraform).map(({ name }) => name);
  let onAws: Finder<TemplateJson> | undefined;
  return async (system) => {
    if ((options.on ?? system.cloud) === 'azure') {
      const own = options.assembly === undefined ? stack : stack.filter((name) => elsewhere().includes(name));
      if (options.terraform === undefined && own.length === 0 && !options.isAsked && stacksIn(terraform).length === 0)
        return { template: stackOfTables(azureTableNames(system)), from: `the design (no stack in '${terraform}')` };
      return terraformOf(system, terraform, own, options);
    }
    // Created only when the first AWS system needs it: without --assembly, `awsFinder` refuses any --stack, even one
    // that names an Azure stack.
    onAws ??= awsFinder(options, systems, elsewhere);
    return onAws(system);
  };
}

const NEEDS_ASSEMBLY = '--stack and --table need --assembly';

/** The environment whose tables are proved by default. */
const USUAL = 'dev';

/** @param elsewhere returns the names of the Azure stacks, which may also be passed to --stack */
function awsFinder(
  { assembly, stack = [], table = [], environment: given, isAsked = false }: TemplateOptions,
  systems: readonly SystemDesign[],
  elsewhere: () => readonly string[],
): Finder<TemplateJson> {
  const environment = given ?? USUAL;
  if (assembly === undefined) {
    if (stack.length + table.length > 0) throw new UsageError(NEEDS_ASSEMBLY);
    if (isAsked)
      throw new UsageError('--environment needs --assembly: without an assembly, the tables come from the design');
    return designed;
  }
  const all = readAssembly(assembly);
  for (const name of stack) {
    const known = all.map((synthesized) => synthesized.name);
    if (known.includes(name) || elsewhere().includes(name)) continue;
    throw new UsageError(`--stack: there is no stack '${name}' in '${assembly}'; choose from ${known.join(', ')}`);
  }
  const named = all.filter(({ name }) => stack.includes(name));
  const chosen = named.length === 0 ? all : named;
  const tables = [...new Set(systems.flatMap((system) => Object.keys(system.tables)))];
  const places = Object.fromEntries(tablesNamed(table, tables, undefined, "the table's name or logical id"));
  return async (system) => {
    // Checks the design, because stacks that other code synthesized were never checked by the constructs.
    (await import('../../lib/check')).assertSound(system);
    const known = environmentsIn(system, chosen);
    if (isAsked) assertThere(system, environment, known, assembly);
    const stacks = orFileError(() => proofStacks(system, chosen, places, environment));
    const from = `stack${stacks.length === 1 ? '' : 's'} ${stacks.join(', ')} (${assembly})`;
    const template = proofTemplate(system, ENVIRONMENT, chosen, places, environment);
    const isChosen = given !== undefined || named.length > 0 || table.length > 0;
    const others = isChosen || !known.includes(environment) ? [] : known.filter((other) => other !== environment);
    return { template, from, others, differences: differencesIn(system, template) };
  };
}

function differencesIn({ tables }: SystemDesign, template: TemplateJson): readonly Difference[] {
  return tablesIn(template).flatMap((table) => {
    const design = tables[table.logicalId];
    return design === undefined ? [] : [...compareTable(design.name, physicalTable(design), table)];
  });
}

/** Returns the likely cause of a failure if the tables of an assembly differ from the design; otherwise undefined. */
export function staleness(from: string, differences: readonly Difference[] = []): string | undefined {
  if (differences.length === 0) return undefined;
  const lines = describeDifferences(differences).split('\n');
  return [
    `the tables in ${from} differ from the design; if the design has changed since, run 'npx cdk synth' again`,
    ...lines.map((line) => `  ${line}`),
  ].join('\n');
}

/** Returns the environments that appear in the names of the synthesized tables. */
function environmentsIn(system: SystemDesign, stacks: readonly SynthesizedStack[]): readonly string[] {
  const all = stacks.flatMap(candidatesIn);
  const found = Object.keys(system.tables).flatMap((table) =>
    all.flatMap((candidate) => environmentIn(system, table, candidate) ?? []),
  );
  return [...new Set(found)];
}

/**
 * Rejects an environment in which the system has no tables. Does nothing if no environment appears in the table names.
 */
function assertThere(system: SystemDesign, environment: string, known: readonly string[], assembly: string): void {
  if (known.length === 0 || known.includes(environment)) return;
  throw new UsageError(
    `--environment: '${assembly}' has no table of '${system.name}' for '${environment}'; ${suggestion(environment, known)}`,
  );
}

/** Turns an error into a FileError, because the user can fix it by naming the right table. */
function orFileError<T>(find: () => T): T {
  try {
    return find();
  } catch (error) {
    throw new FileError((error as Error).message);
  }
}

/** Derives the tables from the design alone, without loading the construct library. */
async function designed(system: SystemDesign): Promise<Found<TemplateJson>> {
  (await import('../../lib/check')).assertSound(system);
  const tables = Object.entries(system.tables).map(([table, design]) => [
    table,
    { ...physicalTable(design), name: tableNameOf(system, ENVIRONMENT, table) },
  ]);
  return { template: templateOf(Object.fromEntries(tables)), from: 'the design (no --assembly given)' };
}
