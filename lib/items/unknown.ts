import { assertPolicy } from './calls';
import type { Item, ItemError } from './item';
import type { Seen } from './observe';
import type { UnknownPolicy } from './result';

interface Listeners {
  readonly onUnknown?: UnknownPolicy;
  readonly observe?: unknown;
}

/**
 * Returns a call's policy for items that the design does not know: the call's own policy or, without one, the client's.
 */
export type Reporting = (seen: Seen, own?: UnknownPolicy) => UnknownPolicy;

/** Reports unknown items to `onUnknown` and the observer; without either, prints a warning. */
export function reporting({ onUnknown, observe }: Listeners): Reporting {
  assertPolicy(onUnknown);
  return (seen, own = onUnknown) => {
    if (own === 'throw') return own;
    return (item: Item, reason: ItemError) => {
      seen.unknown ??= [];
      seen.unknown.push(reason);
      if (own !== undefined) own(item, reason);
      else if (observe === undefined) console.warn(`an item was left out: ${reason.message}`);
    };
  };
}
