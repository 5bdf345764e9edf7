import { backfillCosts } from '../../lib/costs/backfill';
import { listPrices } from '../../lib/costs/prices';
import { counted } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import {
  type Change,
  designOf,
  EvolutionError,
  type Lock,
  type Plan,
  planFor,
  verdictOf,
  withEdits,
} from '../../lib/evolve';
import { bringsRelease, releasesPicture } from '../../lib/evolve/plan/releases';
import { grantChanges } from '../../lib/permissions/changes';
import { type CostChange, costChangeText } from './costs-load';
import type { Subject } from './evolution';

/** Formats the changes to a design as a Markdown comment for a pull request. */
export function reportOf(subject: Subject, lock: Lock, changes: readonly Change[], costs?: CostChange): string {
  const plan = verdictOf(changes) === 'safe' ? undefined : planOr(subject, lock);
  return [
    `### ${summary(changes, subject)}`,
    ...(changes.length === 0 ? [] : changed(changes)),
    ...(plan === undefined ? [] : typeof plan === 'string' ? ['**No plan yet**', fenced(plan)] : planned(plan)),
    ...(costs === undefined ? [] : [`**Costs**: ${costChangeText(costs)}`]),
    ...granted(typeof plan === 'object' ? withEdits(subject.system, plan.edits) : subject.system, lock),
  ].join('\n\n');
}

/** Returns the plan, or the reason why there is none. */
function planOr({ system, answers }: Subject, lock: Lock): Plan | string {
  try {
    return planFor(lock, system, answers);
  } catch (error) {
    if (error instanceof EvolutionError) return error.message;
    throw error;
  }
}

function changed(changes: readonly Change[]): readonly string[] {
  const rows = changes.map(({ verdict, path, message, breaks }) => [
    verdict,
    code(path),
    text(message),
    breaks.map(({ who, how }) => `**${who.replace('-', ' ')}**: ${text(how)}`).join('<br>') || 'nobody',
  ]);
  return [table(['verdict', 'where', 'what changes', 'whom it breaks'], rows)];
}

function planned(plan: Plan): readonly string[] {
  const rows = plan.phases.map(({ step, wave, runs, until, rollback }, i) => [
    code(step),
    text(
      [
        ...wave.map(({ action, name, table: of }) => `${action} ${name === undefined ? of : `${name} of ${of}`}`),
        ...(wave.length === 0 || bringsRelease(plan.phases, i) ? [runs] : []),
      ].join(', '),
    ),
    text(until),
    rollback.possible ? 'yes' : '**no**',
  ]);
  return [
    `**${plan.phases.length} phases**`,
    table(['step', 'what happens', 'until', 'way back'], rows),
    'Which release runs when:',
    fenced(releasesPicture(plan).join('\n')),
    ...cost(plan),
  ];
}

function cost(plan: Plan): readonly string[] {
  const costs = backfillCosts(plan);
  if (costs.length === 0) return ['**Backfill**: no stored items change.'];
  const units = plan.cloud === 'azure' ? ['requests'] : ['read units', 'write units'];
  const rows = costs.map(({ entity, reads, writes, dollars }) => [
    code(entity),
    ...(plan.cloud === 'azure' ? [writes] : [reads, writes]).map((millions) => `${millions} million`),
    `$${dollars.toFixed(2)}`,
  ]);
  return [
    `**Backfill**: the maximum cost per million items of up to 1 KB, including indexes (${listPrices(plan.cloud)}):`,
    table(['entity', ...units, 'dollars'], rows),
  ];
}

/**
 * Describes how grants change, using the new names from a plan. Returns nothing if the lock was read from a template,
 * which contains no patterns, or if the system is on Azure, which has no IAM.
 */
function granted(system: SystemDesign, lock: Lock): readonly string[] {
  if (system.cloud !== 'aws' || Object.values(lock.tables).some(({ design }) => design === undefined)) return [];
  const found = grantChanges(designOf(lock), system);
  if (found.length === 0) return ['**IAM**: no grants change.'];
  const lines = found.flatMap(({ name, added, removed }) => [
    `# ${name}`,
    ...removed.map((line) => `- ${line}`),
    ...added.map((line) => `+ ${line}`),
  ]);
  return ['**IAM**: these grants change.', fenced(lines.join('\n'), 'diff')];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Escapes a string, so that names in it cannot become markup, mentions or links. */
function text(words: string): string {
  return words.replace(/[\\`*_[\]<>|#@]/g, (mark) => `\\${mark}`).replace(/\s+/g, ' ');
}

/** Formats a name as code, escaped so that it cannot close the code element or the table cell. */
function code(name: string): string {
  return `<code>${name.replace(/[&<>|`*_[\]@\\\s]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}

/** Returns a code block whose fence is longer than any run of backticks in the code. */
function fenced(content: string, language = ''): string {
  const longest = Math.max(2, ...(content.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${content}\n${fence}`;
}

/** Summarizes the verdicts on all changes in one line. */
export function summary(changes: readonly Change[], { system: { name }, environment }: Subject): string {
  const verdict = verdictOf(changes);
  const what = {
    safe: changes.length === 0 ? 'nothing differs from what is deployed' : 'deployable without a plan',
    plan: 'a plan is needed: npx tablewright plan',
    ask: 'answers are needed: --answers file',
    replace: 'a table would be replaced; this needs a plan, with reasons in the --answers file',
  }[verdict];
  return `${name} (${environment}): ${counted(changes.length, 'change')}; ${what}`;
}
