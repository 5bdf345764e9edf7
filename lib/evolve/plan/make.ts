import type { SystemDesign } from '../../design/system';
import { signed } from '../canonical';
import { newNameOf, readAnswers } from '../diff/answers';
import type { Answers, Change } from '../diff/change';
import { diff, verdictOf } from '../diff/diff';
import { givenLock, givenResources, givenSystem } from '../given';
import { FORM, type Lock } from '../lock/lock';
import { type LockOptions, lockOf } from '../lock/make';
import { EvolutionError, PlanRefused } from '../lock/read';
import { editsFor, withEdits } from './edits';
import { itemChanges } from './items';
import { DESTRUCTIVE, phasesOf } from './phases';
import type { Edit, Plan } from './plan';
import { resourcesOfLock, withKnown } from './waves';

/** What is known about tables beyond their designs, by table. */
type Deployed = NonNullable<LockOptions['deployed']>;

/** The plan that leads from a lock to a design. Throws where an answer is missing, or no plan is needed. */
export function planFor(recorded: Lock, design: SystemDesign, given: Answers = {}, deployed: Deployed = {}): Plan {
  const lock = givenLock(recorded, 'lock');
  givenSystem(design, 'design');
  givenResources(deployed, 'deployed', Object.keys(design.tables));
  const answers = readAnswers(given);
  const { environment } = lock;
  if (lock.progress !== undefined) {
    throw new EvolutionError(`a plan is under way (step '${lock.progress.step}' is done): finish it first`);
  }
  const changes = diff(lock, lockOf(design, { environment, deployed }), answers);
  assertAnswered(changes);
  if (verdictOf(changes) === 'safe') {
    throw new PlanRefused(`nothing here needs a plan: deploy it, and record it with 'tablewright record'`);
  }
  const { edits, edited, target, items } = wayTo(lock, design, answers, changes);
  const now = resourcesOfLock(lock);
  const known = withKnown(resourcesOfLock(lockOf(edited, { environment, deployed })), now);
  return signed({
    plan: FORM,
    system: lock.system,
    environment,
    cloud: lock.cloud,
    from: lock.hash,
    to: target.hash,
    edits,
    answers,
    changes,
    items,
    phases: phasesOf({ now, target: known, items, changes, lock }),
  });
}

/** The design with the new names that its changes need, and what happens to stored items. */
export function wayTo(lock: Lock, design: SystemDesign, answers: Answers, changes: readonly Change[]) {
  const edits = editsFor(changes, design, lock);
  const edited = withEdits(design, edits);
  const target = lockOf(edited, { environment: lock.environment });
  return { edits, edited, target, items: itemChanges(lock, target, withTableEdits(answers, edits), changes) };
}

/** The answers, with each table that gets a new name counted as renamed. */
export function withTableEdits(answers: Answers, edits: readonly Edit[]): Answers {
  const tables = edits.filter(({ kind }) => kind === 'table');
  if (tables.length === 0) return answers;
  const renamed = Object.fromEntries(tables.map(({ from, to }) => [from, to]));
  return { ...answers, renamed: { ...answers.renamed, ...renamed } };
}

function assertAnswered(changes: readonly Change[]): void {
  const open = changes.filter(({ verdict }) => verdict === 'ask');
  const destroyed = changes.filter(({ rule, because }) => DESTRUCTIVE.has(rule) && because === undefined);
  const wanted = [...new Set([...open, ...destroyed])];
  if (wanted.length === 0) return;
  const lines = wanted.map(({ path, message, fix, rule, verdict }) => {
    const how = verdict === 'ask' ? fix : `it destroys stored items; say why: because: { '${path}': '…' }`;
    return `  ${path}: ${message}\n    fix: ${how}   [${rule}]`;
  });
  const count = `${wanted.length} change${wanted.length === 1 ? '' : 's'}`;
  throw new PlanRefused(`a plan needs answers to ${count}\n${lines.join('\n')}`);
}

/** The name that the target design has for a table of the lock. */
export function tableNow(plan: Pick<Plan, 'answers' | 'edits'>, table: string): string {
  return newNameOf(withTableEdits(plan.answers, plan.edits), table);
}
