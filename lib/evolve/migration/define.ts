import type { Item as EntityItem, EntityValues } from '../../design/infer';
import { suggestion } from '../../design/names';
import { isObject, show } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Item, readItem } from '../../items/item';
import { same } from '../canonical';
import { readAnswers } from '../diff/answers';
import type { Answers } from '../diff/change';
import { diff } from '../diff/diff';
import { givenDesign, givenObject, givenSystem, wrong } from '../given';
import type { Lock } from '../lock/lock';
import { lockOf, systemOf } from '../lock/make';
import { EvolutionError, readLock } from '../lock/read';
import { withEdits } from '../plan/edits';
import { wayTo, withTableEdits } from '../plan/make';
import type { Plan } from '../plan/plan';
import { assertPlanOf, assertTarget, originOf } from '../plan/progress';
import { type Migration, makeMigration } from './migration';

/** What is deployed, as a design or as a lock. */
export type Before = SystemDesign | TableDesign | Lock;

/** What only the user knows about an entity: the new values of an item, made from the old ones. */
export interface Step<Old, New> {
  /** Must be pure: equal items give equal values, and nothing else happens. The result is validated by the new schema. */
  up(item: Old): New;
}

/** Steps by entity of the new design; in a system, by table and entity. */
export type Steps<B extends Before, A extends SystemDesign | TableDesign> = A extends SystemDesign
  ? { readonly [T in keyof A['tables']]?: TableSteps<TableOf<B, T>, A['tables'][T]> }
  : A extends TableDesign
    ? TableSteps<TableOf<B, A['name']>, A>
    : never;

type TableSteps<B, A extends TableDesign> = {
  readonly [E in keyof A['entities']]?: Step<OldItem<B, E>, NewValues<B, A, E>>;
};

/** Where an entity is split, an old item may become no item, one, or several. */
type NewValues<B, A extends TableDesign, E extends keyof A['entities']> = B extends TableDesign
  ? E extends keyof B['entities']
    ? EntityValues<A, E>
    : EntityValues<A, E> | readonly EntityValues<A, E>[] | undefined
  : EntityValues<A, E> | readonly EntityValues<A, E>[] | undefined;

type TableOf<B extends Before, T> = B extends { readonly lock: number }
  ? unknown
  : B extends SystemDesign
    ? T extends keyof B['tables']
      ? B['tables'][T]
      : B['tables'][keyof B['tables']]
    : B;

/** A renamed entity may have been any of the old ones; a lock is data, so nothing is known about its types. */
type OldItem<B, E> = B extends TableDesign
  ? EntityItem<B, E extends keyof B['entities'] ? E : keyof B['entities']>
  : Readonly<Item>;

/** Steps by table and entity, untyped. */
export type Ups = Readonly<Record<string, Readonly<Record<string, Step<never, object | undefined>>>>>;

/** A migration as the user's file exports it and the command takes it. */
export interface DefinedMigration extends Migration {
  readonly before: Lock;
  readonly after: SystemDesign;
  readonly ups: Ups;
}

/**
 * Defines how stored items get from one design to the next. Keys, types, defaults and renames are derived from the two designs;
 * `up` supplies the rest.
 */
export function defineMigration<const B extends Before, const A extends SystemDesign | TableDesign>(
  before: B,
  after: A,
  steps: Steps<B, A>,
  given: Answers = {},
): DefinedMigration {
  const answers = readAnswers(given);
  const lock = originOf(beforeOf(before));
  givenDesign(after, 'after');
  const { environment } = lock;
  // A table alone belongs to the system of its lock.
  const design: SystemDesign | TableDesign = after;
  const system = 'tables' in design ? design : { ...systemOf(design), name: lock.system, cloud: lock.cloud };
  const byTable = 'tables' in design ? steps : { [design.name]: steps };
  const changes = diff({ ...lock, system: system.name }, lockOf(system, { environment }), answers);
  const { edits, edited, items } = wayTo(lock, system, answers, changes);
  const ups = readUps(byTable, system);
  return {
    ...makeMigration({ lock, system: edited, answers: withTableEdits(answers, edits), items, ups }),
    before: lock,
    after: system,
    ups,
  };
}

function beforeOf(given: Before): Lock {
  if (isObject(given) && 'lock' in given) return readLock(given, 'before');
  return lockOf(systemOf(givenDesign(given, 'before')), { environment: 'any' });
}

/**
 * The migration of a plan, as the command carries it out. Refuses a plan for another lock, design or migration.
 * @param read how a cloud reads the values of an entity
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
  assertTarget(plan, system);
  if (defined !== undefined) assertMigrationOf(defined, origin, system);
  const answers = withTableEdits(plan.answers, plan.edits);
  return makeMigration({
    lock: origin,
    system,
    answers,
    items: plan.items,
    ups: defined?.ups ?? {},
    ...(read === undefined ? {} : { read }),
  });
}

function assertMigrationOf(defined: DefinedMigration, lock: Lock, system: SystemDesign): void {
  const { before, after, ups } = givenObject(defined, 'migration', 'what defineMigration returns');
  if (![before, after, ups].every(isObject)) throw wrong('migration', 'what defineMigration returns', defined);
  const other = (what: string, which: string) =>
    new EvolutionError(
      `the migration is for another ${what} than the plan: table '${which}' differs; give it the plan's ${what}`,
    );
  for (const [name, { design }] of Object.entries(before.tables)) {
    const deployed = lock.tables[name]?.design;
    if (!same(entitiesIn(deployed), entitiesIn(design))) throw other('old design', name);
  }
  const target = lockOf(system, { environment: lock.environment });
  const edited = Object.entries(lockOf({ ...after, name: system.name }, { environment: lock.environment }).tables);
  for (const [name, { design }] of edited) {
    // The plan may have given the table a new name, so any table of the target may match.
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

/** Refuses a step without a function, and an unknown table or entity, whose step would be silently ignored. */
function readUps(given: unknown, { tables }: SystemDesign): Ups {
  if (!isObject(given)) throw new EvolutionError(`a migration has an object of entities, got: ${show(given)}`);
  for (const [table, steps] of Object.entries(given)) {
    if (!Object.hasOwn(tables, table))
      throw new EvolutionError(`the migration has a table '${table}'; ${suggestion(table, Object.keys(tables))}`);
    const entities = Object.keys(tables[table]?.entities ?? {});
    for (const [entity, step] of Object.entries(Object(steps) as object)) {
      if (!entities.includes(entity))
        throw new EvolutionError(
          `the migration has an entity '${entity}', which the new design of '${table}' does not have; ${suggestion(entity, entities)}`,
        );
      const up = (Object(step) as { up?: unknown }).up;
      if (typeof up !== 'function')
        throw new EvolutionError(`${table}.${entity} of the migration must be { up(item) { … } }, got: ${show(step)}`);
    }
  }
  return given as Ups;
}
