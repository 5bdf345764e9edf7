import type { Item } from '../../items/item';

/** What has to happen to one stored item. */
export type Outcome = Unchanged | Update | Move | Deletion | Unknown | Failed;

/** It has the new form, or there is nothing to do to it. */
export interface Unchanged {
  readonly kind: 'unchanged';
  readonly entity: string;
}

/** It stays under its key, and gets or loses attributes. */
export interface Update {
  readonly kind: 'update';
  readonly entity: string;
  readonly set: Item;
  readonly removed: readonly string[];
}

/** It is written again under another key, or in another table, and the old one is deleted with it. */
export interface Move {
  readonly kind: 'move';
  readonly entity: string;
  /** The table that it goes to, by its name in the system. */
  readonly table: string;
  readonly item: Item;
}

/** It goes: its entity is no longer there. */
export interface Deletion {
  readonly kind: 'delete';
  readonly entity: string;
}

/** Neither the design that is deployed nor the new one knows it, or the plan has nothing to do with it: it is left alone. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

/** It should get the new form, and cannot: nothing of it is changed. */
export interface Failed {
  readonly kind: 'failed';
  readonly entity: string;
  readonly why: string;
}

/** An item as it is when its outcome has come true; undefined where it is gone. */
export function itemAfter(stored: Item, outcome: Outcome): Item | undefined {
  if (outcome.kind === 'delete') return undefined;
  if (outcome.kind === 'move') return outcome.item;
  if (outcome.kind !== 'update') return stored;
  const kept = Object.entries(stored).filter(([name]) => !outcome.removed.includes(name));
  return { ...Object.fromEntries(kept), ...outcome.set };
}
