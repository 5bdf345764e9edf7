import { tableNameOf } from '../blueprint/names';
import type { SystemDesign } from '../design/system';
import type { SynthesizedStack } from '../dynamodb/template/assembly';
import { type TemplateJson, type TemplateTable, tablesIn } from '../dynamodb/template/tables';

/** A table in a synthesized stack. */
export interface Candidate {
  readonly stack: string;
  readonly logicalId: string;
  readonly name?: string;
  readonly physical: TemplateTable;
  readonly resource: object;
}

/**
 * Returns a template with a system's synthesized tables, which may come from several stacks. The tables get new names,
 * so that the proof never touches a deployed table.
 * @param environment the part of each new name between the system and the table
 * @param places the physical names or logical ids of tables that cannot be found by name
 * @param deployed the environment whose tables to use, if the stacks define several environments
 */
export function proofTemplate(
  system: SystemDesign,
  environment: string,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>> = {},
  deployed?: string,
): TemplateJson {
  const resources = foundTables(system, stacks, places, deployed).map(({ table, resource }) => [
    table,
    renamed(resource, tableNameOf(system, environment, table)),
  ]);
  return { Resources: Object.fromEntries(resources) };
}

/** Returns the names of the stacks that contain a system's tables. */
export function proofStacks(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>> = {},
  deployed?: string,
): readonly string[] {
  return [...new Set(foundTables(system, stacks, places, deployed).map(({ stack }) => stack))];
}

/** Finds each of a system's tables. Throws a single error that lists every table with no match or several matches. */
function foundTables(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>>,
  environment: string | undefined,
): readonly (Candidate & { readonly table: string })[] {
  const all = stacks.flatMap(candidatesIn);
  const problems: string[] = [];
  const tables = Object.keys(system.tables).flatMap((table) => {
    const place = Object.hasOwn(places, table) ? places[table] : undefined;
    const found = placesOf(system, table, all, { place, environment });
    if (found.length !== 1) problems.push(`  table '${table}': ${problem(system, table, found, all)}`);
    return found.map((candidate) => ({ ...candidate, table }));
  });
  if (problems.length > 0) {
    const count = `${problems.length} table${problems.length === 1 ? '' : 's'}`;
    throw new Error(`${count} of system '${system.name}' cannot be found in the stacks\n${problems.join('\n')}`);
  }
  return tables;
}

/** The caller's hints for finding a table. */
export interface Told {
  /** The physical name or logical id of the table. */
  readonly place?: string | undefined;
  /** The environment to choose, if several environments have the table. */
  readonly environment?: string | undefined;
}

/** Returns the candidates for a table. Tries several criteria in turn, until one of them matches a table. */
export function placesOf(
  design: SystemDesign,
  table: string,
  all: readonly Candidate[],
  { place, environment }: Told,
): readonly Candidate[] {
  const { name: system, tables } = design;
  if (place !== undefined) return all.filter(({ name, logicalId }) => name === place || logicalId === place);
  const ways: readonly ((candidate: Candidate) => boolean)[] = [
    ({ name }) => name?.startsWith(`${system}-`) === true && name.endsWith(`-${table}`),
    ({ name }) => name === table || name?.endsWith(`-${table}`) === true,
    // CDK appends eight hexadecimal digits to the id of a construct.
    ({ logicalId }) => logicalId.replace(/[0-9A-F]{8}$/, '') === table,
    () => all.length === 1 && Object.keys(tables).length === 1,
  ];
  const found = ways.map((way) => all.filter(way)).find((matches) => matches.length > 0) ?? [];
  if (found.length < 2 || environment === undefined) return found;
  const own = found.filter(({ name }) => name === tableNameOf(design, environment, table));
  // If CloudFormation generates the table names, only the stack's name identifies the environment.
  const meant = own.length > 0 ? own : found.filter(({ stack }) => stack.split(/[-_.]/).includes(environment));
  return meant.length > 0 ? meant : found;
}

/** Extracts the environment from a table's name, if the name has the usual form (`system-environment-table`). */
export function environmentIn(
  { name: system }: SystemDesign,
  table: string,
  { name = '' }: Pick<Candidate, 'name'>,
): string | undefined {
  const [before, after] = [`${system}-`, `-${table}`];
  const isOwn = name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
  return isOwn ? name.slice(before.length, -after.length) : undefined;
}

function problem(system: SystemDesign, table: string, found: readonly Candidate[], all: readonly Candidate[]): string {
  const [first] = found;
  if (first !== undefined && found.length > 1) {
    const environment = environmentIn(system, table, first);
    const fix = found.some(({ stack }) => stack !== first.stack)
      ? `choose the stack (--stack ${first.stack})${environment === undefined ? '' : ` or the environment (--environment ${environment})`}`
      : `choose one (--table ${table}=${first.logicalId})`;
    return `it could be ${found.map(showCandidate).join(' or ')}; ${fix}`;
  }
  if (all.length === 0) return "the stacks contain no table; run 'npx cdk synth' again, or choose another stack";
  const { name, logicalId } = all[0] as Candidate;
  return `no table has this name; choose one of ${all.map(showCandidate).join(', ')}, for example with --table ${table}=${name ?? logicalId}`;
}

export function showCandidate({ stack, name, logicalId }: Candidate): string {
  return `${name ?? logicalId} (${stack})`;
}

export function candidatesIn({ name: stack, template }: SynthesizedStack): readonly Candidate[] {
  return tablesIn(template).map((table) => ({
    stack,
    logicalId: table.logicalId,
    ...(table.name === undefined ? {} : { name: table.name }),
    physical: table,
    resource: template.Resources?.[table.logicalId] as object,
  }));
}

function renamed(resource: object, TableName: string): object {
  const { Properties = {}, ...rest } = resource as { Properties?: object };
  return { ...rest, Properties: { ...Properties, TableName } };
}
