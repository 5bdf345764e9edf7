import { isObject } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import { same } from '../canonical';
import type { Lock, LockedDesign } from './lock';
import { lockOf } from './make';
import { EvolutionError } from './read';

/** Whether a locked design has code in its schemas, such as a refinement; a lock contains only a digest of the code. */
export function hasCode(lock: Lock): boolean {
  return Object.values(lock.tables).some(({ design }) => holdsCode(design?.entities));
}

function holdsCode(data: unknown): boolean {
  if (Array.isArray(data)) return data.some(holdsCode);
  if (!isObject(data)) return false;
  return Object.entries(data).some(
    ([name, value]) => (name === 'code' && typeof value === 'string') || holdsCode(value),
  );
}

/** Rejects a design that differs from the one in the lock. */
export function assertDeployed(design: SystemDesign | undefined, lock: Lock): void {
  if (design === undefined) return;
  const { tables } = lockOf(design, { environment: lock.environment });
  const names = [...new Set([...Object.keys(tables), ...Object.keys(lock.tables)])];
  const other = names.find((name) => !same(known(tables[name]?.design), known(lock.tables[name]?.design)));
  if (other === undefined) return;
  throw new EvolutionError(
    `table '${other}' of the design passed as the deployed one differs from the lock; pass the design that the lock was recorded from, or record the lock again`,
  );
}

/** The part of a lock that follows from the design alone, without leftovers from earlier locks. */
function known(design: LockedDesign | undefined): object {
  const { former: _, entities = {}, ...rest } = design ?? {};
  const own = Object.entries(entities).map(([name, { former: __, ...entity }]) => [name, entity]);
  return { ...rest, entities: Object.fromEntries(own) };
}
