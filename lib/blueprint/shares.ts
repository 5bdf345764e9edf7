import type { SystemBatchGet, SystemPattern, SystemTransaction } from '../design/across';
import type { BatchGetPattern, PatternDesign, TransactGetPattern, TransactionPattern } from '../design/pattern';
import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/** The steps or keys that one table contributes to a system's pattern. */
export type Share = (TransactionPattern | BatchGetPattern | TransactGetPattern) & {
  readonly across: { readonly [part: string]: string };
};

/** Returns a table's pattern as a share; undefined if the pattern does not come from the system. */
export function shareIn(pattern: PatternDesign): Share | undefined {
  return 'across' in pattern && pattern.across !== undefined ? (pattern as Share) : undefined;
}

const made = new WeakMap<SystemDesign, SystemDesign>();

/**
 * Adds each table's share of the system's patterns to the table's own patterns, so that code that iterates over the
 * tables also finds the system's patterns. Caches the result. Returns a system unchanged if it has no patterns of its
 * own.
 */
export function whole(system: SystemDesign): SystemDesign {
  const { patterns } = system;
  if (patterns === undefined) return system;
  let known = made.get(system);
  if (known === undefined) {
    const tables = Object.entries(system.tables).map(([name, table]) => [name, withShares(name, table, patterns)]);
    known = { ...system, tables: Object.fromEntries(tables) };
    made.set(system, known);
    made.set(known, known);
  }
  return known;
}

function withShares(name: string, table: TableDesign, patterns: NonNullable<SystemDesign['patterns']>): TableDesign {
  const shares = Object.entries(patterns).flatMap(([pattern, design]) => {
    const share = shareOf(name, design);
    return share === undefined ? [] : [[pattern, share] as const];
  });
  return shares.length === 0 ? table : { ...table, patterns: { ...Object.fromEntries(shares), ...table.patterns } };
}

/** Lists the system's own patterns with their names. */
export function patternsAcross({ patterns = {} }: Pick<SystemDesign, 'patterns'>): readonly [string, SystemPattern][] {
  return Object.entries(patterns);
}

/** Lists the steps or reads of a system's pattern with their names. */
export function partsAcross(design: SystemPattern) {
  return Object.entries(design.op === 'transaction' ? design.steps : design.reads);
}

/** Returns the tables that a system's pattern reads or writes, without duplicates. */
export function tablesAcross(design: SystemPattern): readonly string[] {
  return [...new Set(partsAcross(design).map(([, { table }]) => table))];
}

function shareOf(table: string, design: SystemPattern): Share | undefined {
  const parts = partsAcross(design);
  const own = parts.filter(([, part]) => part.table === table);
  if (own.length === 0) return undefined;
  const across = Object.fromEntries(
    parts.filter(([, part]) => part.table !== table).map(([name, part]) => [name, part.table]),
  );
  if (design.op === 'transaction') {
    const steps = Object.fromEntries(own.map(([name, { table: _, ...step }]) => [name, step]));
    return { ...design, steps: steps as unknown as TransactionPattern['steps'], across };
  }
  const { reads, ...rest } = design;
  const named = own.map(([name]) => [name, reads[name] as (typeof reads)[string]] as const);
  const keys = Object.fromEntries(named.map(([name, { where }]) => [name, where]));
  return { ...rest, keys, returns: [...new Set(named.flatMap(([, { returns }]) => returns))], across };
}

/** Reassembles a system's patterns from the shares of its tables. */
export function patternsOfShares(tables: SystemDesign['tables']): NonNullable<SystemDesign['patterns']> {
  const patterns: Record<string, SystemPattern> = {};
  for (const [table, design] of Object.entries(tables)) {
    for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
      const share = shareIn(pattern);
      if (share === undefined) continue;
      const { across: _, ...own } = share;
      if (own.op === 'transaction') {
        const steps = Object.entries(own.steps).map(([step, write]) => [step, { ...write, table }]);
        const { steps: before = {} } = (patterns[name] ?? {}) as Partial<SystemTransaction>;
        patterns[name] = { ...own, steps: { ...before, ...Object.fromEntries(steps) } };
      } else {
        const { keys, returns, ...rest } = own;
        const reads = Object.entries(keys).map(([read, where]) => [read, { table, where, returns }]);
        const { reads: before = {} } = (patterns[name] ?? {}) as Partial<SystemBatchGet>;
        patterns[name] = { ...rest, reads: { ...before, ...Object.fromEntries(reads) } };
      }
    }
  }
  return patterns;
}

/**
 * Converts a path within a table to a path within the system. A path within a share becomes a path within the system's
 * pattern.
 */
export function pathInSystem(system: SystemDesign, table: string, path: string): string {
  const patterns = Object.entries(whole(system).tables[table]?.patterns ?? {});
  const shared = patterns.find(([name, pattern]) => shareIn(pattern) && `${path}.`.startsWith(`patterns.${name}.`));
  if (shared === undefined) return `tables.${table}.${path}`;
  const at = `patterns.${shared[0]}`;
  const [field, name, ...rest] = path.slice(at.length + 1).split('.');
  if (field === 'returns') return `${at}.reads`;
  if (field !== 'keys') return path;
  return [at, 'reads', ...(name === undefined ? [] : [name, 'where', ...rest])].join('.');
}
