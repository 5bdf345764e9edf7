import { type Portability, portability as reportOf, sentenceOf } from '../../lib/azure-tables/equivalents/portability';
import { counted } from '../../lib/design/show';
import { systemOf } from '../../lib/evolve/lock/make';
import { readArguments } from './arguments';
import type { Command, Terminal } from './command';
import { DEMO, designsNamed } from './designs';

export const portability: Command = {
  usage: '[design or file …] [--demo]',
  summary: 'shows how a design maps to Azure Tables, and what differs there',
  async run(args, terminal) {
    const { values, positionals } = readArguments(args, DEMO);
    const reports = (await designsNamed(positionals, values.demo)).map((design) => reportOf(systemOf(design)));
    for (const report of reports) print(report, terminal);
    terminal.report({ systems: reports });
    return 0;
  },
};

function print({ system, cloud, tables, lines }: Portability, terminal: Terminal): void {
  if (cloud === 'azure') {
    terminal.line(`${system}: designed for Azure Tables, with ${counted(tables.length, 'table')}`);
    return;
  }
  terminal.line(`${system}: ${counted(tables.length, 'table')} on Azure, ${counted(lines.length, 'difference')}`);
  for (const { name, table, index, isMirror, partition, row } of tables) {
    const names = (attributes: typeof row) => attributes.map((attribute) => attribute.name).join(' + ');
    const place = [table, ...(index === undefined ? [] : [`index ${index}`]), ...(isMirror ? ['descending'] : [])].join(
      ', ',
    );
    terminal.line(`  ${name} (${place}): PartitionKey ${names(partition)}, RowKey ${names(row) || "'-'"}`);
  }
  for (const line of lines) {
    terminal.line(`  ${sentenceOf(line)}`);
    terminal.line(`    ${line.fix}`);
  }
}
