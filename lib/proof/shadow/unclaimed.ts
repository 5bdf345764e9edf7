import { outline } from '../../blueprint/outline';
import { guardNameOf } from '../../blueprint/unique';
import type { ProcedureCase, ReadCase, SystemCases, WriteCase } from '../cases';
import type { ReleasesOf } from './releases';

/**
 * Returns the new design's cases, without the refusals that they expect because the plan makes values unique. Before
 * the backfill, releases do not claim these values, because the old release does not know the guards.
 */
export function withoutClaims(cases: SystemCases, { plan, system }: ReleasesOf): SystemCases {
  const guards = new Set(
    plan.items.flatMap(({ to, guards: added = [] }) =>
      added.map((unique) => guardNameOf(to?.entity as string, unique)),
    ),
  );
  if (guards.size === 0) return cases;
  const patterns = Object.values(system.tables).flatMap((design) => outline(design).patterns);
  const claims = new Set(
    patterns
      .filter(({ accesses }) => accesses.some(({ entities }) => entities.some((name) => guards.has(name))))
      .map(({ name }) => name),
  );
  const isClaiming = (name: string) =>
    claims.has(name) || system.procedures?.[name]?.uses.some((used) => claims.has(used)) === true;
  const lenient = <C extends ReadCase | WriteCase | ProcedureCase>([name, found]: readonly [string, C]) => {
    if (!('shows' in found)) return [name, found] as const;
    const { refuses = [], shows } = found;
    const done = shows.filter(({ pattern, error }) => error === undefined || !isClaiming(pattern));
    return [name, { ...found, shows: done, refuses: isClaiming(name) ? [] : refuses }] as const;
  };
  const all = <C extends ReadCase | WriteCase | ProcedureCase>(given: Readonly<Record<string, C>> = {}) =>
    Object.fromEntries(Object.entries(given).map(lenient));
  const tables = Object.entries(cases.tables).map(([table, own]) => [table, { ...own, patterns: all(own.patterns) }]);
  return {
    tables: Object.fromEntries(tables),
    patterns: all(cases.patterns),
    procedures: all(cases.procedures) as NonNullable<SystemCases['procedures']>,
  };
}
