import { existsSync } from 'node:fs';
import { describeEdit, type Plan, planFor } from '../../lib/evolve';
import { assertSame } from '../../lib/evolve/diff/diff';
import { readArguments, readChoice } from './arguments';
import { columns } from './columns';
import { type Command, FileError, type Terminal } from './command';
import { deployedIn, EVOLUTION, lockIn, planFileOf, planIn, subjectOf, used, writeData } from './evolution';
import { assertFolder } from './output';

export const plan: Command = {
  usage:
    '[design or file] [--environment name] [--lock file] [--assembly folder] [--answers file] [--output file] [--format text|json]',
  summary: 'writes the phases that lead from what is deployed to a design',
  async run(args, terminal) {
    const options = {
      ...EVOLUTION,
      assembly: { type: 'string' },
      output: { type: 'string' },
      format: { type: 'string' },
    } as const;
    const { values, positionals } = readArguments(args, options);
    const format = readChoice('--format', values.format, ['text', 'json']);
    assertFolder('--output', values.output);
    const subject = await subjectOf(positionals, values);
    const { system, environment, lockFile, answers } = subject;
    const lock = lockIn(lockFile);
    used(() => assertSame(lock, system.name, environment));
    const file = values.output ?? planFileOf(system.name, environment);
    // A plan that is under way must not be lost.
    if (existsSync(file) && lock.progress?.plan === planIn(file).hash) {
      throw new FileError(`'${file}' is under way (step '${lock.progress.step}' is done): finish it first`);
    }
    const made = planFor(lock, system, answers, deployedIn(values.assembly, subject));
    await writeData(file, made);
    if (format === 'json') terminal.json(made);
    else print(made, file, terminal);
    return 0;
  },
};

/** Prints a line for each phase; everything else is in the file. */
function print({ system, environment, edits, phases }: Plan, file: string, terminal: Terminal): void {
  terminal.line(`${system} (${environment}): ${phases.length} phases`);
  for (const edit of edits) terminal.line(describeEdit(edit));
  const rows = phases.map(({ step, wave, runs, until, rollback }) => {
    const actions = wave.map(
      ({ action, name, table }) => `${action} ${name === undefined ? table : `${name} of ${table}`}`,
    );
    const back = rollback.possible ? '' : ' (no way back)';
    return [`  ${step}`, actions.length === 0 ? `${runs}${back}` : `${actions.join(', ')}${back}; until ${until}`];
  });
  for (const row of columns(rows)) terminal.line(row);
  const reasons = new Set(
    phases.flatMap(({ because = {} }) => Object.entries(because).map(([path, why]) => `${path}: ${why}`)),
  );
  for (const reason of reasons) terminal.line(`  because ${reason}`);
  terminal.line(`${file}: review and commit it`);
}
