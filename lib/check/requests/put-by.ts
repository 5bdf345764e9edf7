import { ownOf } from '../../blueprint/outline';
import { blueprint, type EntityBlueprint, entityNamed } from '../../blueprint/table';
import type { TransactionPattern } from '../../design/pattern';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

/**
 * Returns the entity that a transaction step puts, in the given table or another table of the system; undefined if the
 * step is not a put.
 */
export function putBy(
  { system, ...table }: TableUnderCheck,
  { pattern }: PatternAccess,
  { steps, across = {} }: TransactionPattern,
  name: string,
): EntityBlueprint | undefined {
  const own = ownOf(steps, name);
  if (own !== undefined) return own.op === 'put' ? entityNamed(table, own.entity) : undefined;
  const other = system?.tables[ownOf(across, name) ?? ''];
  const whole = system?.patterns?.[pattern];
  const step = whole?.op === 'transaction' ? ownOf(whole.steps, name) : undefined;
  return other !== undefined && step?.op === 'put' ? entityNamed(blueprint(other), step.entity) : undefined;
}
