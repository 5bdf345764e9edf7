import type { Description } from './description';

/** Merges several descriptions into one. If the result has more than one table, the tables form a system. */
export function joined(all: readonly Description[], name = 'model'): Description {
  const tables = all.flatMap((one) => one.tables);
  return {
    tables,
    ...(tables.length > 1 && { system: { name, cloud: 'aws' as const } }),
    remarks: all.flatMap((one) => one.remarks),
    evidence: all.flatMap((one) => one.evidence ?? []),
  };
}

/** Groups the elements of a list by the result of a function. */
export function groupedBy<K, T>(list: readonly T[], by: (element: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const element of list) groups.set(by(element), [...(groups.get(by(element)) ?? []), element]);
  return groups;
}
