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
 */
export function proofTemplate(
  system: SystemDesign,
  environment: string,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>> = {},
): TemplateJson {
  const resources = foundTables(system, stacks, places).map(({ table, resource }) => [
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
): readonly string[] {
  return [...new Set(foundTables(system, stacks, places).map(({ stack }) => stack))];
}

/** Each table of a system as it is found; all that cannot be told is one error. */
function foundTables(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  places: Readonly<Record<string, string>>,
): readonly (Candidate & { readonly table: string })[] {
  const all = stacks.flatMap(candidatesIn);
  const problems: string[] = [];
  const tables = Object.keys(system.tables).flatMap((table) => {
    const found = placesOf(system, table, all, Object.hasOwn(places, table) ? places[table] : undefined);
    if (found.length !== 1) problems.push(`  table '${table}': ${problem(table, found, all)}`);
    return found.map((candidate) => ({ ...candidate, table }));
  });
  if (problems.length > 0) {
    const count = `${problems.length} table${problems.length === 1 ? '' : 's'}`;
    throw new Error(`${count} of system '${system.name}' cannot be found in the stacks\n${problems.join('\n')}`);
  }
  return tables;
}

/** Where a table can be; the first way of telling that tells anything decides. */
export function placesOf(
  { name: system, tables }: SystemDesign,
  table: string,
  all: readonly Candidate[],
  place: string | undefined,
): readonly Candidate[] {
  if (place !== undefined) return all.filter(({ name, logicalId }) => name === place || logicalId === place);
  const ways: readonly ((candidate: Candidate) => boolean)[] = [
    ({ name }) => name?.startsWith(`${system}-`) === true && name.endsWith(`-${table}`),
    ({ name }) => name === table || name?.endsWith(`-${table}`) === true,
    // CDK adds eight digits to the id of a construct.
    ({ logicalId }) => logicalId.replace(/[0-9A-F]{8}$/, '') === table,
    () => all.length === 1 && Object.keys(tables).length === 1,
  ];
  return ways.map((way) => all.filter(way)).find((found) => found.length > 0) ?? [];
}

function problem(table: string, found: readonly Candidate[], all: readonly Candidate[]): string {
  if (found.length > 1) {
    const stacks = [...new Set(found.map(({ stack }) => stack))];
    const fix =
      stacks.length > 1
        ? `name the stack (--stack ${stacks[0]})`
        : `name the one (--table ${table}=${found[0]?.logicalId})`;
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
