import type { EntityOutline } from '../../blueprint/outline';
import { isObject, show } from '../../design/show';
import { type Item, ItemError, makeItem } from '../../items/item';
import { adviceFor, attempt, type Form, oldValues, upped } from './forms';
import type { Made } from './outcome';

/** An entity whose items are made of another's. */
export interface Split {
  readonly entity: EntityOutline;
  /** Attributes that the other has not. */
  readonly needsUp: readonly string[];
  /** What only the user can tell: one, several, or none. @default - it takes what it has under the same names */
  readonly up?: (item: Item) => unknown;
}

/** The items that have to be there beside one of the old form; or why they cannot be made. */
export function madeOf(form: Form, splits: readonly Split[], item: Item): readonly Made[] | string {
  const old = attempt(() => oldValues(form, item));
  // Nothing is left in it to make them of.
  if (typeof old === 'string') return [];
  const { table } = form.to as NonNullable<Form['to']>;
  const stored = (one: Item): Item =>
    form.storesNull ? one : Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null));
  const made: Made[] = [];
  for (const { entity, up, needsUp } of splits) {
    const items = attempt(() => valuesOf(entity, up, old).map((values) => stored(makeItem(table, entity, values))));
    if (typeof items === 'string') return `${items}${adviceFor(up, needsUp)}`;
    made.push(...items.map((one) => ({ table: table.name, entity: entity.name, item: one })));
  }
  return made;
}

function valuesOf({ name, attributes }: EntityOutline, up: Split['up'], old: Item): readonly Item[] {
  if (up === undefined) return [Object.fromEntries(Object.entries(old).filter(([one]) => attributes.includes(one)))];
  const given = upped(up, name, old);
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const wrong = all.find((one) => !isObject(one));
  if (wrong !== undefined || !all.every(isObject))
    throw new ItemError(`up of ${name} must return new values, an array of them, or undefined, got: ${show(wrong)}`);
  return all;
}
