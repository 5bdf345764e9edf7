import { type Swept, sweep as sweepTables } from '../../lib/azure-tables/equivalents/protocol/sweep';
import { counted } from '../../lib/design/show';
import { systemOf } from '../../lib/evolve/lock/make';
import { readArguments } from './arguments';
import { CONNECTION, connect } from './azure-connection';
import { type Command, FileError, UsageError } from './command';
import { designsNamed } from './designs';

export const sweep: Command = {
  usage: '[system or file …] [--azure-endpoint connection] [--grace minutes]',
  summary: 'cleans up expired items and interrupted writes on Azure',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, { ...CONNECTION, grace: { type: 'string' } });
    const minutes = values.grace === undefined ? undefined : Number(values.grace);
    if (minutes !== undefined && !(minutes >= 1))
      throw new UsageError(`--grace must be a number of minutes, at least 1, got: '${values.grace}'`);
    const systems = (await designsNamed(positionals)).map(systemOf).filter(({ cloud }) => cloud === 'aws');
    if (systems.length === 0)
      throw new FileError('there is no DynamoDB system to sweep on Azure; pass a system, or a file that exports one');
    const engine = await connect(values['azure-endpoint']);
    const options = minutes === undefined ? {} : { grace: minutes * 60_000 };
    const swept: Record<string, Swept> = {};
    for (const system of systems) {
      swept[system.name] = await sweepTables(system, engine.send, options);
      terminal.line(`${system.name}: ${sentence(swept[system.name] as Swept)}`);
    }
    terminal.report({ account: engine.name, swept });
    return 0;
  },
};

function sentence({ expired, transactions, outboxes, traces }: Swept): string {
  return [
    `${counted(expired, 'expired item')} deleted`,
    `${counted(transactions, 'transaction')} ended`,
    `index rows of ${counted(outboxes, 'item')} updated`,
    `${counted(traces, 'old trace')} removed`,
  ].join(', ');
}
