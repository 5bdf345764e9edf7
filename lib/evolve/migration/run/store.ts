import type { Item } from '../../../items/item';
import type { Deletion, Made, Move, Unchanged, Update } from '../outcome';

/** An item as it was read, and its version. */
export interface Read {
  readonly item: Item;
  /** A value that changes whenever the item changes; each cloud has a different kind of value. */
  readonly version: unknown;
}

/** Consumed capacity units; undefined if the store was not asked to measure them. */
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

/** An outcome to carry out. Even an unchanged item may need derived items. */
export type Act = Update | Move | Deletion | Unchanged;

/** A derived item that is missing, or that differs from what is stored. */
export interface Lacking {
  readonly made: Made;
  /** The item that is currently stored under the derived item's key. @default - no item */
  readonly there?: Read;
}

/** The result of an atomic write. */
export type Done =
  | { readonly kind: 'done'; readonly consumed: Units }
  /** The item has changed since it was read. */
  | { readonly kind: 'conflict'; readonly consumed: Units }
  /** A retry would fail again. */
  | { readonly kind: 'refused'; readonly consumed: Units; readonly why: string };

/** Reads and writes the tables of a cloud. Tables are named as in the system. */
export interface Store {
  page(segment: Segment, from: unknown, options: { readonly consistent: boolean }): Promise<Page>;
  /** Reads an item again with a consistent read; `read` is undefined if the item was deleted. */
  again(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /** Reads the item with this key with a consistent read; `read` is undefined if there is no such item. */
  find(table: string, key: Item): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /**
   * On a cloud without transactions, finishes a change that an earlier run left incomplete.
   * @default - changes are atomic
   */
  mend?(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: Units }>;
  /**
   * Carries out an outcome, but only if the item has not changed since it was read.
   * @param names the attributes on which the outcome depends, whether or not the item has them
   * @param lacking the derived items to write as well, in the same transaction if the cloud supports transactions
   */
  act(table: string, read: Read, act: Act, names: readonly string[], lacking?: readonly Lacking[]): Promise<Done>;
  /** Returns the derived items that are missing, or that differ from what is stored. */
  lacking(made: readonly Made[]): Promise<{ readonly lacking: readonly Lacking[]; readonly consumed: Units }>;
  /** The approximate number of items in a table, to show progress; undefined if unknown. */
  estimate(table: string): Promise<number | undefined>;
  /** The deployed name of a table. */
  nameOf(table: string): string;
  /** An item's key in human-readable form. */
  shown(table: string, item: Item): string;
}

/** Stores the states of runs as named values. To replace a value, a caller must pass its current version. */
export interface StateStore {
  /** The name of the table that holds the states. */
  readonly name: string;
  load(id: string): Promise<{ readonly value: string; readonly version: string } | undefined>;
  /** Returns the new version; undefined if another caller has saved the value in the meantime. */
  save(id: string, value: string, version: string | undefined): Promise<string | undefined>;
}
