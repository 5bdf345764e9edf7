#!/usr/bin/env node
import { run } from './commands/run';
import { exitCodeOf, standardTerminal, tell } from './commands/standard';

const terminal = standardTerminal(process);
process.once('exit', () => terminal.status(''));
// What is thrown outside of the command, as by a module of the user's own, is told in the same way.
process.once('uncaughtException', (error) => {
  tell(terminal, error, 'tablewright: ');
  process.exit(exitCodeOf(error));
});

run(process.argv.slice(2), terminal).then((code) => {
  process.exitCode = code;
});
