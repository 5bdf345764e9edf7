import type { PhysicalTable } from '../../blueprint/physical-table';
import { whole } from '../../blueprint/shares';
import { check } from '../../check';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { readAnswers } from '../diff/answers';
import type { Answers, Change } from '../diff/change';
import { diff, verdictOf } from '../diff/diff';
import { givenEdits, givenObject, givenSystem, givenTable, givenText, wrong } from '../given';
import { designOf } from '../lock/design';
import type { Lock, LockedTable } from '../lock/lock';
import { lockOf } from '../lock/make';
import { assertSame, EvolutionError, readLock, readPlan } from '../lock/read';
import { withEdits } from './edits';
import { movingOf } from './moving';
import type { Edit, Phase } from './plan';
import { assertTarget, phaseAt } from './progress';

/** The deployed state, and the step of the plan that a deployment carries out. */
export interface Evolution {
  /** The parsed lock file that `tablewright record` wrote. */
  readonly lock: object;
  /**
   * The parsed plan file that `tablewright plan` wrote, while a plan is under way.
   * @default - a change that cannot be deployed directly is rejected
   */
  readonly plan?: object;
  /** The plan's step to synthesize. Required with a plan. */
  readonly step?: string | undefined;
  /**
   * Answers to questions that the lock and the design leave open. Only used without a plan, because a plan contains its
   * answers.
   * @default - none
   */
  readonly answers?: Answers;
}

/** The tables of one deployment. */
export interface Stage {
  readonly lock: Lock;
  /**
   * The tables of the deployment, keyed by name. A table that the plan removes is described as in the lock, and every
   * other table as in the design.
   */
  readonly tables: Readonly<Record<string, StagedTable>>;
  /** The deployed design, as long as the deployed release must keep its permissions. */
  readonly former?: SystemDesign;
  /**
   * The extra requests that writes send while items move, as a design with a procedure for each write.
   * @default - no item moves
   */
  readonly moving?: SystemDesign;
  readonly phase?: Phase;
}

export interface StagedTable {
  readonly design: TableDesign;
  /** The table as it is after this deployment. */
  readonly physical: PhysicalTable;
}

/**
 * Returns the tables that one deployment of a system creates or keeps. Throws if the deployment would break a client,
 * or if the step is out of order.
 */
export function stageOf(system: SystemDesign, environment: string, evolution: Evolution): Stage {
  givenSystem(system, 'system');
  givenText(environment, 'environment', 'prod');
  givenObject(evolution, 'evolution', 'an object such as { lock, plan, step }');
  const lock = readLock(evolution.lock, 'evolution.lock');
  assertSame(lock, system.name, environment);
  const current = lockOf(system, { environment });
  if (evolution.plan === undefined) {
    assertNoStep(evolution.step, lock);
    const answers = readAnswers(evolution.answers, 'evolution.answers');
    assertDeployable(diff(lock, current, answers), system.name);
    return { lock, tables: tablesOf(system, current) };
  }
  const plan = readPlan(evolution.plan, 'evolution.plan');
  if (evolution.step === undefined) {
    const steps = plan.phases.map(({ step }) => step).join(', ');
    throw new EvolutionError(`evolution.step must be one of the plan's steps: ${steps}`);
  }
  const phase = phaseAt(plan, lock, evolution.step);
  assertTarget(plan, lock, withEdits(system, plan.edits));
  assertEdited(system, environment, plan.edits, current.hash);
  const old = designOf(lock);
  const moving = movingOf(old, system, plan.items);
  const tables = Object.entries(phase.tables).map(([name, physical]) => {
    const design = whole(system).tables[name] ?? leaving(old.tables[name] as TableDesign);
    return [name, { design, physical }];
  });
  return {
    lock,
    tables: Object.fromEntries(tables),
    phase,
    ...(phase.code.writes === 'new' ? {} : { former: old }),
    ...(phase.code.writes === 'both' && moving !== undefined ? { moving } : {}),
  };
}

/** Returns the deployed form of a table that a later step removes. */
function leaving({ patterns: _, ...design }: TableDesign): TableDesign {
  return asDeployed(design);
}

/** Returns a deployed table with all findings acknowledged, because a lock does not record acknowledgements. */
export function asDeployed(design: TableDesign): TableDesign {
  givenTable(design, 'design');
  const acknowledge: Record<string, Record<string, string>> = {};
  for (const { rule, path } of check(design)) acknowledge[rule] = { ...acknowledge[rule], [path]: 'already deployed' };
  return { ...design, acknowledge };
}

function assertNoStep(step: string | undefined, lock: Lock): void {
  if (lock.progress !== undefined) {
    throw new EvolutionError(
      `a plan is under way (step '${lock.progress.step}' is done): set evolution.plan to that plan, and evolution.step to the step to deploy`,
    );
  }
  if (step !== undefined)
    throw new EvolutionError(`evolution.step is '${step}', but there is no plan; pass evolution.plan too`);
}

function tablesOf(system: SystemDesign, { tables }: Lock): Stage['tables'] {
  return Object.fromEntries(
    Object.entries(whole(system).tables).map(([name, design]) => [
      name,
      { design, physical: (tables[name] as LockedTable).physical },
    ]),
  );
}

/** Throws an error that lists every change that cannot be deployed directly. */
export function assertDeployable(changes: readonly Change[], system: string): void {
  if (verdictOf(changes) === 'safe') return;
  const stopped = changes.filter(({ verdict }) => verdict !== 'safe');
  const count = `${stopped.length} change${stopped.length === 1 ? '' : 's'}`;
  throw new EvolutionError(
    [
      `system '${system}' has ${count} that cannot be deployed as ${stopped.length === 1 ? 'it is' : 'they are'}`,
      ...stopped.map(describeChange),
      `  to divide the work into safe steps, run 'npx tablewright plan'`,
    ].join('\n'),
  );
}

/** Formats a change as lines: its path and message, the affected parties, and the fix. */
export function describeChange(change: Change): string {
  const { path, message, breaks, fix, rule } = givenObject(change, 'change', 'a change returned by diff');
  if (!Array.isArray(breaks)) throw wrong('change', 'a change returned by diff', change);
  const broken = breaks.map(({ who, how }) => `    ${who.replace('-', ' ')}: ${how}`);
  return [`  ${path}: ${message}`, ...broken, `    fix: ${fix}   [${rule}]`].join('\n');
}

/** Rejects a design that does not yet use the plan's new names. */
function assertEdited(system: SystemDesign, environment: string, edits: readonly Edit[], hash: string): void {
  if (hash === lockOf(withEdits(system, edits), { environment }).hash) return;
  throw new EvolutionError(
    `the design of '${system.name}' must use the plan's new names\n${edits.map(describeEdit).join('\n')}`,
  );
}

export function describeEdit(edit: Edit): string {
  const [{ kind, table, from, to }] = givenEdits([edit], 'edit') as readonly [Edit];
  const what =
    kind === 'table'
      ? `table '${from}'`
      : kind === 'index'
        ? `index '${from}' of '${table}'`
        : `key '${from}' of '${table}'`;
  return `  in the design, rename ${what} to '${to}'`;
}
