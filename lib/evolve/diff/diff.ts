import { isObject } from '../../design/show';
import { same } from '../canonical';
import { givenLock, wrong } from '../given';
import type { Lock } from '../lock/lock';
import { assertSame } from '../lock/read';
import { answerFor, assertAnswers, fixForGone, readAnswers, reasonFor } from './answers';
import { type Answers, type Change, placed } from './change';
import { entityChanges } from './entities';
import { pair } from './pairs';
import { patternChanges } from './patterns';
import { list, physicalChanges } from './physical';
import { tablesOf } from './sides';
import { togetherChanges } from './together';

/**
 * Returns every difference between a lock and a design, with the affected parties and a fix. Compares only data, and
 * never contacts a cloud.
 */
export function diff(deployed: Lock, designed: Lock, given: Answers = {}): readonly Change[] {
  const [before, after] = [givenLock(deployed, 'before'), givenLock(designed, 'after')];
  const answers = readAnswers(given);
  assertSame(before, after.system, after.environment);
  assertAnswers(answers, before, after);
  return [...changesBetween(before, after, answers)].map((change) => answered(change, answers));
}

/** The worst verdict among all changes, which is the verdict for deploying them together. */
export function verdictOf(changes: readonly Change[]): Change['verdict'] {
  if (!Array.isArray(changes) || !changes.every(isObject)) throw wrong('changes', "a list returned by 'diff'", changes);
  const order: readonly Change['verdict'][] = ['replace', 'ask', 'plan'];
  return order.find((verdict) => changes.some((change) => change.verdict === verdict)) ?? 'safe';
}

/**
 * Applies the user's reason to a change: the reason settles a question, but a change that needs phases still needs
 * phases.
 */
function answered(change: Change, answers: Answers): Change {
  const because = reasonFor(answers, change.at);
  if (because === undefined) return change;
  const { asks: _, ...rest } = change;
  const settled = change.verdict === 'ask' ? (SETTLED[change.rule] ?? 'safe') : change.verdict;
  return { ...rest, verdict: settled, because };
}

/** The changes that still need phases once the user has said that nothing was renamed. */
const SETTLED: Readonly<Partial<Record<Change['rule'], Change['verdict']>>> = {
  'entity-removed': 'plan',
  'attribute-removed': 'plan',
  'table-removed': 'plan',
};

function* changesBetween(before: Lock, after: Lock, answers: Answers): Iterable<Change> {
  yield* systemChanges(before, after);
  const { both, gone, added } = pair(before.tables, after.tables, answers);
  for (const [was, is] of both) {
    const tables = tablesOf(before, after, was, is, answers);
    if (was !== is) yield tableRenamed(was, is);
    else yield* physicalChanges(tables);
    yield* entityChanges(tables);
    yield* patternChanges(tables);
    yield* togetherChanges(tables);
  }
  for (const name of added) {
    yield {
      rule: 'table-added',
      ...placed(['tables', name]),
      subject: { table: name },
      verdict: 'safe',
      breaks: [],
      message: `table ${name} is new`,
      fix: 'deploy it',
    };
  }
  for (const name of gone) yield tableRemoved(name, added);
}

function* systemChanges(before: Lock, after: Lock): Iterable<Change> {
  if (before.cloud !== after.cloud) {
    yield {
      rule: 'system-changed',
      ...placed(['cloud']),
      subject: {},
      verdict: 'replace',
      breaks: [{ who: 'items', how: 'every stored item is on the other cloud' }],
      message: `the system was on ${before.cloud}, and should now be on ${after.cloud}`,
      fix: 'give the system a new name and copy its items: the two systems can exist side by side',
    };
  }
  if (before.tenant !== after.tenant) {
    yield {
      rule: 'system-changed',
      ...placed(['tenant']),
      subject: {},
      verdict: 'ask',
      breaks: [{ who: 'iam', how: 'grants would restrict callers by a different tag' }],
      message: `the tenant attribute was ${before.tenant ?? 'not set'}, and is now ${after.tenant ?? 'not set'}`,
      fix: "explain in 'because' why every caller has the right tag",
      asks: 'because',
    };
  }
  const names = [...new Set([...Object.keys(before.procedures), ...Object.keys(after.procedures)])];
  const changed = names.filter((name) => !same(before.procedures[name], after.procedures[name]));
  for (const name of changed) {
    const isGone = after.procedures[name] === undefined;
    yield {
      rule: 'procedure-changed',
      ...placed(['procedures', name]),
      subject: { procedure: name },
      verdict: 'safe',
      breaks: isGone ? [{ who: 'callers', how: `code that calls ${name} no longer compiles` }] : [],
      message: isGone ? `${name} is gone` : `${name} now uses ${list(after.procedures[name] ?? [])}`,
      fix: 'deploy it',
    };
  }
}

function tableRenamed(was: string, is: string): Change {
  return {
    rule: 'table-renamed',
    ...placed(['tables', is]),
    subject: { table: is, before: was },
    verdict: 'replace',
    breaks: [
      {
        who: 'items',
        how: 'a table cannot be renamed: the new table is empty, and the old table is deleted with its items or left behind',
      },
    ],
    message: `table ${was} is renamed ${is}`,
    fix: `keep the name, or copy the items into the new table with a plan`,
  };
}

function tableRemoved(name: string, added: readonly string[]): Change {
  const place = placed(['tables', name]);
  return {
    rule: 'table-removed',
    ...place,
    subject: { table: name },
    verdict: 'ask',
    breaks: [{ who: 'items', how: 'its items are deleted with it, unless the stack retains the table' }],
    message: `table ${name} is gone`,
    fix: fixForGone(place.path, answerFor('renamed', name, added)),
    asks: added.length === 0 ? 'because' : 'renamed',
  };
}
