import type { Migration, PhaseOfItems } from '../../evolve';
import { runMigration } from '../../evolve/migration/run/run';
import type { Failure } from '../../evolve/migration/run/state';
import type { StateStore, Store } from '../../evolve/migration/run/store';
import { verifyMigration } from '../../evolve/migration/run/verify';
import type { Deployment } from './deployment';

/**
 * Converts every stored item to the new form with the runner that `migrate run` uses. Meanwhile, releases write between
 * the runner's reads and writes. Returns the failure, if there is one.
 */
export async function carryOut(
  deployment: Deployment,
  migration: Migration,
  phase: PhaseOfItems,
  between: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const store = disturbed(deployment.store(migration.verified), between);
  const writing = { states: inMemory(), id: phase };
  const { status, failures } = await runMigration({ migration, phase, step: phase, store, parallel: 1, writing });
  const [first] = failures;
  if (first !== undefined) return shown(first);
  return status === 'done'
    ? undefined
    : 'every pass finds items to change, because a release still writes the old form';
}

/** Describes the first stored item that is not yet in its required form; undefined if there is none. */
export async function leftOver(
  deployment: Deployment,
  migration: Migration,
  phase: PhaseOfItems,
  tables: readonly string[],
): Promise<string | undefined> {
  const store = deployment.store(tables);
  const { left, unknown, counts } = await verifyMigration({ migration, phase, store, tables });
  if (left[0] !== undefined) return shown(left[0]);
  let stored = 0;
  for (const table of tables) stored += (await deployment.items(table)).length;
  if (counts.read !== stored) return `the verification read ${counts.read} items, but ${stored} are stored`;
  if (unknown === 0) return undefined;
  for (const table of tables) {
    for (const { item } of await deployment.items(table)) {
      const outcome = migration.outcome(phase, table, item);
      if (outcome.kind === 'unknown') return shown({ table, key: store.shown(table, item), why: outcome.why });
    }
  }
  return undefined;
}

/** A store that lets releases write after the runner has read the first page of each table. */
function disturbed(store: Store, between: () => Promise<string | undefined>): Store {
  const seen = new Set<string>();
  return {
    ...store,
    async page(segment, from, options) {
      const page = await store.page(segment, from, options);
      const failure = seen.has(segment.table) ? undefined : await between();
      if (failure !== undefined) throw new Error(failure);
      seen.add(segment.table);
      return page;
    },
  };
}

function inMemory(): StateStore {
  const states = new Map<string, { readonly value: string; readonly version: string }>();
  return {
    name: 'memory',
    load: async (id) => states.get(id),
    async save(id, value, version) {
      if (states.get(id)?.version !== version) return undefined;
      const next = String(Number(version ?? 0) + 1);
      states.set(id, { value, version: next });
      return next;
    },
  };
}

function shown({ table, key, why }: Failure): string {
  return `an item of ${table} (${key}): ${why}`;
}
