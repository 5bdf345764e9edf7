#!/usr/bin/env node
import { envelopeTerminal } from './commands/envelope';
import { run } from './commands/run';
import { exitCodeOf, standardTerminal, tell, wantsJson, withoutJson } from './commands/standard';

const terminal = standardTerminal(process);
const args = process.argv.slice(2);
/** Reports an error that was thrown outside the command, for example in the user's own module. */
const complain = (error: unknown) => {
  if (wantsJson(args)) envelopeTerminal(terminal, withoutJson(args)[0] ?? 'help').end(exitCodeOf(error), error);
  else tell(terminal, error, 'tablewright: ');
};
let isDone = false;
process.once('exit', (code) => {
  terminal.status('');
  // A command that did not finish must not look like a check without findings.
  if (isDone || code !== 0) return;
  complain(new Error(UNFINISHED));
  process.exitCode = 1;
});
process.once('uncaughtException', (error) => {
  complain(error);
  process.exit(exitCodeOf(error));
});

const UNFINISHED = 'the command ended too early: a module that it loaded exited the process, or never finished loading';

run(args, terminal).then(async (code) => {
  isDone = true;
  process.exitCode = code;
  for (const stream of [process.stdout, process.stderr]) await flushed(stream);
  // The user's module may have left a resource open, such as a connection, and that would keep the process alive
  // forever.
  process.exit();
});

async function flushed(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableLength === 0) return;
  return new Promise((resolve) => stream.write('', () => resolve()));
}
