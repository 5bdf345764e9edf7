import type { IndexBlueprint, KeyAttribute, KeyBlueprint } from '../../lib/blueprint/table';
import { readAssembly } from '../../lib/dynamodb/template/assembly';
import { type TemplateTable, tablesIn } from '../../lib/dynamodb/template/tables';
import { readArguments } from './arguments';
import type { Command } from './command';
import { readProject } from './config';
import { columns } from './printable';

export const tables: Command = {
  usage: '[folder]',
  summary: "lists the tables in the templates that 'cdk synth' wrote",
  async run(args, terminal) {
    const { positionals } = readArguments(args, {});
    const stacks = readAssembly(positionals[0] ?? (await readProject())?.assembly ?? 'cdk.out').map(
      ({ name, template }) => ({
        name,
        tables: tablesIn(template),
      }),
    );
    terminal.report({ stacks });
    for (const stack of stacks) {
      terminal.line(stack.name);
      for (const row of columns(stack.tables.flatMap(rowsOf))) terminal.line(`  ${row}`);
      terminal.line('');
    }
    const made = stacks.flatMap((stack) => stack.tables);
    const indexes = made.flatMap((table) => table.indexes);
    const local = indexes.filter((index) => index.local).length;
    const counted = `${stacks.length} stacks, ${made.length} tables, ${indexes.length - local} global secondary indexes`;
    terminal.line(local === 0 ? counted : `${counted}, ${local} local secondary indexes`);
    return 0;
  },
};

function rowsOf(table: TemplateTable): readonly string[][] {
  return [[table.name ?? table.logicalId, showKey(table.key), settingsOf(table)], ...table.indexes.map(indexRow)];
}

function indexRow(index: IndexBlueprint): string[] {
  const { projection, local } = index;
  const shown = typeof projection === 'string' ? projection : projection.join(', ');
  return [`  ${index.name}`, showKey(index), local ? `${shown} · local` : shown];
}

function settingsOf(table: TemplateTable): string {
  return [
    table.billing,
    table.recoveryPeriodInDays === 0 ? 'no point-in-time recovery' : `${table.recoveryPeriodInDays} days of recovery`,
    `${table.encryption} key`,
    ...(table.deletionProtection ? ['protected'] : []),
    ...(table.ttl === undefined ? [] : [`TTL on ${table.ttl}`]),
  ].join(' · ');
}

function showKey({ partitionBy, sortBy }: KeyBlueprint): string {
  const side = (by: readonly KeyAttribute[]) =>
    by.map(({ name, type }) => (type === 'string' ? name : `${name} (${type})`)).join(' + ');
  return [partitionBy, sortBy]
    .filter((by) => by.length > 0)
    .map(side)
    .join(', ');
}
