import { existsSync } from 'node:fs';
import { counted } from '../../lib/design/show';
import { describeChange, diff, lockAfter, lockOf, verdictOf, withEdits } from '../../lib/evolve';

import { readArguments } from './arguments';
import { type Command, FileError, type Terminal, UsageError } from './command';
import { deployedIn, EVOLUTION, lockIn, planIn, type Subject, subjectOf, used, writeData } from './evolution';
import { assertFolder } from './output';

export const record: Command = {
  usage:
    '[design or file] [--environment name] [--lock file] [--assembly folder] [--answers file] [--plan file --step name]',
  summary: 'records what is deployed of a system, as a lock to commit',
  async run(args, terminal) {
    const options = {
      ...EVOLUTION,
      assembly: { type: 'string' },
      plan: { type: 'string' },
      step: { type: 'string' },
    } as const;
    const { values, positionals } = readArguments(args, options);
    if ((values.plan === undefined) !== (values.step === undefined))
      throw new UsageError('--plan and --step go together');
    assertFolder('--lock', values.lock);
    const subject = await subjectOf(positionals, values);
    if (values.plan !== undefined) return recordStep(subject, values.plan, values.step as string, terminal);
    return recordDesign(subject, values.assembly, terminal);
  },
};

async function recordDesign(subject: Subject, assembly: string | undefined, terminal: Terminal): Promise<number> {
  const { system, environment, lockFile, answers } = subject;
  const deployed = deployedIn(assembly, subject);
  const before = existsSync(lockFile) ? lockIn(lockFile) : undefined;
  if (before?.progress !== undefined) {
    throw new FileError(
      `a plan is under way (step '${before.progress.step}' is done): record its next step with --plan and --step`,
    );
  }
  const after = lockOf(system, { environment, deployed, ...(before && { after: before }) });
  const changes = before === undefined ? [] : used(() => diff(before, after, answers));
  if (verdictOf(changes) !== 'safe') {
    const stopped = changes.filter(({ verdict }) => verdict !== 'safe');
    terminal.line(`'${lockFile}' stays as it is, because these changes cannot have been deployed directly`);
    for (const change of stopped) terminal.text(describeChange(change));
    return 1;
  }
  await writeData(lockFile, after);
  const tables = counted(Object.keys(after.tables).length, 'table');
  terminal.line(`${lockFile}: ${system.name} in ${environment}, ${tables}; commit it`);
  return 0;
}

async function recordStep(
  { system, lockFile }: Subject,
  planFile: string,
  step: string,
  terminal: Terminal,
): Promise<number> {
  const plan = planIn(planFile);
  const lock = lockIn(lockFile);
  const after = used(() => lockAfter(plan, lock, step, withEdits(system, plan.edits)));
  await writeData(lockFile, after);
  const next = plan.phases[plan.phases.findIndex((phase) => phase.step === step) + 1];
  terminal.line(
    next === undefined
      ? `${lockFile}: the plan is finished; delete it, and remove it from the construct`
      : `${lockFile}: step ${step} is done; next is ${next.step}`,
  );
  return 0;
}
