import type { Item, ItemError } from './item';
import type { Seen } from './observe';
import type { UnknownPolicy } from './result';

interface Listeners {
  readonly onUnknown?: UnknownPolicy;
  readonly observe?: unknown;
}

/** Reports items that the design does not know to `onUnknown` and the observer; without either, as a warning. */
export function reporting({ onUnknown, observe }: Listeners): (seen: Seen) => UnknownPolicy {
  if (onUnknown === 'throw') return () => onUnknown;
  return (seen) => (item: Item, reason: ItemError) => {
    seen.unknown ??= [];
    seen.unknown.push(reason);
    if (onUnknown !== undefined) onUnknown(item, reason);
    else if (observe === undefined) console.warn(`an item was left out: ${reason.message}`);
  };
}
