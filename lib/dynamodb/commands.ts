import type { CommandName } from './requests';

const READS: readonly CommandName[] = ['Get', 'Query', 'Scan', 'BatchGet', 'TransactGet'];

/** Whether a command only reads. */
export function isReading(command: CommandName): boolean {
  return READS.includes(command);
}

/**
 * Returns the capacity units that a request consumed in all tables, or undefined if the output does not report
 * capacity.
 */
export function capacityOf(consumed: unknown): number | undefined {
  const units = [consumed].flat().map((table) => (table as { CapacityUnits?: number } | undefined)?.CapacityUnits);
  if (units.every((consumedUnits) => consumedUnits === undefined)) return undefined;
  return units.reduce<number>((sum, more) => sum + (more ?? 0), 0);
}

/** Like `capacityOf`, but returns 0 if the output does not report capacity. */
export function unitsOf(consumed: unknown): number {
  return capacityOf(consumed) ?? 0;
}
