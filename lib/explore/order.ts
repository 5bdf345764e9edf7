import type { SystemView } from './view';

/** Puts the names of a value, at any depth, into one order: as the design has them, and then by the alphabet. */
export type Order = (value: unknown) => unknown;

/** Engines return attributes in any order, and the next time in another. */
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
    return Object.fromEntries(entries.map(([name, one]) => [name, order(one)]));
  };
  return order;
}
