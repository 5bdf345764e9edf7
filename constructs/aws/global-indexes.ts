import type { TableDesign } from '../../lib/design/table';

/** Whether an index has its own capacity, metrics and status. A local index shares these with its table. */
export function isGlobal({ local }: { readonly local?: boolean }): boolean {
  return local !== true;
}

/** The names of the indexes that are monitored and scaled separately. */
export function globalIndexes({ indexes = {} }: TableDesign): readonly string[] {
  return Object.entries(indexes).flatMap(([name, index]) => (isGlobal(index) ? [name] : []));
}
