import { type Access, boundsOfRange, type SortRange } from '../blueprint/accesses';
import { systemOfTable } from '../blueprint/clouds';
import { beginningsOf } from '../blueprint/keys';
import { blueprint, type KeyAttribute, type KeyBlueprint, type TableBlueprint } from '../blueprint/table';
import type { Loads } from '../design/config';
import type { PatternDesign } from '../design/pattern';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Template } from '../design/template';

/** The blueprint of a table, with everything else that rules need to know about it. */
export interface TableUnderCheck extends TableBlueprint {
  readonly design: TableDesign;
  /** What the patterns do, each with its place in the design. */
  readonly accesses: readonly PatternAccess[];
  /** The system it is checked as part of. */
  readonly system?: SystemDesign;
  /** The cloud it is designed for; without a system, the names of its keys decide. */
  readonly cloud: SystemDesign['cloud'];
  /** How often its patterns are called, as far as the user states it. */
  readonly load: Loads;
}

export interface PatternAccess extends Access {
  readonly pattern: string;
  readonly design: PatternDesign;
  /** The key of the table or index that it reads or writes. */
  readonly key: KeyBlueprint;
}

export function tableUnderCheck(design: TableDesign, system?: SystemDesign, load: Loads = {}): TableUnderCheck {
  const table = blueprint(design);
  const accesses: PatternAccess[] = [];
  for (const { name, design: pattern, accesses: own } of table.patterns) {
    for (const access of own) {
      const { key } = access;
      // Reports an index that does not exist once, not for each name in the request. What a declaration adds to a write
      // is correct by construction.
      if (key === undefined || access.unique !== undefined) continue;
      const whole = Object.assign({ pattern: name, design: pattern, key }, access as Access & { key: typeof key });
      accesses.push(whole, ...shortened(whole));
    }
  }
  return { ...table, design, accesses, system, cloud: (system ?? systemOfTable(design)).cloud, load };
}

/** Computes a value for a table on first use, and caches it while the table is checked. */
export function oncePerTable<T>(make: (table: TableUnderCheck) => T): (table: TableUnderCheck) => T {
  const made = new WeakMap<TableUnderCheck, { readonly value: T }>();
  return (table) => {
    const known = made.get(table) ?? { value: make(table) };
    made.set(table, known);
    return known.value;
  };
}

/** If parts of a prefix may be left out, the query also reads everything with the shorter prefix. */
function shortened(access: PatternAccess): readonly PatternAccess[] {
  const { action, range } = access;
  if (action !== 'query' || range.kind !== 'beginsWith') return [];
  const [shortest, ...longer] = beginningsOf(range.at);
  // If nothing of the prefix is left, a different rule reports it.
  if (shortest === undefined || longer.length === 0 || shortest.text === '') return [];
  return [{ ...access, range: { kind: 'beginsWith', at: shortest } }];
}

/** The key attributes that a request fixes to one value each; the partition key if the request names none. */
export function heldAttributes({ partition, key }: PatternAccess): readonly KeyAttribute[] {
  return partition?.map(({ attribute }) => attribute) ?? key.partitionBy;
}

/** Each key attribute in a request, with its template; a put has none. */
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
