import { isDeepStrictEqual } from 'node:util';
import type { PhysicalTable } from '../../blueprint/physical-table';
import type { Lock, Plan } from '../../evolve';
import { signed } from '../../evolve/canonical';

/** The plan and the lock without the names and ids of deployed tables, because the proof creates its own tables. */
export function withoutNames(plan: Plan, lock: Lock): { readonly plan: Plan; readonly lock: Lock } {
  const bare = ({ name: _, logicalId: __, type: ___, ...table }: PhysicalTable): PhysicalTable => table;
  const { hash: _, ...locked } = lock;
  const tables = Object.entries(lock.tables).map(([name, table]) => [
    name,
    { ...table, physical: bare(table.physical) },
  ]);
  const next: Lock = signed({ ...locked, tables: Object.fromEntries(tables) });
  if (isDeepStrictEqual(next, lock)) return { plan, lock };
  const { hash: __, ...planned } = plan;
  const phases = plan.phases.map((phase) => ({
    ...phase,
    tables: Object.fromEntries(Object.entries(phase.tables).map(([name, table]) => [name, bare(table)])),
  }));
  return { plan: signed({ ...planned, from: next.hash, phases }), lock: next };
}
