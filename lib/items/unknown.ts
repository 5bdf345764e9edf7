import { assertPolicy } from './calls';
import type { Item, ItemError } from './item';
import type { Seen } from './observe';
import type { UnknownPolicy } from './result';

interface Listeners {
  readonly onUnknown?: UnknownPolicy;
  readonly observe?: unknown;
}

/**
 * Chooses a call's policy for items that the design does not know: the call's own policy or, without one, the client's
 * policy.
 */
export type Reporting = (seen: Seen, own?: UnknownPolicy) => UnknownPolicy;

/**
 * Reports items that the design does not know to `onUnknown` and the observer, or prints a warning if neither exists.
 */
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
