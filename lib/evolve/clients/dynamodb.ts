import { tableNameOf } from '../../blueprint/names';
import { type EntityOutline, entityNamed, outline } from '../../blueprint/outline';
import { suggestion } from '../../design/names';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { type ClientOptions, client, type Evolving } from '../../dynamodb/client';
import type { Send } from '../../dynamodb/sending';
import { type Item, makeItem } from '../../items/item';
import { designOf } from '../lock/design';
import type { Lock } from '../lock/lock';
import { EvolutionError, readLock, readPlan } from '../lock/read';
import { type DefinedMigration, migrationFor } from '../migration/define';
import { withEdits } from '../plan/edits';
import { tableNow } from '../plan/make';
import type { Phase, Plan } from '../plan/plan';
import { originOf } from '../plan/progress';
import { transitionOf } from '../release/transition';
import { movingClient } from './moving';
import { isExpanding, sendingIn, storedIn } from './sending';

export interface EvolvingProps {
  /** What `tablewright record` wrote: the parsed file. */
  readonly lock: object;
  /** What `tablewright plan` wrote. */
  readonly plan: object;
  /** The step of the plan that this release is deployed in. */
  readonly step: string;
  readonly design: SystemDesign;
  /** What `defineMigration` returned. @default - the plan needs no `up` */
  readonly migration?: DefinedMigration;
  /**
   * The physical names of tables that are on their way out, by their names in the lock.
   * @default - as the lock knows them, or as the stack names them
   */
  readonly formerTables?: Readonly<Record<string, string>>;
}

/**
 * What a client needs while a plan is under way: it reads old items as the new design has them, under either key, and writes
 * so that the release before understands it. Which of that it does depends on the step alone.
 */
export function evolving(props: EvolvingProps): Evolving {
  const plan = readPlan(props.plan, 'evolving.plan');
  const lock = originOf(readLock(props.lock, 'evolving.lock'));
  const migration = migrationFor(plan, lock, props.design, props.migration);
  const phase = phaseNamed(plan, props.step);
  const old = designOf(lock);
  const system = withEdits(props.design, plan.edits);
  return (table: TableDesign, tableName: string, send: Send, options: ClientOptions): object => {
    const formerName = formerNameOf(plan, lock, table.name);
    const before = old.tables[formerName];
    const after = system.tables[table.name];
    if (after === undefined) {
      throw new EvolutionError(
        `'${table.name}' is not a table of '${system.name}'; ${suggestion(table.name, Object.keys(system.tables))}`,
      );
    }
    if (before === undefined) return client(table, tableName, send, options);
    const transition = transitionOf(before, after, plan.items, phase.code.reads === 'new');
    const formerTable =
      formerName === table.name
        ? tableName
        : (props.formerTables?.[formerName] ??
          lock.tables[formerName]?.resources.physicalName ??
          tableNameOf(system, lock.environment, formerName));
    const removes = plan.items.some(({ from, to }) => from.table === formerName && to === undefined);
    const shared = { migration, phase, transition, send, before, after, removes };
    const now = { ...shared, form: transition.now, table: after.name, tableName };
    if (phase.code.reads === 'new') {
      const design = phase.code.writes === 'new' ? after : transition.now;
      return client(design, tableName, sendingIn({ ...now, form: design }), options);
    }
    const former = { ...shared, form: transition.old, table: formerName, tableName: formerTable };
    const isOld = isExpanding(phase);
    if (transition.moves) return movingClient(outline(after), former, now, isOld, options);
    const { form } = isOld ? former : now;
    return client(form, tableName, sendingIn({ ...now, form }), options);
  };
}

/** An item of the new design as the release of a step stores it, and in which table of the system. */
export function writtenIn(
  { plan, lock, system }: { readonly plan: Plan; readonly lock: Lock; readonly system: SystemDesign },
  phase: Phase,
  table: string,
  entity: string,
  values: object,
): { readonly table: string; readonly item: Item } {
  const after = system.tables[table] as TableDesign;
  const before = designOf(lock).tables[formerNameOf(plan, lock, table)];
  const made = (form: TableDesign) =>
    makeItem(outline(form), entityNamed(outline(form), entity) as EntityOutline, values);
  if (before === undefined || phase.code.writes === 'new') return { table, item: made(after) };
  const transition = transitionOf(before, after, plan.items, phase.code.reads === 'new');
  const form = isExpanding(phase) ? transition.old : transition.now;
  return { table: form.name, item: storedIn(transition, phase, entity, made(form)) };
}

function phaseNamed({ phases }: Plan, step: string): Phase {
  const phase = phases.find((one) => one.step === step);
  if (phase !== undefined) return phase;
  const steps = phases.map((one) => one.step);
  throw new EvolutionError(`evolving.step must be one of the plan's steps; ${suggestion(String(step), steps)}`);
}

/** The name that the lock has for a table of the design. */
export function formerNameOf(plan: Plan, { tables }: Lock, table: string): string {
  return Object.keys(tables).find((name) => tableNow(plan, name) === table) ?? table;
}
