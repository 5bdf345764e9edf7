import type { Item } from '../../../items/item';
import type { Deletion, Made, Move, Unchanged, Update } from '../outcome';

/** An item as it was read. */
export interface Read {
  readonly item: Item;
  /** What tells whether it is still the same: the cloud's own. */
  readonly version: unknown;
}

export interface Page {
  readonly items: readonly Read[];
  /** Where the next one begins, as data that can be kept; none after the last one. */
  readonly next?: unknown;
  /** The capacity that it took. */
  readonly consumed: number;
}

/** A part of a table, which is read by itself. */
export interface Segment {
  readonly table: string;
  readonly segment: number;
  readonly segments: number;
}

/** What is done to an item; of one that stays as it is, something may have to be made. */
export type Act = Update | Move | Deletion | Unchanged;

/** An item that has to be there beside another, and is not, or is not as it is made. */
export interface Lacking {
  readonly made: Made;
  /** What is there in its place. @default - nothing */
  readonly there?: Read;
}

/** What came of it: it was done whole, or not at all. */
export type Done =
  | { readonly kind: 'done'; readonly consumed: number }
  /** The item is not as it was read any more. */
  | { readonly kind: 'conflict'; readonly consumed: number }
  /** It can never be done like this. */
  | { readonly kind: 'refused'; readonly consumed: number; readonly why: string };

/** The tables of a cloud, by their names in the system. */
export interface Store {
  page(segment: Segment, from: unknown, options: { readonly consistent: boolean }): Promise<Page>;
  /** Reads one item again, as it is at this moment; undefined if it is gone. */
  again(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: number }>;
  /** Finishes what an earlier run left half-done of an item, where a cloud cannot do it at once. @default - nothing ever is */
  mend?(table: string, read: Read): Promise<{ readonly read?: Read; readonly consumed: number }>;
  /**
   * Does something to an item on the condition that it is as it was read.
   * @param names the attributes that it was decided by, whether the item has them or not
   * @param lacking what is written with it: at once, where a cloud can
   */
  act(table: string, read: Read, act: Act, names: readonly string[], lacking?: readonly Lacking[]): Promise<Done>;
  /** Those that are not there as they are made. */
  lacking(made: readonly Made[]): Promise<{ readonly lacking: readonly Lacking[]; readonly consumed: number }>;
  /** About how many items there are, to show progress; undefined if nobody knows. */
  estimate(table: string): Promise<number | undefined>;
  /** The key of an item, for a person. */
  shown(table: string, item: Item): string;
}

/** Values by name that are only replaced by who knows what was there: where the state of runs is kept. */
export interface StateStore {
  /** The name of its table. */
  readonly name: string;
  load(id: string): Promise<{ readonly value: string; readonly version: string } | undefined>;
  /** Returns the new version; undefined where another was faster. */
  save(id: string, value: string, version: string | undefined): Promise<string | undefined>;
}
