#!/usr/bin/env node
import { run } from './commands/run';
import { exitCodeOf, standardTerminal, tell } from './commands/standard';

const terminal = standardTerminal(process);
let isDone = false;
process.once('exit', (code) => {
  terminal.status('');
  // A command that did not finish must not pass for a check without findings.
  if (isDone || code !== 0) return;
  tell(terminal, new Error(UNFINISHED), 'tablewright: ');
  process.exitCode = 1;
});
// An error from outside the command, such as from the user's own module, is reported in the same way.
process.once('uncaughtException', (error) => {
  tell(terminal, error, 'tablewright: ');
  process.exit(exitCodeOf(error));
});

const UNFINISHED = 'it ended too early: a module it loaded ends the process, or waits forever';

run(process.argv.slice(2), terminal).then(async (code) => {
  isDone = true;
  process.exitCode = code;
  for (const stream of [process.stdout, process.stderr]) await flushed(stream);
  // The user's own module may have left something open, such as a connection, that would keep the process alive forever.
  process.exit();
});

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return;
  return new Promise((resolve) => stream.write('', () => resolve()));
}
