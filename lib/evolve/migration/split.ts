import type { EntityOutline } from '../../blueprint/outline';
import { isObject, show } from '../../design/show';
import { type Item, ItemError, makeItem } from '../../items/item';
import { adviceFor, attempt, type Form, oldValues, upped } from './forms';
import type { Made } from './outcome';

/** An entity whose items are made from another's. */
export interface Split {
  readonly entity: EntityOutline;
  /** Attributes that the other entity does not supply. */
  readonly needsUp: readonly string[];
  /** Makes one item, several, or none. @default - an item takes the attributes that it has under the same names */
  readonly up?: (item: Item) => unknown;
}

/** The items that must exist beside one of the old form, or why they cannot be made. */
export function madeOf(form: Form, splits: readonly Split[], item: Item): readonly Made[] | string {
  const old = attempt(() => oldValues(form, item));
  // An item without its old form has nothing left to make them from.
  if (typeof old === 'string') return [];
  const { table } = form.to as NonNullable<Form['to']>;
  const stored = (part: Item): Item =>
    form.storesNull ? part : Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));
  const made: Made[] = [];
  for (const { entity, up, needsUp } of splits) {
    const items = attempt(() => valuesOf(entity, up, old).map((values) => stored(makeItem(table, entity, values))));
    if (typeof items === 'string') return `${items}${adviceFor(up, needsUp)}`;
    made.push(...items.map((part) => ({ table: table.name, entity: entity.name, item: part })));
  }
  return made;
}

function valuesOf({ name, attributes }: EntityOutline, up: Split['up'], old: Item): readonly Item[] {
  if (up === undefined)
    return [Object.fromEntries(Object.entries(old).filter(([attribute]) => attributes.includes(attribute)))];
  const given = upped(up, name, old);
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const wrong = all.find((values) => !isObject(values));
  if (wrong !== undefined || !all.every(isObject))
    throw new ItemError(`up of ${name} must return new values, an array of them, or undefined, got: ${show(wrong)}`);
  return all;
}
