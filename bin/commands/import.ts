import { existsSync, statSync } from 'node:fs';
import { importTables } from '../../lib/azure-tables/backup/import';
import { counted } from '../../lib/design/show';
import { readArguments } from './arguments';
import { azureSystemNamed, CONNECTION, connect, isEquivalent } from './azure-connection';
import { assertMeant, BECAUSE } from './because';
import { type Command, FileError, UsageError } from './command';

const OPTIONS = {
  ...CONNECTION,
  on: { type: 'string' },
  resume: { type: 'boolean' },
  overwrite: { type: 'boolean' },
  ...BECAUSE,
} as const;

export const importCommand: Command = {
  usage: 'file [system or file --on azure] [--azure-endpoint connection] [--resume | --overwrite] [--because reason]',
  summary: 'restores an export into empty tables; --resume continues an import',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const [file, ...more] = positionals;
    const isOfDynamoDb = isEquivalent(values.on);
    if (file === undefined || (more.length > 0 && !isOfDynamoDb))
      throw new UsageError("pass one file written by 'backup export'");
    if (!existsSync(file)) throw new FileError(`there is no file '${file}'`);
    if (statSync(file).isDirectory())
      throw new FileError(`'${file}' is a folder; pass a file written by 'backup export'`);
    if (values.resume && values.overwrite) throw new UsageError('pass either --resume or --overwrite, not both');
    const design = isOfDynamoDb ? await azureSystemNamed(more, 'aws') : undefined;
    assertMeant(values.because, 'writes into tables that an application may be using');
    const engine = await connect(values['azure-endpoint']);
    const { header, written, kept } = await importTables(engine, file, {
      into: values.resume ? 'resume' : values.overwrite ? 'overwrite' : 'empty',
      system: design,
      progress: (done, total) => terminal.progress(`${done} of ${total} entities`),
    });
    const { system, exportedAt } = header;
    terminal.report({ system, exportedAt, account: engine.name, file, written, kept });
    const stayed = kept === 0 ? '' : `, ${kept} already existed`;
    terminal.line(
      `${system}, exported ${exportedAt}: ${counted(written, 'entity', 'entities')} written to ${engine.name}${stayed}`,
    );
    return 0;
  },
};
