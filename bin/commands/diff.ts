import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { counted } from '../../lib/design/show';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import { type Change, diff as changesOf, describeChange, type Lock, lockOf, verdictOf } from '../../lib/evolve';
import { lockOfResources, resourcesIn } from '../../lib/evolve/deployed/assembly';
import { readArguments, readChoice } from './arguments';
import { type Command, FileError, type Terminal } from './command';
import { EVOLUTION, lockIn, type Subject, subjectOf, used } from './evolution';
import { escaped, property } from './github';

export const diff: Command = {
  usage:
    '[design or file] [--environment name] [--lock file] [--against folder|stack:name] [--answers file] [--format text|json|github]',
  summary: 'what changed since the last deployment; exit code 1: plan it',
  async run(args, terminal) {
    const options = { ...EVOLUTION, against: { type: 'string' }, format: { type: 'string' } } as const;
    const { values, positionals } = readArguments(args, options);
    const format = readChoice('--format', values.format, ['text', 'json', 'github']);
    const subject = await subjectOf(positionals, values);
    const { system, environment, answers } = subject;
    const before = values.against === undefined ? lockIn(subject.lockFile) : await deployedAt(values.against, subject);
    if (values.against !== undefined) {
      terminal.note(`${values.against} knows only resources: items and patterns are not compared`);
    }
    const changes = used(() => changesOf(before, lockOf(system, { environment }), answers));
    PRINTERS[format](changes, subject, terminal);
    return verdictOf(changes) === 'safe' ? 0 : 1;
  },
};

/** What is deployed, according to an assembly or a stack. */
async function deployedAt(against: string, { system, environment }: Subject): Promise<Lock> {
  const [, stack] = /^stack:(.+)$/.exec(against) ?? [];
  if (stack !== undefined) {
    const { resourcesOfStack } = await import('../../lib/evolve/deployed/stack');
    const resources = await resourcesOfStack(system, stack).catch((error: unknown) =>
      used((): never => {
        throw error;
      }),
    );
    return lockOfResources(system, environment, resources);
  }
  if (!existsSync(against)) {
    throw new FileError(
      `--against must be a folder that 'cdk synth' wrote, or stack:<name>; there is no folder '${against}'`,
    );
  }
  return used(() => lockOfResources(system, environment, resourcesIn(system, readAssembly(against), environment)));
}

const STYLES = { safe: 'green', plan: 'yellow', ask: 'yellow', replace: 'red' } as const;
const LEVELS = { safe: 'notice', plan: 'warning', ask: 'warning', replace: 'error' } as const;

const PRINTERS: Readonly<
  Record<'text' | 'json' | 'github', (changes: readonly Change[], subject: Subject, terminal: Terminal) => void>
> = {
  text(changes, subject, terminal) {
    for (const change of changes) {
      terminal.line({ style: STYLES[change.verdict], text: change.verdict });
      terminal.text(describeChange(change));
    }
    terminal.line(summary(changes, subject));
  },
  json(changes, { system, environment }, terminal) {
    terminal.json({ system: system.name, environment, verdict: verdictOf(changes), changes });
  },
  github(changes, subject, terminal) {
    const place = subject.file === undefined ? '' : `file=${property(relative('.', subject.file))},line=1,`;
    for (const change of changes) {
      const text = escaped(describeChange(change).trim());
      terminal.line(`::${LEVELS[change.verdict]} ${place}title=${property(change.rule)}::${text}`);
    }
    terminal.line(`::notice title=tablewright::${escaped(summary(changes, subject))}`);
  },
};

function summary(changes: readonly Change[], { system: { name }, environment }: Subject): string {
  const verdict = verdictOf(changes);
  const what = {
    safe: changes.length === 0 ? 'nothing differs from what is deployed' : 'deployable as it is',
    plan: 'a plan is needed: tablewright plan',
    ask: 'answers are needed: --answers file',
    replace: 'a table would be replaced: a plan is needed, and reasons (--answers file)',
  }[verdict];
  return `${name} (${environment}): ${counted(changes.length, 'change')}; ${what}`;
}
