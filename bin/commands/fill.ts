import { client } from '../../lib/azure-tables/client';
import { controlePgm, type Filled, fillIn, PeriodInvalid } from '../../lib/systems';
import { readArguments, readChoice } from './arguments';
import { CONNECTION, connect } from './azure-connection';
import { type Command, type Terminal, UsageError } from './command';

const OPTIONS = { ...CONNECTION, from: { type: 'string' }, to: { type: 'string' } } as const;

export const fill: Command = {
  usage: `${controlePgm.name} --from 2024-01 [--to 2025-06] [--azure-endpoint connection] [--format text|json]`,
  summary: 'fills in what older data of controle-pgm lacks; may be run again',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, OPTIONS);
    const format = readChoice('--format', values.format, ['text', 'json']);
    if (positionals.length !== 1 || positionals[0] !== controlePgm.name) {
      throw new UsageError(`only ${controlePgm.name} has something to fill in, got: '${positionals.join(' ')}'`);
    }
    const { from, to = new Date().toISOString().slice(0, 7) } = values;
    if (from === undefined) throw new UsageError(`since when? Give --from the month of the first log, such as 2024-01`);
    const engine = await connect(values['azure-endpoint']);
    const unreadable: string[] = [];
    const clients = Object.entries(controlePgm.tables).map(([name, table]) =>
      client(table, name, engine.send, {
        onUnknown: (_, { message }) => unreadable.push(`${name}: ${message}`),
      }),
    );
    const filled = await fillIn(
      Object.assign({}, ...clients) as Parameters<typeof fillIn>[0],
      { from, to },
      { done: (month) => terminal.status(`logs of ${month}`) },
    ).catch((error: Error) => {
      throw error instanceof PeriodInvalid ? new UsageError(error.message) : error;
    });
    terminal.status('');
    if (format === 'json') terminal.json({ ...filled, unreadable });
    else tell(terminal, filled, unreadable);
    return filled.duplicates.length + unreadable.length === 0 ? 0 : 1;
  },
};

function tell(terminal: Terminal, { guards, duplicates, logs }: Filled, unreadable: readonly string[]): void {
  terminal.line(`  e-mails that now have a row in UsersByEmail   ${guards}`);
  terminal.line(`  logs that now have a FormattedNumber          ${logs}`);
  for (const { Id, Email } of duplicates)
    terminal.line(`  ${Email} of user ${Id} also belongs to another user; change it`);
  for (const row of unreadable) terminal.line(`  left as it is: ${row}`);
}
