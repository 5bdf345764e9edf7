import { isOpen } from '../../blueprint/attributes/schema';
import { entityNamed, outline } from '../../blueprint/outline';
import { whole } from '../../blueprint/shares';
import { naming, storedName } from '../../blueprint/stored';
import { suggestion } from '../../design/names';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { valueAt } from '../../design/template';
import type { Item, readItem } from '../../items/item';
import { givenObject, givenSystem } from '../given';
import { designOf } from '../lock/design';
import type { Lock } from '../lock/lock';
import { EvolutionError, readLock, readPlan } from '../lock/read';
import type { DefinedMigration } from '../migration/define';
import type { Migration } from '../migration/migration';
import { migrationFor } from '../migration/of-plan';
import { tableNow, withEdits } from '../plan/edits';
import type { Phase, Plan } from '../plan/plan';
import { originOf } from '../plan/progress';
import { type Transition, transitionOf } from '../release/transition';
import { type Renamed, withOldNames } from './both-names';

export interface EvolvingProps {
  /** The parsed lock file that `tablewright record` wrote. */
  readonly lock: object;
  /** The parsed plan file that `tablewright plan` wrote. */
  readonly plan: object;
  /** The step of the plan that this release is deployed in. */
  readonly step: string;
  readonly design: SystemDesign;
  /** The result of `defineMigration`. @default - the plan needs no `up` */
  readonly migration?: DefinedMigration;
  /**
   * The cloud names of tables that the plan removes, keyed by their names in the lock.
   * @default - the names in the lock, or the names that the stack provides
   */
  readonly formerTables?: Readonly<Record<string, string>>;
}

/** A plan that is under way, in one of its steps. */
export interface UnderWay {
  readonly lock: Lock;
  readonly plan: Plan;
  readonly phase: Phase;
  /** The design that the plan leads to, with the new names. */
  readonly system: SystemDesign;
  readonly migration: Migration;
  /** A changing table of the design; undefined for a new table, which has no old items. */
  table(name: string): TableUnderWay | undefined;
  /** The cloud name of a table that the plan removes, if the caller or the lock gives the name. */
  formerTable(name: string): string | undefined;
}

/** A table that changes from one design to another, in one step of a plan. */
export interface TableUnderWay {
  readonly migration: Migration;
  readonly phase: Phase;
  readonly transition: Transition;
  /** The name of the table in the lock. */
  readonly formerName: string;
  readonly before: TableDesign;
  readonly after: TableDesign;
  /** The patterns that involve items that change; all other patterns use the table directly. @default - all patterns */
  readonly concerned?: readonly string[];
  /** Whether items of a removed entity may still be stored. */
  readonly removes: boolean;
  /** Whether an open entity would mistake keys of the old form for attributes. */
  readonly isOpen: boolean;
  /**
   * Whether only releases of the new design read this place, so that items need no attributes of the old form.
   * @default false
   */
  readonly isApart?: boolean;
}

/** One form of a table while a plan is under way, and the cloud table that stores items of this form. */
export interface Place<Send> extends TableUnderWay {
  readonly send: Send;
  /** The design that requests use. */
  readonly form: TableDesign;
  /** The table's name in the system; `tableName` is its name in the cloud. */
  readonly table: string;
  readonly tableName: string;
}

/**
 * Returns the old and the new place of a table.
 * @param formerTable the cloud name of a table that the plan removes
 */
export function placesOf<Send>(
  way: TableUnderWay,
  send: Send,
  tableName: string,
  formerTable: (name: string) => string,
): { readonly former: Place<Send>; readonly now: Place<Send> } {
  const { transition, formerName, after } = way;
  const formerTableName = formerName === after.name ? tableName : formerTable(formerName);
  return {
    former: { ...way, send, form: transition.old, table: formerName, tableName: formerTableName },
    now: { ...apart(way, formerTableName !== tableName), send, form: transition.now, table: after.name, tableName },
  };
}

/** If the new table is separate from the old one (`isApart`), it holds only items of the new form. */
function apart(way: TableUnderWay, isApart: boolean): TableUnderWay {
  if (!isApart) return way;
  return { ...way, isApart, transition: { ...way.transition, renamed: new Map(), nested: new Map() } };
}

/**
 * Reads the props of `evolving`. Rejects a plan for another lock, design or cloud, and a step that is not in the plan.
 */
export function underWay(given: EvolvingProps, cloud: SystemDesign['cloud'], read?: typeof readItem): UnderWay {
  const { design, step, ...props } = givenObject(given, 'evolving', 'called with { lock, plan, step, design }');
  givenSystem(design, 'evolving.design');
  const plan = readPlan(props.plan, 'evolving.plan');
  const lock = originOf(readLock(props.lock, 'evolving.lock'));
  if (plan.cloud !== cloud) {
    const right = plan.cloud === 'aws' ? 'dynamodb' : 'azure-tables';
    throw new EvolutionError(
      `evolving.plan is for the cloud '${plan.cloud}', not '${cloud}'; import evolving from 'tablewright/evolve/${right}'`,
    );
  }
  const migration = migrationFor(plan, lock, design, props.migration, read);
  const phase = phaseNamed(plan, step);
  const old = designOf(lock);
  const system = whole(withEdits(design, plan.edits));
  return {
    lock,
    plan,
    phase,
    system,
    migration,
    table(name) {
      const { formerName, arriving } = originsOf(plan, lock, name);
      const before = old.tables[formerName];
      const after = system.tables[name];
      if (after === undefined) {
        throw new EvolutionError(
          `'${name}' is not a table of '${system.name}'; ${suggestion(name, Object.keys(system.tables))}`,
        );
      }
      if (before === undefined) return undefined;
      const transition = transitionOf(
        before,
        after,
        plan.items,
        phase.code.reads === 'new',
        isExpanding(phase),
        (entity) => migration.downs(name, entity),
      );
      const removes = plan.items.some(({ from, to }) => from.table === formerName && to?.table !== after.name);
      const open = outline(after).entities.some(({ schema }) => isOpen(schema));
      const concerned = arriving && patternsOn(after, arriving);
      return {
        migration,
        phase,
        transition,
        formerName,
        before,
        after,
        removes,
        isOpen: open,
        ...(concerned && { concerned }),
      };
    },
    formerTable: (name) => props.formerTables?.[name] ?? lock.tables[name]?.physical.name,
  };
}

/**
 * Returns an item as the release of a step stores it: with renamed attributes under both names, and with the type that
 * other releases recognize.
 */
export function storedIn(way: TableUnderWay, entity: string, item: Item): Item {
  const { transition, phase } = way;
  if (phase.code.writes === 'new' || way.isApart) return item;
  const both = withOldNames(item, renamedIn(transition, entity));
  const nested = Object.entries(transition.nested.get(entity) ?? {}).flatMap(([old, path]) => {
    const value = valueAt(item, path);
    return value === undefined ? [] : [[old, value] as const];
  });
  const missed = missedIn(way, entity, item);
  return { ...both, ...Object.fromEntries(nested), ...missed, ...typeIn(transition, phase, entity) };
}

/**
 * Computes, from a stored item, the attributes that the running release requires but the new design lacks. They are
 * keyed by their names in the table.
 * @param item the item as it is stored
 */
export function missedIn({ migration, transition, before, after }: TableUnderWay, entity: string, item: Item): Item {
  const is = entityNamed(outline(after), entity);
  // The guards of a removed unique value are not in the new design, and need no attributes.
  if (is === undefined) return {};
  const was = before.entities[transition.formerNames.get(entity) ?? ''];
  const missed = migration.missed(after.name, entity, naming.read(is, item));
  return Object.fromEntries(Object.entries(missed).map(([name, value]) => [storedName(was ?? {}, name), value]));
}

export function renamedIn({ renamed }: Transition, entity: string): Renamed {
  return renamed.get(entity) ?? {};
}

/** The old type name of an entity, which writes keep storing until the previous release has stopped. */
export function typeIn({ oldTypes }: Transition, phase: Phase, entity: string): Readonly<Record<string, string>> {
  return isExpanding(phase) ? (oldTypes.get(entity) ?? {}) : {};
}

/** Whether the previous release may still run, and must therefore be able to read every write. */
export function isExpanding({ kind }: Phase): boolean {
  return kind === 'expand' || kind === 'drain';
}

function phaseNamed({ phases }: Plan, step: string): Phase {
  const phase = phases.find((candidate) => candidate.step === step);
  if (phase !== undefined) return phase;
  const steps = phases.map((candidate) => candidate.step);
  throw new EvolutionError(`evolving.step must be one of the plan's steps; ${suggestion(String(step), steps)}`);
}

/**
 * Returns the table in the lock that a table's changing items come from. If the table is itself in the lock, also
 * returns the entities that move into it from another table.
 */
function originsOf(
  plan: Plan,
  { tables }: Lock,
  table: string,
): { readonly formerName: string; readonly arriving?: readonly string[] } {
  const own = Object.keys(tables).find((name) => tableNow(plan, name) === table);
  const arriving = plan.items.filter(({ from, to }) => to?.table === table && from.table !== own);
  const [first] = arriving;
  if (first === undefined) return { formerName: own ?? table };
  if (own === undefined) return { formerName: first.from.table };
  return { formerName: first.from.table, arriving: arriving.map(({ to }) => to?.entity as string) };
}

function patternsOn(design: TableDesign, entities: readonly string[]): readonly string[] {
  return outline(design)
    .patterns.filter(({ accesses }) =>
      accesses.some((access) => access.entities.some((name) => entities.includes(name))),
    )
    .map(({ name }) => name);
}

/** Returns a table's calls; calls that involve no changing items use the table directly. */
export function callsOf<C extends object>(way: TableUnderWay, calls: C, plain: () => C): C {
  const { concerned } = way;
  if (concerned === undefined) return calls;
  const own = Object.entries(calls).filter(([name]) => concerned.includes(name));
  return { ...plain(), ...Object.fromEntries(own) };
}
