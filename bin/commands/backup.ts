import { suggestion } from '../../lib/design/names';
import { type Command, UsageError } from './command';
import { exportCommand } from './export';
import { importCommand } from './import';

const COMMANDS: Readonly<Record<string, Command>> = { export: exportCommand, import: importCommand };

/** Backs up Azure Tables, which has no built-in backup. */
export const backup: Command = {
  usage:
    'export [system or file] --output file | import file [system or file] [--resume | --overwrite] [--because reason]; each with [--on azure] [--azure-endpoint connection]',
  summary: 'writes the tables of an Azure system to a file, or restores them',
  run([verb, ...args], terminal) {
    const command = verb !== undefined && Object.hasOwn(COMMANDS, verb) ? COMMANDS[verb] : undefined;
    if (command !== undefined) return command.run(args, terminal);
    throw new UsageError(
      verb === undefined
        ? 'choose an action: backup export, or backup import'
        : `'${verb}' is not an action of backup; ${suggestion(verb, Object.keys(COMMANDS))}`,
    );
  },
};
