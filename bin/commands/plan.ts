import { existsSync } from 'node:fs';
import { assertSound } from '../../lib/check';
import { counted } from '../../lib/design/show';
import { describeEdit, type Lock, type Plan, planFor } from '../../lib/evolve';
import { assertSame } from '../../lib/evolve/lock/read';
import { START, wayBack } from '../../lib/evolve/plan/progress';
import { bringsRelease } from '../../lib/evolve/plan/releases';
import { readArguments } from './arguments';
import { type Command, FileError, type Reported, type Terminal } from './command';
import { EVOLUTION, lockIn, planFileOf, planIn, subjectOf, used } from './evolution';
import { deployedIn, writeData } from './evolution-files';
import { assertFolder } from './output';
import type { PlanProof } from './plan-proof';
import { columns } from './printable';

export const plan: Command = {
  usage:
    '[design or file] [--environment name] [--lock file] [--assembly folder] [--answers file] [--output file] [--down]',
  summary: 'writes the plan that leads to a design; exit code 1 if unproved',
  async run(args, terminal) {
    const options = {
      ...EVOLUTION,
      assembly: { type: 'string' },
      output: { type: 'string' },
      down: { type: 'boolean' },
    } as const;
    const { values, positionals } = readArguments(args, options);
    assertFolder('--output', values.output);
    const subject = await subjectOf(positionals, values);
    const { system, environment, lockFile, answers } = subject;
    assertSound(system);
    const lock = lockIn(lockFile);
    used(() => assertSame(lock, system.name, environment));
    const file = values.output ?? planFileOf(system.name, environment);
    if (values.down) return down(existsSync(file) ? planIn(file) : undefined, lock, file, terminal);
    // A new plan must not replace a plan that is under way.
    if (lock.progress !== undefined) {
      throw new FileError(
        `the plan '${file}' is under way (step '${lock.progress.step}' is done); finish it first, or undo it: npx tablewright plan --down`,
      );
    }
    const made = planFor(lock, system, answers, deployedIn(values.assembly, subject));
    const { proofOf } = await import('./plan-proof');
    const proof = await proofOf(made, subject, lock, terminal);
    await writeData(file, made);
    print(made, file, proof, terminal);
    terminal.report({ file, plan: made, proof }, reportedIn(proof));
    return proof.proved ? 0 : 1;
  },
};

/** Shows how to undo the finished steps, beginning with the last one. */
function down(plan: Plan | undefined, lock: Lock, file: string, terminal: Terminal): number {
  if (plan === undefined)
    throw new FileError(`there is no plan '${file}' to undo; if the plan is in another file, pass it: --output <file>`);
  const steps = wayBack(plan, lock);
  terminal.report({ file, steps: steps.map(({ step, rollback }) => ({ step, how: rollback.how })) });
  terminal.line(`${plan.system} (${plan.environment}): ${counted(steps.length, 'step')} to undo`);
  for (const row of columns(steps.map(({ step, rollback }) => [`  ${step}`, rollback.how]))) terminal.line(row);
  terminal.line(
    `then, before you revert the design: npx tablewright record --plan ${file} --step ${START} --against cdk.out`,
  );
  return 0;
}

/** Prints one line per phase; the details are in the plan file. */
function print({ system, environment, edits, phases }: Plan, file: string, proof: PlanProof, terminal: Terminal): void {
  terminal.line(`${system} (${environment}): ${counted(phases.length, 'phase')}`);
  for (const edit of edits) terminal.line(describeEdit(edit));
  const rows = phases.map(({ step, wave, runs, until, rollback }, i) => {
    const actions = wave.map(
      ({ action, name, table }) => `${action} ${name === undefined ? table : `${name} of ${table}`}`,
    );
    const back = rollback.possible ? '' : ' (no way back)';
    const shown = [
      ...(actions.length === 0 || bringsRelease(phases, i) ? [runs] : []),
      ...(actions.length === 0 ? [] : [actions.join(', ')]),
    ];
    return [`  ${step}`, `${shown.join('; ')}${back}${actions.length === 0 ? '' : `; until ${until}`}`];
  });
  for (const row of columns(rows)) terminal.line(row);
  const causes = new Set(
    phases.flatMap(({ because = {} }) => Object.entries(because).map(([path, why]) => `${path}: ${why}`)),
  );
  for (const cause of causes) terminal.line(`  because ${cause}`);
  printProof(proof, file, terminal);
  terminal.line(`${file}: review and commit this plan`);
}

/** Returns a finding for each part of the plan that is not proved. */
function reportedIn({ first, unproved = {} }: PlanProof): readonly Reported[] {
  const open = Object.entries(unproved).map(([what, why]) => `${what}: ${why}`);
  return [...(first === undefined ? [] : [`first ${first}`]), ...open].map((message) => ({
    ...{ code: 'not-proved', severity: 'error', message },
  }));
}

function printProof({ proved, first, unproved = {} }: PlanProof, file: string, terminal: Terminal): void {
  const again = `npx tablewright prove --plan ${file}`;
  if (proved) terminal.line('proved: no phase loses or hides data, or breaks a release');
  if (first !== undefined) terminal.line(`NOT PROVED: first ${first}; then: ${again}`);
  for (const why of new Set(Object.values(unproved))) {
    const named = Object.keys(unproved).filter((name) => unproved[name] === why);
    terminal.line(`NOT PROVED ${named.join(', ')}: ${why}; then: ${again}`);
  }
}
