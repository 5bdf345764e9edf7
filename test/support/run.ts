import { spawnSync } from 'node:child_process';

/** The outcome of a command. `run` does not throw if the command fails, so that a test can show all of the output. */
export interface Run {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command in a folder, and waits until it ends. */
export function run(folder: string, command: string, ...args: readonly string[]): Run {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CDK_VALIDATION: 'false', NO_COLOR: '1' },
  });
  if (error !== undefined) throw error;
  return { code: status, output: `${stdout}${stderr}`.trim() };
}
