import { type Comparison, comparisonOf } from '../../lib/costs/equivalents';
import type { Prices } from '../../lib/costs/prices';
import type { Terminal } from './command';
import type { Named } from './costs-load';
import { columns } from './printable';

/** The costs of a DynamoDB system's patterns on Azure Tables, compared with their costs on DynamoDB. */
export interface ComparedSystem extends Comparison {
  readonly system: string;
}

/**
 * Compares what each DynamoDB system costs on DynamoDB and on Azure Tables. If a load is given, compares only the
 * systems in this load.
 */
export function comparedOf({ systems, loads }: Named, prices: Prices): readonly ComparedSystem[] {
  return systems
    .map((system) => ({ system: system.name, ...comparisonOf(system, loads, prices) }))
    .filter(({ patterns }) => patterns.length > 0);
}

export function printCompared({ system, patterns, total }: ComparedSystem, terminal: Terminal): void {
  const dollars = (amount: number) => `$${amount.toFixed(total === undefined ? 3 : 2)}`;
  terminal.line(
    total === undefined
      ? `${system}: the cost of a million calls to each pattern on Azure Tables, and on DynamoDB on demand`
      : `${system}: its load costs ${dollars(total.azure)} a month on Azure Tables, ${dollars(total.dynamodb)} on DynamoDB on demand`,
  );
  const rows = patterns.map((one) => [dollars(one.azure), dollars(one.dynamodb), one.pattern, String(one.requests)]);
  for (const row of columns([['Azure', 'DynamoDB', 'pattern', 'requests per call'], ...rows]))
    terminal.line(`  ${row}`);
  terminal.line('');
}
