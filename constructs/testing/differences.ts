import type { Template } from 'aws-cdk-lib/assertions';
import {
  blueprint,
  type IndexBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  type TableBlueprint,
} from '../../lib/blueprint/table';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { type ProvisionedTable, type TemplateJson, tablesIn } from '../../lib/dynamodb/template/tables';
import { type Environment, type EnvironmentName, environmentOf } from '../environment';

/** A point at which a template does not provision a design. */
export interface Difference {
  /** The place in the design: `blog.indexes.GSI1.sort`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

export interface ProvisionOptions {
  /**
   * The environment whose recovery period, encryption, protection and transport the tables must have.
   * @default - any recovery period, any KMS key, with or without protection
   */
  readonly environment?: EnvironmentName | Environment;
  /**
   * Tables of a system that exist already, so that no template makes them.
   * @default - the template makes all of them
   */
  readonly adopted?: readonly string[];
  /**
   * Tables whose capacity is provisioned.
   * @default - all of them are on-demand
   */
  readonly provisioned?: readonly string[];
}

/** Every difference between the tables in a template and a design, or each table of a system; none if it provisions it. */
export function differences(
  template: Template,
  design: TableDesign | SystemDesign,
  options: ProvisionOptions = {},
): readonly Difference[] {
  const tables = tablesIn(template.toJSON() as TemplateJson);
  const plans = ('tables' in design ? madeOf(design, options.adopted) : [design]).map(blueprint);
  const environment = options.environment === undefined ? undefined : environmentOf(options.environment);
  const pairs = pair(plans, tables);
  return plans.flatMap((plan) => {
    const table = pairs.get(plan);
    if (table === undefined) return [missing(plan, tables)];
    return [...compareTable(plan, table), ...compareSettings(plan.name, table, options.provisioned, environment)];
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

/** The differences as lines of text. */
export function describeDifferences(found: readonly Difference[]): string {
  return found.map(({ place, expected, got }) => `${place}: expected ${expected}, got ${got}`).join('\n');
}

function missing({ name, key }: TableBlueprint, tables: readonly ProvisionedTable[]): Difference {
  const got = tables.length === 0 ? 'no table' : `only ${tables.map((t) => t.name ?? t.logicalId).join(', ')}`;
  return { place: name, expected: `a table with key ${showKey(key)}`, got };
}

/** The table of each plan: the one named for it, else the one most like it; never that of another plan. */
function pair(
  plans: readonly TableBlueprint[],
  tables: readonly ProvisionedTable[],
): ReadonlyMap<TableBlueprint, ProvisionedTable> {
  const pairs = new Map<TableBlueprint, ProvisionedTable>();
  for (const choose of plans.length === 1 && tables.length === 1 ? [first] : [named, mostAlike]) {
    for (const plan of plans.filter((one) => !pairs.has(one))) {
      const taken = [...pairs.values()];
      const table = choose(
        tables.filter((one) => !taken.includes(one)),
        plan,
      );
      if (table !== undefined) pairs.set(plan, table);
    }
  }
  return pairs;
}

type Choice = (tables: readonly ProvisionedTable[], plan: TableBlueprint) => ProvisionedTable | undefined;

const first: Choice = (tables) => tables[0];

const named: Choice = (tables, plan) => {
  const found = tables.filter(({ name }) => name === plan.name || name?.endsWith(`-${plan.name}`));
  return found.length === 1 ? found[0] : undefined;
};

const mostAlike: Choice = (tables, plan) => {
  const alike = tables.filter(({ key }) => keyNames(key) === keyNames(plan.key));
  const unlikeness = (table: ProvisionedTable) => [...compareTable(plan, table)].length;
  return alike.sort((a, b) => unlikeness(a) - unlikeness(b))[0];
};

function* compareTable(plan: TableBlueprint, table: ProvisionedTable): Iterable<Difference> {
  yield* compareKey(`${plan.name}.key`, plan.key, table.key);
  for (const index of plan.indexes) {
    const place = `${plan.name}.indexes.${index.name}`;
    const got = table.indexes.find(({ name }) => name === index.name);
    if (got === undefined) {
      yield { place, expected: `an index with key ${showKey(index)}`, got: 'no such index' };
    } else {
      yield* compareKey(place, index, got);
      yield* differ(`${place}.projection`, showProjection(index), showProjection(got));
      yield* differ(`${place}.local`, showKind(index), showKind(got));
    }
  }
  for (const { name } of table.indexes) {
    if (!plan.indexes.some((index) => index.name === name)) {
      yield {
        place: `${plan.name}.indexes.${name}`,
        expected: 'no such index',
        got: 'an index that is not in the design',
      };
    }
  }
  yield* differ(`${plan.name}.ttl`, plan.ttl ?? 'no TTL', table.ttl ?? 'no TTL');
}

function* compareSettings(
  place: string,
  table: ProvisionedTable,
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
    const expected = environment === undefined ? 'a KMS key' : `a key that is ${environment.encryption}`;
    yield { place: `${place}.encryption`, expected, got: `a key that is ${table.encryption}` };
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

function* compareKey(place: string, expected: KeyBlueprint, got: KeyBlueprint): Iterable<Difference> {
  yield* differ(`${place}.partition`, showSide(expected.partitionBy), showSide(got.partitionBy));
  yield* differ(`${place}.sort`, showSide(expected.sortBy), showSide(got.sortBy));
}

function* differ(place: string, expected: string, got: string): Iterable<Difference> {
  if (expected !== got) yield { place, expected, got };
}

function keyNames(key: KeyBlueprint): string {
  return keyOf(key)
    .map(({ name }) => name)
    .join();
}

function showKey(key: KeyBlueprint): string {
  return showSide(keyOf(key));
}

/** In the order of the key, which is part of it. */
function showSide(by: readonly KeyAttribute[]): string {
  return by.length === 0 ? 'none' : by.map(({ name, type }) => `${name} (${type})`).join(', ');
}

function showProjection({ projection }: IndexBlueprint): string {
  return typeof projection === 'string' ? projection : `keys and ${[...projection].sort().join(', ')}`;
}

function showKind({ local }: IndexBlueprint): string {
  return local ? 'a local index' : 'a global index';
}
