import { assertSound } from '../../lib/check';
import { type Change, diff as changesOf, describeChange, designOf, lockOf, verdictOf } from '../../lib/evolve';
import { lockOfTables } from '../../lib/evolve/deployed/assembly';
import { tablesOfLock } from '../../lib/evolve/plan/waves';
import { seenAt } from './against';
import { readArguments, readChoice } from './arguments';
import type { Command, Reported, Terminal } from './command';
import { costChangeOf, costChangeText } from './costs-load';
import { reportOf, summary } from './diff-report';
import { EVOLUTION, lockIn, type Subject, subjectOf, used } from './evolution';
import { annotatorOf, escaped, placesIn } from './github';

export const diff: Command = {
  usage:
    '[design or file] [--environment name] [--lock file] [--against folder|stack:name|table:name …] [--endpoint url] [--answers file] [--format text|github|markdown]',
  summary: 'compares with what is deployed; exit code 1 if a plan is needed',
  async run(args, terminal) {
    const options = {
      ...EVOLUTION,
      against: { type: 'string', multiple: true },
      endpoint: { type: 'string' },
      format: { type: 'string' },
    } as const;
    const { values, positionals } = readArguments(args, options);
    const format = readChoice('--format', values.format, ['text', 'github', 'markdown']);
    const subject = await subjectOf(positionals, values);
    const { system, environment, answers } = subject;
    assertSound(system);
    const now = lockOf(system, { environment });
    const { against } = values;
    const before =
      against === undefined
        ? lockIn(subject.lockFile)
        : lockOfTables(
            system,
            environment,
            (await seenAt(against, { ...subject, tables: tablesOfLock(now) }, values.endpoint)).tables,
          );
    if (against !== undefined) {
      terminal.note(`${against.join(', ')} contains only resources, so items and patterns are not compared`);
    }
    const changes = used(() => changesOf(before, now, answers));
    // Deployed resources contain no patterns, so the costs of the patterns' load cannot be compared.
    const costs = against === undefined ? await costChangeOf(designOf(before), system) : undefined;
    if (format === 'markdown') terminal.text(reportOf(subject, before, changes, costs));
    else PRINTERS[format](changes, subject, terminal);
    if (costs !== undefined && format === 'text') terminal.line(costChangeText(costs));
    terminal.report(
      { system: system.name, environment, verdict: verdictOf(changes), changes, ...(costs && { costs }) },
      reportedIn(changes, subject),
    );
    return verdictOf(changes) === 'safe' ? 0 : 1;
  },
};

const STYLES = { safe: 'green', plan: 'yellow', ask: 'yellow', replace: 'red' } as const;
const SEVERITIES = { safe: 'note', plan: 'warning', ask: 'warning', replace: 'error' } as const;
const LEVELS = { safe: 'notice', plan: 'warning', ask: 'warning', replace: 'error' } as const;

/** Converts changes to findings, each with its file and line in the source. */
export function reportedIn(changes: readonly Change[], { system, file }: Subject): readonly Reported[] {
  const placeOf = placesIn(file);
  return changes.map(({ rule: code, verdict, path, message, fix }) => ({
    ...{ code, severity: SEVERITIES[verdict], design: system.name, path },
    ...placeOf(system.name, path),
    ...{ message, fix },
  }));
}

const PRINTERS: Readonly<
  Record<'text' | 'github', (changes: readonly Change[], subject: Subject, terminal: Terminal) => void>
> = {
  text(changes, subject, terminal) {
    for (const change of changes) {
      terminal.line({ style: STYLES[change.verdict], text: change.verdict });
      terminal.text(describeChange(change));
    }
    terminal.line(summary(changes, subject));
  },
  github(changes, subject, terminal) {
    const annotate = annotatorOf(subject.file);
    for (const change of changes) {
      const { verdict, path, rule } = change;
      terminal.line(annotate(LEVELS[verdict], subject.system.name, path, rule, describeChange(change).trim()));
    }
    terminal.line(`::notice title=tablewright::${escaped(summary(changes, subject))}`);
  },
};
