import type { TableDesign } from '../design/table';
import { headOf } from '../design/template';
import { entitiesNamed, keyOf, outline } from './outline';

/** One filter for the events of a stream: the text that a record's keys must equal or begin with. */
export interface StreamFilter {
  readonly dynamodb: {
    readonly Keys: { readonly [attribute: string]: KeyFilter };
  };
}

interface KeyFilter {
  readonly S: readonly (string | { readonly prefix: string })[];
}

/**
 * Returns filters that let the records of the given entities pass, and as few other records as possible. The filters
 * compare the literal text at the start of keys. Returns undefined if an entity has no key that starts with literal
 * text.
 */
export function streamFilters(design: TableDesign, entities: readonly string[]): readonly StreamFilter[] | undefined {
  const table = outline(design);
  const filters = entitiesNamed(table, entities).map(({ keys }) => {
    const filtered = keyOf(table.key).flatMap(({ name }): readonly (readonly [string, KeyFilter])[] => {
      const source = keys.get(name);
      if (source === undefined || source.natural) return [];
      const { text, parts } = source.template;
      if (parts.length === 0) return [[name, { S: [text] }]];
      const prefix = headOf(source.template);
      return prefix === '' ? [] : [[name, { S: [{ prefix }] }]];
    });
    return filtered.length === 0 ? undefined : { dynamodb: { Keys: Object.fromEntries(filtered) } };
  });
  if (filters.length === 0 || filters.includes(undefined)) return undefined;
  const distinct = new Map(filters.map((filter) => [JSON.stringify(filter), filter as StreamFilter]));
  return [...distinct.values()];
}
