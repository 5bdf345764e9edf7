import {
  deploymentOf,
  indexNamed,
  type PhysicalTable,
  type PhysicalTables,
  withIndexes,
} from '../../blueprint/physical-table';
import type { Lock } from '../lock/lock';
import type { Action } from './plan';

/** One deployment: its actions, and the resulting tables. */
export interface Wave {
  readonly actions: readonly Action[];
  readonly after: PhysicalTables;
}

/** The tables as the lock describes them. */
export function tablesOfLock({ tables }: Lock): PhysicalTables {
  return Object.fromEntries(Object.entries(tables).map(([name, { physical }]) => [name, physical]));
}

/** Returns the deployments that add everything that only the target has. They remove nothing. */
export function expandWaves(now: PhysicalTables, target: PhysicalTables): readonly Wave[] {
  return inWaves(now, (table) => additions(table, now[table], target[table]), target);
}

/**
 * Returns the deployments that remove everything that is not in the target. These deployments also replace settings
 * that a table can have only once, such as TTL.
 */
export function contractWaves(now: PhysicalTables, target: PhysicalTables): readonly Wave[] {
  return inWaves(now, (table) => removals(table, now[table], target[table]), target);
}

/** One action on a table, and its effect. */
interface Applied {
  readonly action: Action;
  apply(table: PhysicalTable | undefined): PhysicalTable | undefined;
}

/**
 * Combines the actions into deployments: the first deployment carries out each table's first action, the second one its
 * second action, and so on.
 */
function inWaves(
  now: PhysicalTables,
  actionsOf: (table: string) => readonly Applied[],
  target: PhysicalTables,
): readonly Wave[] {
  const tables = [...new Set([...Object.keys(now), ...Object.keys(target)])];
  const applied = new Map(tables.map((table) => [table, actionsOf(table)]));
  const waves: Wave[] = [];
  let current = now;
  for (let i = 0; ; i++) {
    const actions: Action[] = [];
    const after: Record<string, PhysicalTable> = { ...current };
    for (const [table, own] of applied) {
      const next = own[i];
      if (next === undefined) continue;
      actions.push(next.action);
      const made = next.apply(after[table]);
      if (made === undefined) delete after[table];
      else after[table] = made;
    }
    if (actions.length === 0) return waves;
    current = after;
    waves.push({ actions, after });
  }
}

function additions(
  table: string,
  now: PhysicalTable | undefined,
  target: PhysicalTable | undefined,
): readonly Applied[] {
  if (target === undefined) return [];
  // A new table is empty, so one action can create it with all its indexes.
  if (now === undefined) return [{ action: { table, action: 'create-table' }, apply: () => target }];
  const created = target.indexes.filter(({ name }) => indexNamed(now, name) === undefined);
  return [
    ...created.map((index) =>
      acting(table, 'create-index', index.name, (at) => withIndexes(at, [...at.indexes, index])),
    ),
    ...regionsMissing(target, now).map((region) =>
      acting(table, 'add-replica', region, (at) => ({ ...at, replicas: [...(at.replicas ?? []), region] })),
    ),
    ...(now.stream === null && typeof target.stream === 'string'
      ? [acting(table, 'enable-stream', target.stream, (at) => ({ ...at, stream: target.stream }))]
      : []),
  ];
}

function removals(
  table: string,
  now: PhysicalTable | undefined,
  target: PhysicalTable | undefined,
): readonly Applied[] {
  if (now === undefined) return [];
  if (target === undefined) return [{ action: { table, action: 'delete-table' }, apply: () => undefined }];
  const deleted = now.indexes.filter(({ name }) => indexNamed(target, name) === undefined);
  return [
    ...deleted.map(({ name }) =>
      acting(table, 'delete-index', name, (at) => ({
        ...at,
        indexes: at.indexes.filter((index) => index.name !== name),
      })),
    ),
    ...ttlActions(table, now.ttl, target.ttl),
    ...regionsMissing(now, target).map((region) =>
      acting(table, 'remove-replica', region, (at) => ({
        ...at,
        replicas: at.replicas?.filter((replica) => replica !== region),
      })),
    ),
    ...streamActions(table, now, target),
  ];
}

/** TTL must be off for an hour before it moves to a different attribute. */
function ttlActions(table: string, was: string | undefined, is: string | undefined): readonly Applied[] {
  if (was === is) return [];
  const off =
    was === undefined ? [] : [acting(table, 'disable-ttl', was, ({ ttl: _, ...at }) => ({ ...at, ttlOff: was }))];
  const on = is === undefined ? [] : [acting(table, 'enable-ttl', is, ({ ttlOff: _, ...at }) => ({ ...at, ttl: is }))];
  return [...off, ...on];
}

function streamActions(table: string, now: PhysicalTable, target: PhysicalTable): readonly Applied[] {
  if (typeof now.stream !== 'string' || target.stream === undefined || now.stream === target.stream) return [];
  const off = acting(table, 'disable-stream', now.stream, (at) => ({ ...at, stream: null }));
  if (target.stream === null) return [off];
  return [off, acting(table, 'enable-stream', target.stream, (at) => ({ ...at, stream: target.stream }))];
}

/** Returns the regions that only the first table has; none if the second table's regions are unknown. */
function regionsMissing({ replicas = [] }: PhysicalTable, { replicas: others }: PhysicalTable): readonly string[] {
  return others === undefined ? [] : replicas.filter((region) => !others.includes(region));
}

function acting(
  table: string,
  action: Action['action'],
  name: string,
  apply: (table: PhysicalTable) => PhysicalTable,
): Applied {
  return { action: { table, action, name }, apply: (at) => at && apply(at) };
}

/**
 * Adds to the target the facts that only a deployment determines, and that the lock therefore records: names, ids and
 * replicas.
 */
export function withKnown(target: PhysicalTables, lock: PhysicalTables): PhysicalTables {
  return Object.fromEntries(
    Object.entries(target).map(([name, table]) => {
      const old = lock[name];
      return [name, old === undefined ? table : { ...deploymentOf(old), ...table }];
    }),
  );
}
