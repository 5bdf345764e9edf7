import type { Template } from 'aws-cdk-lib/assertions';
import { physicalTable } from '../../lib/blueprint/physical-table';
import { blueprint, type KeyBlueprint, keyOf, type TableBlueprint } from '../../lib/blueprint/table';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import {
  compareTable,
  type Difference,
  describeDifferences,
  differ,
  showKey,
} from '../../lib/dynamodb/template/differences';
import { type TemplateJson, type TemplateTable, tablesIn } from '../../lib/dynamodb/template/tables';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';

export { type Difference, describeDifferences };

export interface ProvisionOptions {
  /**
   * The environment whose recovery period, encryption, protection and TLS setting the tables must have.
   * @default - point-in-time recovery must be on, and encryption must use a KMS key; other settings may have any value
   */
  readonly environment?: EnvironmentName | Environment;
  /**
   * The system's existing tables, which no template creates.
   * @default - the template creates all tables
   */
  readonly adopted?: readonly string[];
  /**
   * The tables whose capacity is provisioned.
   * @default - all tables are on-demand
   */
  readonly provisioned?: readonly string[];
}

/**
 * Returns every difference between a template's tables and a design's tables, or an empty array if the template
 * provisions the design.
 */
export function differences(
  template: Template,
  design: TableDesign | SystemDesign,
  options: ProvisionOptions = {},
): readonly Difference[] {
  const tables = tablesIn(template.toJSON() as TemplateJson);
  const blueprints = ('tables' in design ? madeOf(design, options.adopted) : [design]).map(blueprint);
  const environment = options.environment === undefined ? undefined : environmentOf(options.environment);
  const pairs = pair(blueprints, tables);
  return blueprints.flatMap((expected) => {
    const table = pairs.get(expected);
    if (table === undefined) return [missing(expected, tables)];
    return [
      ...compareTable(expected.name, physicalTable(expected.design), table),
      ...compareSettings(expected.name, table, options.provisioned, environment),
    ];
  });
}

function madeOf({ name, tables }: SystemDesign, adopted: readonly string[] = []): readonly TableDesign[] {
  const unknown = adopted.find((table) => !Object.hasOwn(tables, table));
  if (unknown !== undefined) {
    throw new Error(
      `adopted: system '${name}' has no table '${unknown}'; its tables are ${Object.keys(tables).join(', ')}`,
    );
  }
  return Object.values(tables).filter((table) => !adopted.includes(table.name));
}

function missing({ name, key }: TableBlueprint, tables: readonly TemplateTable[]): Difference {
  const got = tables.length === 0 ? 'no table' : `only ${tables.map((t) => t.name ?? t.logicalId).join(', ')}`;
  return { place: name, expected: `a table with key ${showKey(key)}`, got };
}

/**
 * Matches each expected table with the table of the same name, or else with the most similar table; never matches a
 * table twice.
 */
function pair(
  blueprints: readonly TableBlueprint[],
  tables: readonly TemplateTable[],
): ReadonlyMap<TableBlueprint, TemplateTable> {
  const pairs = new Map<TableBlueprint, TemplateTable>();
  for (const choose of blueprints.length === 1 && tables.length === 1 ? [first] : [named, mostAlike]) {
    for (const expected of blueprints) {
      if (pairs.has(expected)) continue;
      const taken = new Set(pairs.values());
      const free = tables.filter((table) => !taken.has(table));
      const table = choose(free, expected);
      if (table !== undefined) pairs.set(expected, table);
    }
  }
  return pairs;
}

type Choice = (tables: readonly TemplateTable[], expected: TableBlueprint) => TemplateTable | undefined;

const first: Choice = (tables) => tables[0];

const named: Choice = (tables, expected) => {
  const found = tables.filter(({ name }) => name === expected.name || name?.endsWith(`-${expected.name}`));
  return found.length === 1 ? found[0] : undefined;
};

const mostAlike: Choice = (tables, expected) => {
  const alike = tables.filter(({ key }) => keyNames(key) === keyNames(expected.key));
  const unlikeness = (table: TemplateTable) =>
    [...compareTable(expected.name, physicalTable(expected.design), table)].length;
  return alike.sort((a, b) => unlikeness(a) - unlikeness(b))[0];
};

function* compareSettings(
  place: string,
  table: TemplateTable,
  provisioned: readonly string[] = [],
  environment?: Environment,
): Iterable<Difference> {
  yield* differ(`${place}.billing`, provisioned.includes(place) ? 'provisioned' : 'on-demand', table.billing);
  const days = environment?.recoveryPeriodInDays;
  if (days === undefined ? table.recoveryPeriodInDays === 0 : table.recoveryPeriodInDays !== days) {
    const got = table.recoveryPeriodInDays === 0 ? 'none' : `${table.recoveryPeriodInDays} days`;
    yield { place: `${place}.pointInTimeRecovery`, expected: days === undefined ? 'on' : `${days} days`, got };
  }
  if (environment === undefined ? table.encryption === 'aws-owned' : table.encryption !== environment.encryption) {
    const expected = environment === undefined ? 'a KMS key' : `${environment.encryption} encryption`;
    yield { place: `${place}.encryption`, expected, got: `${table.encryption} encryption` };
  }
  if (environment !== undefined) {
    const protectedBy = (on: boolean) => (on ? 'on' : 'off');
    const expected = protectedBy(environment.protectData);
    yield* differ(`${place}.deletionProtection`, expected, protectedBy(table.deletionProtection));
    yield* differ(`${place}.retention`, expected, protectedBy(table.retained));
    if (environment.tlsOnly && !table.tlsOnly) {
      yield { place: `${place}.transport`, expected: 'TLS only', got: 'plain text too' };
    }
  }
}

function keyNames(key: KeyBlueprint): string {
  return keyOf(key)
    .map(({ name }) => name)
    .join();
}
