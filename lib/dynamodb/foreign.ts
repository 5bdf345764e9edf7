import type { Item } from '../items/item';
import type { PreparedWrite } from './write';

interface Refusal extends Error {
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
}

/**
 * If a request was refused only because it deletes other owners' guards, returns the request without these deletes;
 * otherwise returns undefined. A request can contain such a delete if an item was stored without a guard for its value,
 * and the value's guard belongs to another item.
 */
export function withoutForeign(
  error: unknown,
  input: Item,
  writes: readonly PreparedWrite[],
): { readonly input: Item; readonly writes: readonly PreparedWrite[] } | undefined {
  const { name, CancellationReasons: reasons = [] } = (error ?? {}) as Refusal;
  const isFreeing = ({ unique, part }: PreparedWrite) => unique !== undefined && part === 'Delete';
  if (writes.length === 1 && name === 'ConditionalCheckFailedException')
    return writes.every(isFreeing) ? { input, writes: [] } : undefined;
  const isForeign = (i: number) => reasons[i]?.Code === 'ConditionalCheckFailed';
  const failed = writes.filter((_, i) => (reasons[i]?.Code ?? 'None') !== 'None');
  const foreign = writes.filter((_, i) => isForeign(i));
  // A failed condition is final, but a write that was throttled or met a conflict may succeed later.
  if (foreign.length === 0 || foreign.length < failed.length || !foreign.every(isFreeing)) return undefined;
  const TransactItems = (input.TransactItems as readonly Item[]).filter((_, i) => !isForeign(i));
  const token = input.ClientRequestToken as string | undefined;
  return {
    input: { ...input, TransactItems, ...(token && { ClientRequestToken: `${token.slice(0, 35)}~` }) },
    writes: writes.filter((_, i) => !isForeign(i)),
  };
}
