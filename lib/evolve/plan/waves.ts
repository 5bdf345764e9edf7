import type { Lock, TableResources } from '../lock/lock';
import { knownOf } from '../lock/make';
import type { Action } from './plan';

/** Every table at one moment, by its name in the system. */
export type Resources = Readonly<Record<string, TableResources>>;

/** One deployment: what it does, and how the tables are after it. */
export interface Wave {
  readonly actions: readonly Action[];
  readonly after: Resources;
}

/** The tables as the lock has them. */
export function resourcesOfLock({ tables }: Lock): Resources {
  return Object.fromEntries(Object.entries(tables).map(([name, { resources }]) => [name, resources]));
}

/** The deployments that add what only the target has; they take nothing away. */
export function expandWaves(now: Resources, target: Resources): readonly Wave[] {
  return inWaves(now, (table) => additions(table, now[table], target[table]), target);
}

/** The deployments that take away what the target lacks, and move what can only be in one place. */
export function contractWaves(now: Resources, target: Resources): readonly Wave[] {
  return inWaves(now, (table) => removals(table, now[table], target[table]), target);
}

/** One action on a table, and its effect. */
interface Step {
  readonly action: Action;
  apply(resources: TableResources | undefined): TableResources | undefined;
}

/** The first deployment does the first step of every table, the second one the second, and so on. */
function inWaves(now: Resources, stepsOf: (table: string) => readonly Step[], target: Resources): readonly Wave[] {
  const tables = [...new Set([...Object.keys(now), ...Object.keys(target)])];
  const steps = new Map(tables.map((table) => [table, stepsOf(table)]));
  const waves: Wave[] = [];
  let current = now;
  for (let i = 0; ; i++) {
    const actions: Action[] = [];
    const after: Record<string, TableResources> = { ...current };
    for (const [table, own] of steps) {
      const step = own[i];
      if (step === undefined) continue;
      actions.push(step.action);
      const made = step.apply(after[table]);
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
  now: TableResources | undefined,
  target: TableResources | undefined,
): readonly Step[] {
  if (target === undefined) return [];
  // A new table is empty, so it can be made whole at once.
  if (now === undefined) return [{ action: { table, action: 'create-table' }, apply: () => target }];
  const created = Object.keys(target.indexes).filter((name) => !Object.hasOwn(now.indexes, name));
  return [
    ...created.map((name) =>
      step(table, 'create-index', name, (at) => ({
        ...at,
        indexes: { ...at.indexes, [name]: target.indexes[name] as TableResources['indexes'][string] },
      })),
    ),
    ...regionsMissing(target, now).map((region) =>
      step(table, 'add-replica', region, (at) => ({ ...at, replicas: [...(at.replicas ?? []), region] })),
    ),
    ...(now.stream === null && typeof target.stream === 'string'
      ? [step(table, 'enable-stream', target.stream, (at) => ({ ...at, stream: target.stream }))]
      : []),
  ];
}

function removals(table: string, now: TableResources | undefined, target: TableResources | undefined): readonly Step[] {
  if (now === undefined) return [];
  if (target === undefined) return [{ action: { table, action: 'delete-table' }, apply: () => undefined }];
  const deleted = Object.keys(now.indexes).filter((name) => !Object.hasOwn(target.indexes, name));
  return [
    ...deleted.map((name) =>
      step(table, 'delete-index', name, (at) => {
        const { [name]: _, ...indexes } = at.indexes;
        return { ...at, indexes };
      }),
    ),
    ...ttlSteps(table, now.ttl, target.ttl),
    ...regionsMissing(now, target).map((region) =>
      step(table, 'remove-replica', region, (at) => ({
        ...at,
        replicas: at.replicas?.filter((replica) => replica !== region),
      })),
    ),
    ...streamSteps(table, now, target),
  ];
}

/** TTL moves to another attribute by being switched off first, for an hour. */
function ttlSteps(table: string, was: string | undefined, is: string | undefined): readonly Step[] {
  if (was === is) return [];
  const off =
    was === undefined ? [] : [step(table, 'disable-ttl', was, ({ ttl: _, ...at }) => ({ ...at, ttlOff: was }))];
  const on = is === undefined ? [] : [step(table, 'enable-ttl', is, ({ ttlOff: _, ...at }) => ({ ...at, ttl: is }))];
  return [...off, ...on];
}

function streamSteps(table: string, now: TableResources, target: TableResources): readonly Step[] {
  if (typeof now.stream !== 'string' || target.stream === undefined || now.stream === target.stream) return [];
  const off = step(table, 'disable-stream', now.stream, (at) => ({ ...at, stream: null }));
  if (target.stream === null) return [off];
  return [off, step(table, 'enable-stream', target.stream, (at) => ({ ...at, stream: target.stream }))];
}

/** The regions that only the first has; none if those of the other are not known. */
function regionsMissing({ replicas = [] }: TableResources, { replicas: others }: TableResources): readonly string[] {
  return others === undefined ? [] : replicas.filter((region) => !others.includes(region));
}

function step(
  table: string,
  action: Action['action'],
  name: string,
  apply: (resources: TableResources) => TableResources,
): Step {
  return { action: { table, action, name }, apply: (at) => at && apply(at) };
}

/** A target with what only a deployment knows: names, ids, replicas. */
export function withKnown(target: Resources, lock: Resources): Resources {
  return Object.fromEntries(
    Object.entries(target).map(([name, resources]) => {
      const old = lock[name];
      return [name, old === undefined ? resources : { ...knownOf(old), ...resources }];
    }),
  );
}
