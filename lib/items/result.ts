import type { PatternItem } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item, ItemError } from './item';

/** What a pattern comes to: an item or none, a page of items, or nothing. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'get';
}
  ? PatternItem<D, P> | undefined
  : D['patterns'][P] extends { readonly returns: unknown }
    ? Page<PatternItem<D, P>>
    : undefined;

export interface Page<I> {
  readonly items: readonly I[];
  /** Where to go on; none after the last page. */
  readonly cursor?: string;
}

/** Takes an item that the design does not know, or that is not as designed. */
export type OnUnknown = (item: Item, reason: ItemError) => void;

export function isPage(result: unknown): result is Page<unknown> {
  return typeof result === 'object' && result !== null && Array.isArray((result as { items?: unknown }).items);
}
