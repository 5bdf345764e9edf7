import type { Item as EntityItem, PatternItem } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item, ItemError } from './item';

/** What a pattern comes to: an item or none, a page of items, or nothing. */
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
  /** Where to go on; none after the last page. */
  readonly cursor?: string;
  /** How many items were read and are not here, because the design does not know them; none where it is not there. */
  readonly unknown?: number;
}

/** Takes an item that the design does not know, or that is not as designed. */
export type OnUnknown = (item: Item, reason: ItemError) => void;

/** What becomes of such an item: it is given to a function, or thrown. The one item of a `get` is always thrown. */
export type UnknownPolicy = OnUnknown | 'throw';

export function isPage(result: unknown): result is Page<unknown> {
  return typeof result === 'object' && result !== null && Array.isArray((result as { items?: unknown }).items);
}
