import type { Item as EntityItem, PatternItem, ReadAs } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item, ItemError } from './item';

/** The result of a pattern: an item or undefined, a page of items, or always undefined. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'get' | 'find';
}
  ? PatternItem<D, P> | undefined
  : D['patterns'][P] extends { readonly returns: readonly unknown[] }
    ? Page<PatternItem<D, P>> &
        (D['patterns'][P] extends { readonly group: infer Groups } ? Grouped<D, D['patterns'][P], Groups> : unknown)
    : D['patterns'][P] extends {
          readonly returns: infer Which extends 'new' | 'old';
          readonly entity: infer E extends keyof D['entities'];
        }
      ? EntityItem<D, E> | (Which extends 'old' ? undefined : never)
      : undefined;

/** A page's lists, one for each group. */
type Grouped<D extends TableDesign, P, Groups> = {
  readonly [G in keyof Groups]: readonly ReadAs<D, P, Groups[G] & keyof D['entities']>[];
};

export interface Page<I> {
  readonly items: readonly I[];
  /** The place where the next page begins; undefined on the last page. */
  readonly cursor?: string;
  /** The number of items that the read omitted because the design does not know them; undefined if there were none. */
  readonly unknown?: number;
}

/** Receives an item that the design does not know, or that does not match its entity. */
export type OnUnknown = (item: Item, reason: ItemError) => void;

/**
 * The policy for items that the design does not know: either a function receives each such item, or the read throws. A
 * `get` always throws.
 */
export type UnknownPolicy = OnUnknown | 'throw';

/**
 * Whether a result is a page rather than an item with an attribute named `items`. Apart from the fields that every page
 * has, a page contains only lists, one for each group.
 */
export function isPage<I>(result: unknown): result is Page<I> {
  const page = result as { readonly items?: unknown } | null | undefined;
  return (
    Array.isArray(page?.items) &&
    Object.entries(page as object).every(([name, value]) => PAGE.has(name) || Array.isArray(value))
  );
}

const PAGE: ReadonlySet<string> = new Set(['items', 'cursor', 'unknown']);
