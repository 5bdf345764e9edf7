import type { Item } from '../../items/item';
import type { Run } from '../../proof/venue';
import type { Stored } from '../items';

/** The tables of a system on an engine that is thrown away, filled with its example items. */
export interface Ground {
  /** The engine, for a person to read. */
  readonly name: string;
  readonly patterns: Readonly<Record<string, Run>>;
  /** What was sent since this was asked last. */
  sent(): readonly Sent[];
  /** The item of a key as it is stored now. */
  get(table: string, key: Item): Promise<Item | undefined>;
  /** Puts an item back as it was; without one, the key has none any more. */
  restore(table: string, key: Item, before: Stored | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** A request, with what it read and the keys of what it may have written. */
export interface Sent {
  readonly command: string;
  readonly input: unknown;
  readonly isRead: boolean;
  readonly units?: number;
  readonly read: readonly { readonly table: string; readonly index?: string; readonly items: readonly Item[] }[];
  readonly touched: readonly { readonly table: string; readonly key: Item }[];
}

/** Does something with each, a few at a time. */
export async function inTurns<T>(all: readonly T[], width: number, act: (one: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < all.length) await act(all[next++] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
