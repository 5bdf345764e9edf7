import type { Item } from '../../items/item';
import type { Counter, Run } from '../../proof/venue';
import type { Stored } from '../items';

/** The tables of a system on a throw-away engine, filled with its example items. */
export interface Ground {
  /** The engine, for people. */
  readonly name: string;
  readonly patterns: Readonly<Record<string, Run>>;
  /** The requests since the last call. */
  sent(): readonly Sent[];
  /** The stored item with a key. */
  get(table: string, key: Item): Promise<Item | undefined>;
  /** Puts an item back as it was, or deletes what has the key if there was none. */
  restore(table: string, key: Item, before: Stored | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** A request, with the items it read and the keys of those it may have written. */
export interface Sent {
  readonly command: string;
  readonly input: unknown;
  readonly isRead: boolean;
  readonly units?: number;
  readonly read: readonly { readonly table: string; readonly index?: string; readonly items: readonly Item[] }[];
  readonly touched: readonly { readonly table: string; readonly key: Item }[];
}

/** Counts nothing: what is sent is recorded here anyway. */
export const UNCOUNTED: Counter = { sent: () => undefined, consumed: () => undefined, found: () => undefined };

/** Calls `act` for each, a few at a time. */
export async function inTurns<T>(all: readonly T[], width: number, act: (each: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length) await act(all[next++] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
