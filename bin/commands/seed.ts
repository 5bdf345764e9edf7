import { client } from '../../lib/azure-tables/client';
import { controlePgm, seedDocumentTypes } from '../../lib/systems';
import { readArguments, readChoice } from './arguments';
import { CONNECTION, connect } from './azure-connection';
import { type Command, UsageError } from './command';

export const seed: Command = {
  usage: `${controlePgm.name} [--azure-endpoint connection] [--format text|json]`,
  summary: 'adds the document types a new controle-pgm starts with',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, CONNECTION);
    const format = readChoice('--format', values.format, ['text', 'json']);
    if (positionals.length !== 1 || positionals[0] !== controlePgm.name) {
      throw new UsageError(`only ${controlePgm.name} has something to seed, got: '${positionals.join(' ')}'`);
    }
    const engine = await connect(values['azure-endpoint']);
    const documentTypes = client(controlePgm.tables.DocumentTypes, 'DocumentTypes', engine.send);
    const seeded = await seedDocumentTypes(documentTypes);
    if (format === 'json') terminal.json(seeded);
    else
      for (const { Name, added } of seeded) {
        terminal.line(`  ${Name.padEnd(20)} ${added ? 'added' : 'already exists'}`);
      }
    return 0;
  },
};
