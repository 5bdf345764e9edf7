import { type Access, boundsOfRange, type SortRange } from '../blueprint/accesses';
import { systemOfTable } from '../blueprint/clouds';
import { beginningsOf } from '../blueprint/keys';
import { blueprint, type KeyAttribute, type KeyBlueprint, type TableBlueprint } from '../blueprint/table';
import type { Loads } from '../design/config';
import type { PatternDesign } from '../design/pattern';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Template } from '../design/template';

/** The blueprint of a table, with the other data that rules need. */
export interface TableUnderCheck extends TableBlueprint {
  readonly design: TableDesign;
  /** The accesses of all patterns, each with its place in the design. */
  readonly accesses: readonly PatternAccess[];
  /** The system that contains the table, if the check runs on a system. */
  readonly system?: SystemDesign;
  /** The cloud of the table. Without a system, the names of the key attributes determine the cloud. */
  readonly cloud: SystemDesign['cloud'];
  /** The rates at which patterns are called, if the user has configured them. */
  readonly load: Loads;
}

export interface PatternAccess extends Access {
  readonly pattern: string;
  readonly design: PatternDesign;
  /** The key of the table or index that the access reads or writes. */
  readonly key: KeyBlueprint;
}

export function tableUnderCheck(design: TableDesign, system?: SystemDesign, load: Loads = {}): TableUnderCheck {
  const table = blueprint(design);
  const accesses: PatternAccess[] = [];
  for (const { name, design: pattern, accesses: own } of table.patterns) {
    for (const access of own) {
      const { key } = access;
      // Skips reads of an unknown index, because `unknown-name` already reports the name. Skips accesses to guards,
      // because the library derives them correctly.
      if (key === undefined || access.unique !== undefined) continue;
      const whole = Object.assign({ pattern: name, design: pattern, key }, access as Access & { key: typeof key });
      accesses.push(whole, ...shortened(whole));
    }
  }
  return { ...table, design, accesses, system, cloud: (system ?? systemOfTable(design)).cloud, load };
}

/** Computes a value for a table on first use, and caches the value until the check of the table ends. */
export function oncePerTable<T>(make: (table: TableUnderCheck) => T): (table: TableUnderCheck) => T {
  const made = new WeakMap<TableUnderCheck, { readonly value: T }>();
  return (table) => {
    const known = made.get(table) ?? { value: make(table) };
    made.set(table, known);
    return known.value;
  };
}

/**
 * For a prefix with optional parts, returns an access with the shortest prefix, because the query can also read that
 * range.
 */
function shortened(access: PatternAccess): readonly PatternAccess[] {
  const { action, range } = access;
  if (action !== 'query' || range.kind !== 'beginsWith') return [];
  const [shortest, ...longer] = beginningsOf(range.at);
  // If the shortest prefix is empty, `partition-incomplete` reports the pattern.
  if (shortest === undefined || longer.length === 0 || shortest.text === '') return [];
  return [{ ...access, range: { kind: 'beginsWith', at: shortest } }];
}

/** Returns the key attributes for which a request has a single value. Falls back to the partition key. */
export function heldAttributes({ partition, key }: PatternAccess): readonly KeyAttribute[] {
  return partition?.map(({ attribute }) => attribute) ?? key.partitionBy;
}

/**
 * Returns each key attribute in a request, with its template. For a put, returns nothing, because a put does not
 * specify key attributes.
 */
export function boundsOf({ step, partition, range, sort }: PatternAccess): readonly (readonly [string, Template])[] {
  if (step.op === 'put') return [];
  return [
    ...(partition ?? []).map(({ attribute, at }) => [attribute.name, at] as const),
    ...boundsOfRange(range).map((bound) => [sort?.name ?? '', bound] as const),
  ];
}

export function describeRange(range: SortRange): string {
  if (range.kind === 'all') return 'any';
  if (range.kind === 'between') return `between '${range.from.text}' and '${range.to.text}'`;
  return range.kind === 'equals' ? `'${range.at.text}'` : `${range.kind} '${range.at.text}'`;
}
