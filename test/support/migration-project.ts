import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SystemDesign } from '../../lib/design/system';
import { type Answers, type Lock, lockAfter, lockOf, type Plan, planFor } from '../../lib/evolve';
import { canonicalFile } from '../../lib/evolve/canonical';
import { projectOf, root } from './book';

/**
 * Creates a folder like a user's, with a system in the middle of a migration from one design to another. The next step
 * of the plan migrates the items.
 * @param change the name of the change to make, if the module has several
 */
export function betweenDesigns(
  before: SystemDesign,
  after: SystemDesign,
  module: string,
  answers: Answers = {},
  change?: string,
) {
  const { folder, write } = projectOf();
  let lock: Lock = lockOf(before, { environment: 'prod' });
  const plan: Plan = planFor(lock, after, answers);
  for (const { step, kind } of plan.phases) {
    if (kind === 'backfill') break;
    lock = lockAfter(plan, lock, step, after);
  }
  mkdirSync(join(folder, 'tablewright'));
  write(`tablewright/${before.name}.prod.lock.json`, canonicalFile(lock));
  write(`tablewright/${before.name}.prod.plan.json`, canonicalFile(plan));
  write('tablewright.config.ts', `export default { designs: './designs.js' };`);
  const dist = JSON.stringify(join(root, 'dist/lib/index.js'));
  write(
    'designs.js',
    `exports.system = require(${JSON.stringify(module)})({ ...require('zod'), ...require(${dist}) }, 2, ${JSON.stringify(change)});`,
  );
  const migrate = (...args: readonly string[]): ChildProcess =>
    // With this limit, the command does not have enough memory to hold all the items that it reads.
    spawn(process.execPath, ['--max-old-space-size=48', join(root, 'dist/bin/tablewright.js'), 'migrate', ...args], {
      cwd: folder,
      // Jest copies the environment, so a child process does not inherit it automatically.
      env: { ...process.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return { folder, write, plan, lock, migrate };
}

/** Waits until a process ends. Returns its exit code, everything it printed, and its standard output. */
export async function endOf(child: ChildProcess) {
  let output = '';
  let result = '';
  child.stdout?.on('data', (data) => {
    output += data;
    result += data;
  });
  child.stderr?.on('data', (data) => {
    output += data;
  });
  const code = await new Promise<number | null>((ended) => child.once('close', ended));
  return { code, output, result };
}

/** Returns a seeded generator of pseudorandom numbers between 0 and 1. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
