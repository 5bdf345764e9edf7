import type { PhysicalTable } from '../blueprint/physical-table';
import type { IndexDesign, KeyDesign } from '../design/table';
import { indexDesign, keyDesign } from '../evolve/lock/design';

/**
 * Describes a table's key and indexes as a person would write them, without defaults such as projecting all attributes.
 */
export function frameOf({ key, indexes }: Pick<PhysicalTable, 'key' | 'indexes'>): {
  readonly key: KeyDesign;
  readonly indexes?: Readonly<Record<string, IndexDesign>>;
} {
  const designs = indexes.map((index) => {
    const { projection, ...rest } = indexDesign(index);
    return [index.name, projection === 'all' ? rest : { ...rest, projection }] as const;
  });
  return { key: keyDesign(key), ...(designs.length > 0 && { indexes: Object.fromEntries(designs) }) };
}

/** Converts an index projection from DynamoDB's format. In a design, the default is 'all'. */
export function projectionOf(type: unknown, names: readonly string[] = []): Pick<IndexDesign, 'projection'> {
  if (type === 'INCLUDE') return { projection: names };
  return type === 'KEYS_ONLY' ? { projection: 'keys' } : {};
}
