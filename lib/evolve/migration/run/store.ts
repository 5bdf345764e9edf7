import type { Item } from '../../../items/item';
import type { Deletion, Made, Move, Unchanged, Update } from '../outcome';

/** An item, and the version that was read. */
export interface Read {
  readonly item: Item;
  /** A value that changes whenever the item changes; each cloud has a different kind of value. */
  readonly version: unknown;
}

/** Units of capacity; undefined if the store was not asked to measure them. */
export type Units = number | undefined;

export interface Page {
  readonly items: readonly Read[];
  /** The position of the next page, as serializable data; undefined after the last page. */
  readonly next?: unknown;
  /** The capacity that the read consumed. */
  readonly consumed: Units;
}

/** A part of a table that is read separately. */
export interface Segment {
  readonly table: string;
  readonly segment: number;
  readonly segments: number;
}

/** An outcome to carry out; an unchanged item may still need items derived from it. */
export type Act = Update | Move | Deletion | Unchanged;

/** An item that must exist alongside another item but is missing or differs. */
export interface Lacking {
  readonly made: Made;
  /** The item that is currently stored under its key. @default - no item */
  readonly there?: Read;
}

/** The result of an atomic write. */
export type Done =
  | { readonly kind: 'done'; readonly consumed: Units }
  /** The item has changed since it was read. */
  | { readonly kind: 'conflict'; readonly consumed: Units }
  /** A retry would fail again. */
  | { readonly kind: 'refused'; readonly consumed: Units; readonly why: string };

/** Access to a cloud's tables, by their names in the system. */
export interface Store {
  page(segment: Segment, from: unknown, options: { readonly consistent: boolean }): Promise<Page>;
  /** Reads an item again, consistently; returns undefined for a deleted item. */
  again(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /** Reads the item whose key is in these attributes, consistently; returns no item if none has this key. */
  find(table: string, key: Item): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /** Finishes a change that an earlier run left incomplete, on a cloud without transactions. @default - changes are atomic */
  mend?(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /**
   * Changes an item only if it has not changed since it was read.
   * @param names the attributes that decided the change, whether the item has them or not
   * @param lacking the items to write together with the change, in one transaction if the cloud supports that
   */
  act(table: string, read: Read, act: Act, names: readonly string[], lacking?: readonly Lacking[]): Promise<Done>;
  /** Those of the given items that are missing or differ. */
  lacking(made: readonly Made[]): Promise<{ readonly lacking: readonly Lacking[]; readonly consumed: Units }>;
  /** The approximate number of items in a table, to show progress; undefined if unknown. */
  estimate(table: string): Promise<number | undefined>;
  /** The deployed name of a table. */
  nameOf(table: string): string;
  /** The key of an item, in readable form. */
  shown(table: string, item: Item): string;
}

/** Keeps the state of runs as named values; only a caller who knows the current version can replace a value. */
export interface StateStore {
  /** The name of the table that holds the states. */
  readonly name: string;
  load(id: string): Promise<{ readonly value: string; readonly version: string } | undefined>;
  /** Returns the new version; undefined if another caller was faster. */
  save(id: string, value: string, version: string | undefined): Promise<string | undefined>;
}
