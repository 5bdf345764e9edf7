import { exportTables } from '../../lib/azure-tables/backup/export';
import { counted } from '../../lib/design/show';
import { SIGNALS } from '../../lib/engine/process';
import { readArguments } from './arguments';
import { azureSystemNamed, CONNECTION, connect, isEquivalent } from './azure-connection';
import { type Command, UsageError } from './command';

export const exportCommand: Command = {
  usage: '[system or file] --output file [--on azure] [--azure-endpoint connection]',
  summary: 'writes the tables of an Azure system to a file, as JSON Lines',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, {
      ...CONNECTION,
      output: { type: 'string' },
      on: { type: 'string' },
    });
    const system = await azureSystemNamed(positionals, isEquivalent(values.on) ? 'aws' : 'azure');
    const { output } = values;
    if (output === undefined || output === '')
      throw new UsageError('there is no file to write to; pass --output <file>');
    const engine = await connect(values['azure-endpoint']);
    // Exits normally on a signal: the unfinished file is removed on exit, but would remain if the signal killed the
    // process.
    for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code));
    const { entities, sha256 } = await exportTables(engine, system, output, {
      progress: (table, count) => terminal.progress(`${table}: ${count} entities`),
    });
    terminal.report({ system: system.name, account: engine.name, file: output, entities, sha256 });
    for (const [table, count] of Object.entries(entities)) terminal.line(`  ${table.padEnd(20)} ${count}`);
    const total = Object.values(entities).reduce((sum, count) => sum + count, 0);
    terminal.line(`${counted(total, 'entity', 'entities')} from ${engine.name} written to ${output}`);
    return 0;
  },
};
