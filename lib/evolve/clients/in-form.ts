import { type EntityOutline, entityNamed, outline, type TableOutline } from '../../blueprint/outline';
import { type Item, makeItem, type readItem, valuesOf } from '../../items/item';
import { itemAfter } from '../migration/outcome';
import type { TableUnderWay } from './under-way';

/** A stored item in a form. */
export type InForm =
  | { readonly kind: 'item'; readonly entity: EntityOutline; readonly item: Item }
  | { readonly kind: 'gone' }
  /** It needs no change, or cannot be brought to the form, which its reader then reports. */
  | { readonly kind: 'as-it-is' };

/**
 * Brings a stored item to the form of requests.
 * @param table the table's name in the system
 * @param form what requests are made with
 */
export function inForm(
  { migration, phase, after }: TableUnderWay,
  table: string,
  form: TableOutline,
  stored: Item,
  read?: typeof readItem,
): InForm {
  const outcome = migration.outcome('clean', table, stored);
  if (outcome.kind === 'delete') return { kind: 'gone' };
  if (phase.code.reads === 'new' || outcome.kind === 'unknown' || outcome.kind === 'failed')
    return { kind: 'as-it-is' };
  const target = outline(after);
  const is = entityNamed(target, outcome.entity);
  if (is === undefined) return { kind: 'as-it-is' };
  const next = itemAfter(stored, migration.outcome('fill', table, stored)) as Item;
  const entity = entityNamed(form, is.name) as EntityOutline;
  return { kind: 'item', entity, item: makeItem(form, entity, valuesOf(target, is, next, read)) };
}
