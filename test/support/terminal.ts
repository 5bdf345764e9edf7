import type { Terminal } from '../../bin/commands/command';
import { terminalOn } from '../../bin/commands/terminal';

export interface Shape {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Returns a terminal, or a stream if `shape` has no `isTTY`, with functions that return what was written to it. */
export function terminalOf(shape: Shape = {}, env: Readonly<Record<string, string>> = {}) {
  let output = '';
  let errors = '';
  const streamTo = (add: (chunk: string) => void) =>
    ({ ...shape, on: () => undefined, write: add }) as unknown as NodeJS.WriteStream;
  const terminal: Terminal = terminalOn({
    output: streamTo((chunk) => {
      output += chunk;
    }),
    errors: streamTo((chunk) => {
      errors += chunk;
    }),
    env,
  });
  return { terminal, output: () => output, errors: () => errors };
}
