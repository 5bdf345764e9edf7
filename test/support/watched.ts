import { spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** Runs a proof in its own terminal, and returns the text that a person would see. */
export function watched(command: string, system: string, columns: number, env: NodeJS.ProcessEnv = {}) {
  const prove = `stty cols ${columns}; '${process.execPath}' '${command}' prove ${system}`;
  const args = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', prove] : ['-qec', prove, '/dev/null'];
  const { NO_COLOR: _, ...rest } = process.env;
  const { status, stdout } = spawnSync('script', args, {
    encoding: 'utf8',
    env: { ...rest, TERM: 'xterm', ...env },
  });
  return { code: status, shown: stdout.replaceAll('\r\n', '\n') };
}

/** Returns the text that stays on the screen, without lines that were overwritten. */
export function left(shown: string): string {
  return stripVTControlCharacters(
    shown
      .split('\n')
      .map((line) => line.split('\r\u001b[2K').at(-1))
      .join('\n'),
  );
}
