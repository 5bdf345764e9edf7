import { isOpen } from '../../blueprint/attributes/schema';
import { type EntityOutline, entityNamed, outline, type TableOutline } from '../../blueprint/outline';
import { storedName } from '../../blueprint/stored';
import { entityOf, type Item, makeItem, type readItem, valuesOf } from '../../items/item';
import { itemAfter } from '../migration/outcome';
import { NewValue } from '../release/former-values';
import type { TableUnderWay } from './under-way';

/** The result of converting a stored item to a form. */
export type InForm =
  | { readonly kind: 'item'; readonly entity: EntityOutline; readonly item: Item }
  | { readonly kind: 'gone' }
  /**
   * The item needs no change, or cannot be converted; in the second case, the code that parses the item reports the
   * error.
   */
  | { readonly kind: 'as-it-is' };

/**
 * Converts a stored item to the form that requests use.
 * @param table the table's name in the system
 * @param form the form that requests use
 */
export function inForm(
  { migration, phase, transition, before, after }: TableUnderWay,
  table: string,
  form: TableOutline,
  stored: Item,
  read?: typeof readItem,
): InForm {
  const outcome = migration.outcome('clean', table, stored);
  if (outcome.kind === 'delete') return { kind: 'gone' };
  // The entity moves to a different table, and the client of that table reads the item.
  if (outcome.kind === 'move' && outcome.table !== after.name) return { kind: 'gone' };
  const target = outline(after);
  if (phase.code.reads === 'new') {
    const own = entityOf(target, stored, target.entities);
    if (own === undefined || !isOpen(own.schema)) return { kind: 'as-it-is' };
    return { kind: 'item', entity: own, item: withoutKeys(outline(before), own, stored, form) };
  }
  if (outcome.kind === 'unknown' || outcome.kind === 'failed') return { kind: 'as-it-is' };
  const is = entityNamed(target, outcome.entity);
  if (is === undefined) return { kind: 'as-it-is' };
  const next = itemAfter(stored, migration.outcome('fill', table, stored)) as Item;
  const entity = entityNamed(form, is.name) as EntityOutline;
  const values = withoutKeys(form, is, valuesOf(target, is, next, read));
  const item = makeItem(form, entity, values);
  if (form.design !== transition.old) return { kind: 'item', entity, item };
  const names = [...(transition.downs.get(is.name)?.keys() ?? [])].filter((name) => values[name] !== undefined);
  const kept = names.map((name) => [storedName(entity.design, name), new NewValue(values[name])]);
  return { kind: 'item', entity, item: { ...item, ...Object.fromEntries(kept) } };
}

/**
 * Removes the key attributes of `table` from an item's values, because an open entity would treat them as its own
 * attributes; keeps the key attributes of the `other` table.
 */
function withoutKeys(table: TableOutline, { attributes }: EntityOutline, values: Item, other?: TableOutline): Item {
  const isKey = ({ keyAttributes, typeAttribute }: TableOutline, name: string) =>
    name === typeAttribute || keyAttributes.some((key) => key.name === name);
  const stays = (name: string) =>
    attributes.includes(name) || !isKey(table, name) || (other !== undefined && isKey(other, name));
  return Object.fromEntries(Object.entries(values).filter(([name]) => stays(name)));
}
