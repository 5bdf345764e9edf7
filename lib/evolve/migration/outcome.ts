import { isDeepStrictEqual } from 'node:util';
import type { TableOutline } from '../../blueprint/outline';
import { GUARD_OWNER } from '../../blueprint/unique';
import type { Item } from '../../items/item';
import { givenObject, wrong } from '../given';

/** The change that one stored item needs. */
export type Outcome = Unchanged | Update | Move | Deletion | Unknown | Failed;

/** The item already has the new form, or the plan does not change it. */
export interface Unchanged {
  readonly kind: 'unchanged';
  readonly entity: string;
}

/** The item keeps its key, but some of its attributes are set or removed. */
export interface Update {
  readonly kind: 'update';
  readonly entity: string;
  readonly set: Item;
  readonly removed: readonly string[];
}

/** The item is written under a new key or to a different table, and the old item is deleted. */
export interface Move {
  readonly kind: 'move';
  readonly entity: string;
  /** The table that the item moves to, named as in the system. */
  readonly table: string;
  readonly item: Item;
}

/**
 * A derived item, such as a guard or an item of a split entity. It must exist alongside the item that it is derived
 * from.
 */
export interface Made {
  /** The table of the derived item, named as in the system. */
  readonly table: string;
  readonly entity: string;
  readonly item: Item;
}

/** The item is deleted because its entity was removed. */
export interface Deletion {
  readonly kind: 'delete';
  readonly entity: string;
}

/**
 * The run skips the item, either because it fits neither design, or because it is invalid and the plan does not change
 * its entity.
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly why: string;
}

/** The item cannot be converted to the new form, so it stays unchanged. */
export interface Failed {
  readonly kind: 'failed';
  readonly entity: string;
  readonly why: string;
}

/**
 * Whether a stored item has all attributes of the derived item, with the same values. For a guard, it is enough that
 * the owner matches.
 */
export function isMade(there: Item, made: Item): boolean {
  if (Object.hasOwn(made, GUARD_OWNER)) return isDeepStrictEqual(there[GUARD_OWNER], made[GUARD_OWNER]);
  return Object.entries(made).every(([name, value]) => isDeepStrictEqual(there[name], value));
}

/**
 * Returns the reason why a guard cannot be created: another item has the same value, and only the user knows which item
 * should keep it. Returns undefined if there is no such item.
 */
export function duplicateOf({
  made,
  there,
}: {
  readonly made: Made;
  readonly there?: { readonly item: Item };
}): string | undefined {
  const [owner, other] = [made.item[GUARD_OWNER], there?.item[GUARD_OWNER]];
  if (owner === undefined || other === undefined || isDeepStrictEqual(owner, other)) return undefined;
  return `duplicate of ${made.entity}: both ${JSON.stringify(other)} and ${JSON.stringify(owner)} have the same value; change or delete one of them, and run again`;
}

/** Whether the key of the derived item is already taken by an item of another entity. */
export function isForeign({ typeAttribute }: TableOutline, there: Item | undefined, made: Item): boolean {
  return there !== undefined && typeAttribute !== undefined && there[typeAttribute] !== made[typeAttribute];
}

const KINDS: readonly Outcome['kind'][] = ['unchanged', 'update', 'move', 'delete', 'unknown', 'failed'];

/** Returns the item after the outcome is applied; undefined if the outcome deletes the item. */
export function itemAfter(stored: Item, outcome: Outcome): Item | undefined {
  givenObject(stored, 'stored', 'an object of attributes');
  const { kind } = givenObject(outcome, 'outcome', "an outcome returned by a migration's outcome()");
  if (!KINDS.includes(kind)) throw wrong('outcome.kind', `one of ${KINDS.join(', ')}`, kind);
  if (outcome.kind === 'delete') return undefined;
  if (outcome.kind === 'move') return outcome.item;
  if (outcome.kind !== 'update') return stored;
  const kept = Object.entries(stored).filter(([name]) => !outcome.removed.includes(name));
  return { ...Object.fromEntries(kept), ...outcome.set };
}
