import { tableNameOf } from '../blueprint/names';
import type { SystemDesign } from '../design/system';
import type { SynthesizedStack } from '../dynamodb/template/assembly';
import { type TemplateJson, tablesIn } from '../dynamodb/template/tables';

/** A table of a stack, as it is found there. */
export interface Candidate {
  readonly stack: string;
  readonly logicalId: string;
  readonly name?: string;
  readonly resource: object;
}

/**
 * The tables of a system as they were synthesized, whichever stacks they are in, under names of the proof's own: whatever
 * is deployed under theirs is not touched.
 * @param environment what stands between the names of the system and of the table
 * @param places the physical name or logical id of a table, where its name does not tell
 * @param deployed the environment whose tables are meant, where there are those of several
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

/** The names of the stacks that the tables of a system are in. */
export function proofStacks(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>> = {},
  deployed?: string,
): readonly string[] {
  return [...new Set(foundTables(system, stacks, places, deployed).map(({ stack }) => stack))];
}

/** Each table of a system as it is found; all that cannot be told is one error. */
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

/** What was said of where a table is. */
export interface Told {
  /** Its physical name or logical id. */
  readonly place?: string | undefined;
  /** The environment that is meant, where there are tables of several. */
  readonly environment?: string | undefined;
}

/** Where a table can be; the first way of telling that tells anything decides. */
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
    // CDK adds eight digits to the id of a construct.
    ({ logicalId }) => logicalId.replace(/[0-9A-F]{8}$/, '') === table,
    () => all.length === 1 && Object.keys(tables).length === 1,
  ];
  const found = ways.map((way) => all.filter(way)).find((some) => some.length > 0) ?? [];
  if (found.length < 2 || environment === undefined) return found;
  const own = found.filter(({ name }) => name === tableNameOf(design, environment, table));
  // Where CloudFormation makes up the names of tables, that of the stack tells.
  const meant = own.length > 0 ? own : found.filter(({ stack }) => stack.split(/[-_.]/).includes(environment));
  return meant.length > 0 ? meant : found;
}

/** The environment that the name of a table tells. */
export function environmentIn({ name: system }: SystemDesign, table: string, { name = '' }: Candidate) {
  const [before, after] = [`${system}-`, `-${table}`];
  const isOwn = name.startsWith(before) && name.endsWith(after) && name.length > before.length + after.length;
  return isOwn ? name.slice(before.length, -after.length) : undefined;
}

function problem(system: SystemDesign, table: string, found: readonly Candidate[], all: readonly Candidate[]): string {
  const [one] = found;
  if (one !== undefined && found.length > 1) {
    const environment = environmentIn(system, table, one);
    const fix = found.some(({ stack }) => stack !== one.stack)
      ? `name the stack (--stack ${one.stack})${environment === undefined ? '' : ` or the environment (--environment ${environment})`}`
      : `name the one (--table ${table}=${one.logicalId})`;
    return `it can be ${found.map(show).join(' or ')}; ${fix}`;
  }
  if (all.length === 0) return "there is no table at all; run 'npx cdk synth' anew, or name another stack";
  const first = all[0] as Candidate;
  return `none has its name; name one (--table ${table}=${first.name ?? first.logicalId}) of ${all.map(show).join(', ')}`;
}

function show({ stack, name, logicalId }: Candidate): string {
  return `${name ?? logicalId} (${stack})`;
}

export function candidatesIn({ name: stack, template }: SynthesizedStack): readonly Candidate[] {
  return tablesIn(template).map(({ logicalId, name }) => ({
    stack,
    logicalId,
    ...(name === undefined ? {} : { name }),
    resource: template.Resources?.[logicalId] as object,
  }));
}

function renamed(resource: object, TableName: string): object {
  const { Properties = {}, ...rest } = resource as { Properties?: object };
  return { ...rest, Properties: { ...Properties, TableName } };
}
