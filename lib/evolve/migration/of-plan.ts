import { isObject } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { readItem } from '../../items/item';
import { same } from '../canonical';
import { givenObject, givenSystem, wrong } from '../given';
import type { Lock } from '../lock/lock';
import { lockOf } from '../lock/make';
import { EvolutionError } from '../lock/read';
import { withEdits, withTableEdits } from '../plan/edits';
import type { Plan } from '../plan/plan';
import { assertPlanOf, assertTarget, originOf } from '../plan/progress';
import type { DefinedMigration } from './define';
import { type Migration, makeMigration } from './migration';

/**
 * Returns the migration that carries out a plan. Rejects a plan that does not fit the lock, the design or the defined
 * migration.
 * @param read reads an entity's values from an item as the cloud stores it
 */
export function migrationFor(
  plan: Plan,
  lock: Lock,
  design: SystemDesign,
  defined?: DefinedMigration,
  read?: typeof readItem,
): Migration {
  assertPlanOf(plan, lock);
  givenSystem(design, 'design');
  const origin = originOf(lock);
  const system = withEdits(design, plan.edits);
  assertTarget(plan, origin, system);
  if (defined !== undefined) assertMigrationOf(defined, origin, system);
  assertDowns(plan, defined);
  assertRemoved(plan, defined);
  const answers = withTableEdits(plan.answers, plan.edits);
  return makeMigration({
    lock: origin,
    system,
    answers,
    items: plan.items,
    ups: defined?.ups ?? {},
    target: plan.target,
    ...(read === undefined ? {} : { read }),
  });
}

/**
 * Rejects a migration that lacks a required `down`, without which the running release would reject the values that the
 * new release writes.
 */
function assertDowns({ items }: Plan, defined: DefinedMigration | undefined): void {
  for (const { to, downs = [] } of items) {
    const formatted: Readonly<Record<string, unknown>> = (to && defined?.ups[to.table]?.[to.entity]?.formatted) ?? {};
    const missing = downs.find((name) => !isObject(formatted[name]));
    if (missing === undefined) continue;
    throw new EvolutionError(
      `${to?.table}.${to?.entity}.${missing}: the running release refuses its new values, so the migration must convert in both directions; add ${to?.entity}: { formatted: { ${missing}: { up: (old) => …, down: (now) => … } } }`,
    );
  }
}

/** Rejects a migration that supplies no value for a removed attribute that the running release requires. */
function assertRemoved({ items }: Plan, defined: DefinedMigration | undefined): void {
  for (const { to, missed = [] } of items) {
    const removed: object = (to && defined?.ups[to.table]?.[to.entity]?.removed) ?? {};
    const missing = missed.find((name) => !Object.hasOwn(removed, name));
    if (missing === undefined) continue;
    throw new EvolutionError(
      `${to?.table}.${to?.entity}.${missing}: the running release refuses items without it, so the new release must store it until the contract step; add its value to the migration: ${to?.entity}: { removed: { ${missing}: (item) => … } }`,
    );
  }
}

function assertMigrationOf(defined: DefinedMigration, lock: Lock, system: SystemDesign): void {
  const { before, after, ups } = givenObject(defined, 'migration', 'what defineMigration returns');
  if (![before, after, ups].every(isObject)) throw wrong('migration', 'what defineMigration returns', defined);
  const other = (what: string, which: string) =>
    new EvolutionError(
      `the migration is for a different ${what} than the plan: table '${which}' differs; define the migration with the plan's ${what}`,
    );
  for (const [name, { design }] of Object.entries(before.tables)) {
    const deployed = lock.tables[name]?.design;
    if (!same(entitiesIn(deployed), entitiesIn(design))) throw other('old design', name);
  }
  const target = lockOf(system, { environment: lock.environment });
  const edited = Object.entries(lockOf({ ...after, name: system.name }, { environment: lock.environment }).tables);
  for (const [name, { design }] of edited) {
    // The plan may have renamed the table, so any table of the target may match.
    const isThere = Object.values(target.tables).some((table) => same(shapesIn(table.design), shapesIn(design)));
    if (!isThere) throw other('new design', name);
  }
}

function entitiesIn(design: Lock['tables'][string]['design']) {
  const entities = Object.entries(design?.entities ?? {}).map(([name, { former: _, ...entity }]) => [name, entity]);
  return Object.fromEntries(entities) as Readonly<Record<string, object>>;
}

function shapesIn(design: Lock['tables'][string]['design']) {
  const entities = Object.entries(design?.entities ?? {});
  return Object.fromEntries(entities.map(([name, { attributes, type }]) => [name, { attributes, type }]));
}
