import type { CommandName } from './requests';

const READS: readonly CommandName[] = ['Get', 'Query', 'Scan', 'BatchGet', 'TransactGet'];

/** Whether a command only reads. */
export function isReading(command: CommandName): boolean {
  return READS.includes(command);
}

/** The units of all tables that a request came to; none where it did not tell. */
export function unitsOf(consumed: unknown): number {
  return [consumed]
    .flat()
    .reduce<number>((sum, one) => sum + ((one as { CapacityUnits?: number } | undefined)?.CapacityUnits ?? 0), 0);
}
