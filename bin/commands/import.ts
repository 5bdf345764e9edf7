import { existsSync } from 'node:fs';
import { importTables } from '../../lib/azure-tables/backup/import';
import { readArguments } from './arguments';
import { CONNECTION, connect } from './azure-connection';
import { type Command, UsageError } from './command';

const OPTIONS = { ...CONNECTION, resume: { type: 'boolean' }, overwrite: { type: 'boolean' } } as const;

export const importCommand: Command = {
  usage: 'file [--azure-endpoint connection] [--resume | --overwrite]',
  summary: 'restores a file that export wrote, into empty tables, or into what an import left (--resume)',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new UsageError('name one file that export wrote');
    if (!existsSync(file)) throw new UsageError(`there is no file '${file}'`);
    if (values.resume && values.overwrite) throw new UsageError('say --resume or --overwrite, not both');
    const engine = await connect(values['azure-endpoint']);
    const { header, written, kept } = await importTables(engine, file, {
      into: values.resume ? 'resume' : values.overwrite ? 'overwrite' : 'empty',
      progress: (done, total) => terminal.status?.(`  ${done} of ${total} entities`),
    });
    const stayed = kept === 0 ? '' : `, ${kept} were there already`;
    terminal.line(
      `${header.system}, exported ${header.exportedAt}: ${written} entities written to ${engine.name}${stayed}`,
    );
    return 0;
  },
};
