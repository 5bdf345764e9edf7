import type { Item } from '../../../items/item';
import type { Deletion, Made, Move, Unchanged, Update } from '../outcome';

/** An item as it was read. */
export interface Read {
  readonly item: Item;
  /** Shows whether the item is still the same; each cloud has its own kind. */
  readonly version: unknown;
}

export interface Page {
  readonly items: readonly Read[];
  /** Where the next page begins, as data that can be saved; none after the last page. */
  readonly next?: unknown;
  /** The capacity that the read consumed. */
  readonly consumed: number;
}

/** A part of a table that is read by itself. */
export interface Segment {
  readonly table: string;
  readonly segment: number;
  readonly segments: number;
}

/** What is done to an item; one that is unchanged may still need items made from it. */
export type Act = Update | Move | Deletion | Unchanged;

/** An item that must exist beside another, but is missing or differs. */
export interface Lacking {
  readonly made: Made;
  /** The item in its place. @default - nothing */
  readonly there?: Read;
}

/** The result of a write, which is done completely or not at all. */
export type Done =
  | { readonly kind: 'done'; readonly consumed: number }
  /** The item has changed since it was read. */
  | { readonly kind: 'conflict'; readonly consumed: number }
  /** Trying again would not help. */
  | { readonly kind: 'refused'; readonly consumed: number; readonly why: string };

/** The tables of a cloud, by their names in the system. */
export interface Store {
  page(segment: Segment, from: unknown, options: { readonly consistent: boolean }): Promise<Page>;
  /** Reads one item again, as it is at this moment; undefined if it is gone. */
  again(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: number }>;
  /** Reads the item with the key that these attributes contain, as it is at this moment; undefined if no item has it. */
  find(table: string, key: Item): Promise<{ readonly read?: Read; readonly consumed: number }>;
  /** Finishes a change that an earlier run left half done, on a cloud without transactions. @default - no change is ever half done */
  mend?(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: number }>;
  /**
   * Changes an item on the condition that it is still as it was read.
   * @param names the attributes that decided the change, whether the item has them or not
   * @param lacking the items to write with it, in one transaction where the cloud has them
   */
  act(table: string, read: Read, act: Act, names: readonly string[], lacking?: readonly Lacking[]): Promise<Done>;
  /** The items, of those to be made, that are missing or differ. */
  lacking(made: readonly Made[]): Promise<{ readonly lacking: readonly Lacking[]; readonly consumed: number }>;
  /** About how many items a table has, to show progress; undefined if that is not known. */
  estimate(table: string): Promise<number | undefined>;
  /** The key of an item, for a person. */
  shown(table: string, item: Item): string;
}

/** Keeps the state of runs, as values by name; a value is replaced only by a caller who knows its version. */
export interface StateStore {
  /** The name of its table. */
  readonly name: string;
  load(id: string): Promise<{ readonly value: string; readonly version: string } | undefined>;
  /** Returns the new version; undefined if another caller was faster. */
  save(id: string, value: string, version: string | undefined): Promise<string | undefined>;
}
