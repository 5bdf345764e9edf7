import type { SystemView } from './view';

/**
 * Sorts the fields of a value at every depth: first the names from the design, in the design's order, then all others
 * alphabetically.
 */
export type Order = (value: unknown) => unknown;

/** Returns the order of names for a system. Results need it, because engines return attributes in no fixed order. */
export function orderOf({ tables }: Pick<SystemView, 'tables'>): Order {
  const designed = tables.flatMap(({ entities, places }) => [
    ...entities.flatMap(({ attributes }) => attributes.map(({ name }) => name)),
    ...places.flatMap(({ partition, sort }) => [...partition, ...sort]),
  ]);
  const ranks = new Map([...new Set(['items', 'cursor', ...designed])].map((name, rank) => [name, rank]));
  const rank = (name: string) => ranks.get(name) ?? ranks.size;
  const order: Order = (value) => {
    if (Array.isArray(value)) return value.map(order);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([name, field]) => [name, order(field)]));
  };
  return order;
}
