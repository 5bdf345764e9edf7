import type { Item as EntityItem, EntityValues } from '../../design/infer';
import { suggestion } from '../../design/names';
import { isObject, show } from '../../design/show';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import type { Item } from '../../items/item';
import { readAnswers } from '../diff/answers';
import type { Answers } from '../diff/change';
import { diff } from '../diff/diff';
import { pair, storedRenames } from '../diff/pairs';
import { givenDesign } from '../given';
import type { Lock, LockedEntity } from '../lock/lock';
import { lockOf, systemOf } from '../lock/make';
import { EvolutionError, readLock } from '../lock/read';
import { withTableEdits } from '../plan/edits';
import { wayTo } from '../plan/make';
import type { ItemChange } from '../plan/plan';
import { originOf } from '../plan/progress';
import { included } from '../schema/inclusion';
import { type Migration, makeMigration } from './migration';

/** The deployed system, as a design or as a lock. */
export type Before = SystemDesign | TableDesign | Lock;

/**
 * The user's functions for an entity, which compute an item's new values from its old values, either for the whole item
 * or for single attributes.
 */
export type Up<Old, New> =
  | {
      /**
       * The function must be pure: equal items produce equal values, without side effects. The new schema validates
       * the result.
       */
      up(item: Old): New;
      readonly formatted?: Formatted<Old, New>;
      readonly removed?: Removed<Old, New>;
    }
  | {
      /**
       * New values of single attributes, such as milliseconds from seconds; all other attributes stay unchanged. Each
       * function must be pure.
       */
      readonly formatted: Formatted<Old, New>;
      readonly removed?: Removed<Old, New>;
      readonly up?: never;
    }
  | {
      /** Values that the new release writes for removed attributes, because the running release still requires them. */
      readonly removed: Removed<Old, New>;
      readonly up?: never;
      readonly formatted?: never;
    };

type Removed<Old, New> = {
  readonly [A in Exclude<keyof Old, keyof Single<New>>]?: (item: Single<New>) => Old[A];
};

type Formatted<Old, New> = {
  readonly [A in keyof Old & keyof Single<New>]?: Format<
    Exclude<Old[A], undefined>,
    Exclude<Single<New>[A], undefined>
  >;
};

/** Converts an old value to a new value; `down` is needed if the running release would reject the new value. */
type Format<Old, New> = ((value: Old) => New) | { up(value: Old): New; down(value: New): Old };

/** The values of one of the items that an old item may become. */
type Single<New> = New extends readonly (infer One)[] ? One : Exclude<New, undefined>;

/** The user's functions, keyed by the new design's entities or, in a system, by its tables and entities. */
export type Ups<B extends Before, A extends SystemDesign | TableDesign> = A extends SystemDesign
  ? { readonly [T in keyof A['tables']]?: TableUps<TableOf<B, T>, A['tables'][T]> }
  : A extends TableDesign
    ? TableUps<TableOf<B, A['name']>, A>
    : never;

type TableUps<B, A extends TableDesign> = {
  readonly [E in keyof A['entities']]?: Up<OldItem<B, E>, NewValues<B, A, E>>;
};

/** If an entity is split, an old item may become zero, one or several items. */
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

/**
 * If no old entity has this name, the old items may belong to any old entity. A lock is only data, so the types of its
 * items are unknown.
 */
type OldItem<B, E> = B extends TableDesign
  ? EntityItem<B, E extends keyof B['entities'] ? E : keyof B['entities']>
  : Readonly<Item>;

/** The user's functions, keyed by table and entity, without types. */
export type AnyUps = Readonly<Record<string, Readonly<Record<string, Up<never, object | undefined>>>>>;

/** The migration that a user's file exports for the command to read. */
export interface DefinedMigration extends Migration {
  readonly before: Lock;
  readonly after: SystemDesign;
  readonly ups: AnyUps;
}

/**
 * Defines how stored items are converted from one design to the next. Keys, types, defaults and renames follow from the
 * two designs; the user's functions supply the rest.
 */
export function defineMigration<const B extends Before, const A extends SystemDesign | TableDesign>(
  before: B,
  after: A,
  given: Ups<B, A>,
  answered: Answers = {},
): DefinedMigration {
  const answers = readAnswers(answered);
  const lock = originOf(beforeOf(before));
  givenDesign(after, 'after');
  const { environment } = lock;
  // If the design is a single table, it belongs to the lock's system.
  const design: SystemDesign | TableDesign = after;
  const system = 'tables' in design ? design : { ...systemOf(design), name: lock.system, cloud: lock.cloud };
  const byTable = 'tables' in design ? given : { [design.name]: given };
  const changes = diff({ ...lock, system: system.name }, lockOf(system, { environment }), answers);
  const { edits, edited, target, items } = wayTo(lock, system, answers, changes);
  const ups = readUps(byTable, system);
  const renamed = withTableEdits(answers, edits);
  const migration = makeMigration({ lock, system: edited, answers: renamed, items, ups, target });
  assertTold({ lock, target, answers: renamed, items, ups });
  return {
    ...migration,
    before: lock,
    after: system,
    ups,
  };
}

interface Ends {
  readonly lock: Lock;
  readonly target: Lock;
  readonly answers: Answers;
  readonly items: readonly ItemChange[];
  readonly ups: AnyUps;
}

/**
 * Rejects an `up` if old items look like new items, because a run could not tell which items it has already converted.
 */
function assertTold({ lock, target, answers, items, ups }: Ends): void {
  for (const [was, is] of pair(lock.tables, target.tables, answers).both) {
    const [before, after] = [entitiesOf(lock, was), entitiesOf(target, is)];
    for (const [from, to] of pair(before, after, answers, was).both) {
      if ((ups[is]?.[to]?.up ?? ups[is]?.[to]?.formatted) === undefined) continue;
      const change = items.find((item) => item.from.table === was && item.from.entity === from);
      const { type, nested = {}, keys = {} } = change ?? {};
      const isMoved = was !== is || Object.values(keys).some((key) => key.before !== key.after);
      if (isMoved || type !== undefined || Object.keys({ ...storedRenames(change), ...nested }).length > 0) continue;
      // The `up` of a merge target converts only the items of the entities that are merged into it.
      if (items.some(({ merged, to: into }) => merged && into?.table === is && into.entity === to)) continue;
      const [old, now] = [before[from], after[to]] as [LockedEntity, LockedEntity];
      if (included(old.attributes, now.attributes).verdict !== 'yes') continue;
      throw new EvolutionError(
        `${was}.${from}: the new schema accepts every old item as it is, so 'up' would run either never or in every run; give the entity an attribute that only new items have, such as version: z.literal(2)`,
      );
    }
  }
}

function entitiesOf({ tables }: Lock, table: string): Readonly<Record<string, LockedEntity>> {
  return tables[table]?.design?.entities ?? {};
}

function beforeOf(given: Before): Lock {
  if (isObject(given) && 'lock' in given) return readLock(given, 'before');
  return lockOf(systemOf(givenDesign(given, 'before')), { environment: 'any' });
}

/**
 * Rejects an entity's entry if it contains no function. Also rejects an unknown table or entity, because its functions
 * would be silently ignored.
 */
function readUps(given: unknown, { tables }: SystemDesign): AnyUps {
  if (!isObject(given))
    throw new EvolutionError(`a migration must be an object of entities keyed by table, got: ${show(given)}`);
  for (const [table, ups] of Object.entries(given)) {
    if (!Object.hasOwn(tables, table))
      throw new EvolutionError(
        `the migration has a table '${table}', but the new design does not; ${suggestion(table, Object.keys(tables))}`,
      );
    const entities = Object.keys(tables[table]?.entities ?? {});
    for (const [entity, own] of Object.entries(Object(ups) as object)) {
      if (!entities.includes(entity))
        throw new EvolutionError(
          `the migration has an entity '${entity}', but table '${table}' of the new design does not; ${suggestion(entity, entities)}`,
        );
      const { up, formatted, removed } = Object(own) as { up?: unknown; formatted?: unknown; removed?: unknown };
      const isUp = up === undefined || typeof up === 'function';
      const isFormatted = formatted === undefined || (isObject(formatted) && Object.values(formatted).every(isFormat));
      const isRemoved =
        removed === undefined ||
        (isObject(removed) && Object.values(removed).every((given) => typeof given === 'function'));
      if ((up ?? formatted ?? removed) === undefined || !isUp || !isFormatted || !isRemoved)
        throw new EvolutionError(
          `${table}.${entity} of the migration must be { up(item) { … } }, { formatted: { at: (old) => … } } for single attributes, or { removed: { at: (item) => … } } for removed attributes, got: ${show(own)}`,
        );
    }
  }
  return given as AnyUps;
}

function isFormat(given: unknown): boolean {
  return (
    typeof given === 'function' ||
    (isObject(given) && typeof given.up === 'function' && typeof given.down === 'function')
  );
}
