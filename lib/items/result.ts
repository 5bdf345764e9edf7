import type { Item as EntityItem, PatternItem } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item, ItemError } from './item';

/** What a pattern returns: an item or none, a page of items, or nothing. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'get';
}
  ? PatternItem<D, P> | undefined
  : D['patterns'][P] extends { readonly returns: readonly unknown[] }
    ? Page<PatternItem<D, P>>
    : D['patterns'][P] extends {
          readonly returns: infer Which extends 'new' | 'old';
          readonly entity: infer E extends keyof D['entities'];
        }
      ? EntityItem<D, E> | (Which extends 'old' ? undefined : never)
      : undefined;

export interface Page<I> {
  readonly items: readonly I[];
  /** Where the next page begins; undefined on the last page. */
  readonly cursor?: string;
  /** How many items were read but left out, because the design does not know them; undefined if none. */
  readonly unknown?: number;
}

/** Receives an item that the design does not know, or that does not fit it. */
export type OnUnknown = (item: Item, reason: ItemError) => void;

/** What happens to such an item: a function gets it, or the read throws. A `get` always throws. */
export type UnknownPolicy = OnUnknown | 'throw';

export function isPage(result: unknown): result is Page<unknown> {
  return typeof result === 'object' && result !== null && Array.isArray((result as { items?: unknown }).items);
}
