import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import { outline, type PatternBlueprint } from './outline';
import { whole } from './shares';

/** One table, and those of its patterns that the given names refer to. */
export interface TablePatterns {
  /** The table's name in the system. */
  readonly table: string;
  readonly design: TableDesign;
  readonly patterns: readonly PatternBlueprint[];
}

/** Returns the tables of a system with their names, or a single table with its own name. */
export function tablesOf(scope: SystemDesign | TableDesign): readonly (readonly [string, TableDesign])[] {
  return 'tables' in scope ? Object.entries(whole(scope).tables) : [[scope.name, scope]];
}

/** Returns all names that a grant can use: first the patterns, then the procedures. */
export function namesIn(scope: SystemDesign | TableDesign): readonly string[] {
  const patterns = tablesOf(scope).flatMap(([, design]) => outline(design).patterns.map(({ name }) => name));
  return [...new Set(patterns), ...Object.keys(proceduresOf(scope))];
}

/**
 * Returns the patterns that the given names refer to, grouped by table. The name of a procedure refers to the patterns
 * that the procedure uses. A name that belongs to both a pattern and a procedure refers to both.
 */
export function patternsNamed(scope: SystemDesign | TableDesign, names: readonly string[]): readonly TablePatterns[] {
  const procedures = proceduresOf(scope);
  const wanted = new Set(
    names.flatMap((name) => [name, ...(Object.hasOwn(procedures, name) ? (procedures[name]?.uses ?? []) : [])]),
  );
  return tablesOf(scope).flatMap(([table, design]) => {
    const patterns = outline(design).patterns.filter(({ name }) => wanted.has(name));
    return patterns.length === 0 ? [] : [{ table, design, patterns }];
  });
}

/** Returns the given patterns that only procedures may send, each with the procedures that send it. */
export function reservedNames(
  scope: SystemDesign | TableDesign,
  names: readonly string[],
  system: SystemDesign | TableDesign = scope,
): readonly { readonly name: string; readonly procedures: readonly string[] }[] {
  const procedures = Object.entries(proceduresOf(system));
  const isReserved = ({ name, design }: PatternBlueprint) =>
    names.includes(name) &&
    'procedureOnly' in design &&
    design.procedureOnly === true &&
    !procedures.some(([procedure]) => procedure === name);
  const reserved = tablesOf(scope).flatMap(([, design]) => outline(design).patterns.filter(isReserved));
  return [...new Set(reserved.map(({ name }) => name))].map((name) => ({
    name,
    procedures: procedures.filter(([, { uses }]) => uses.includes(name)).map(([procedure]) => procedure),
  }));
}

function proceduresOf(scope: SystemDesign | TableDesign): NonNullable<SystemDesign['procedures']> {
  return 'tables' in scope ? (scope.procedures ?? {}) : {};
}
