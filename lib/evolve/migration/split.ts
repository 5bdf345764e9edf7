import { isDeepStrictEqual } from 'node:util';
import { type EntityOutline, keyOf } from '../../blueprint/outline';
import { partsOf } from '../../blueprint/template-parts';
import { guardsOf } from '../../blueprint/unique';
import { isObject, show } from '../../design/show';
import { type Template, template } from '../../design/template';
import { type Item, ItemError, makeItem, readItem } from '../../items/item';
import { keyBuilder } from '../../items/parameters';
import { guardItem } from '../../items/writers';
import { adviceFor, attempt, type Form, fillOf, oldValues, upped } from './forms';
import { itemAfter, type Made } from './outcome';

/** An entity whose items are derived from the items of another entity. */
export interface Split {
  readonly entity: EntityOutline;
  /** Attributes whose values the original entity does not supply. */
  readonly needsUp: readonly string[];
  /** Derives one item, several items or none. @default - derives one item, with the attributes of the same names */
  readonly up?: (item: Item) => unknown;
}

/** Returns the items of split entities that must exist alongside an item, or the reason why they cannot be derived. */
export function madeOf(form: Form, splits: readonly Split[], item: Item): readonly Made[] | string {
  const old = attempt(() => oldValues(form, item));
  // Nothing can be derived from an item in the new form, because it no longer has the old values.
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

/**
 * Returns the key of the other item, if any, that owns the stored copy of a derived item. For example, two users may
 * have the same email address, but the derived item for the address can belong to only one of them.
 */
export function rivalsOf(form: Form, item: Item, made: Item, there: Item): readonly Item[] {
  const values = attempt(() => oldValues(form, item));
  if (typeof values === 'string') return [];
  const old = { table: form.before, entity: form.was };
  const sides = form.to === undefined || !form.change?.moves ? [old] : [old, form.to];
  return sides.flatMap(({ table, entity }) => {
    if (table.name !== form.from.table) return [];
    const templates = keyOf(table.key).map(({ name }) => [
      name,
      entity.keys.get(name)?.template ?? template(`<${name}>`),
    ]);
    const where = Object.fromEntries(templates) as Record<string, Template>;
    const others: Item = { ...values };
    let isOther = false;
    for (const { path } of Object.values(where).flatMap(partsOf)) {
      const [name = ''] = path;
      // The derived item may contain the value under a different name, chosen by `up`.
      const holder = [name, ...Object.keys(made)].find(
        (held) => made[held] !== undefined && isDeepStrictEqual(made[held], values[name]),
      );
      if (holder === undefined) return [];
      isOther ||= !isDeepStrictEqual(there[holder], made[holder]);
      others[name] = there[holder];
    }
    if (!isOther) return [];
    const texts = Object.fromEntries(Object.entries(where).map(([name, { text }]) => [name, text]));
    const key = attempt(() => keyBuilder(table, texts, [entity])(others));
    return typeof key === 'string' ? [] : [key];
  });
}

function valuesOf({ name, attributes }: EntityOutline, up: Split['up'], old: Item): readonly Item[] {
  if (up === undefined)
    return [Object.fromEntries(Object.entries(old).filter(([attribute]) => attributes.includes(attribute)))];
  const given = upped(up, name, old);
  const all = given === undefined ? [] : Array.isArray(given) ? given : [given];
  const wrong = all.find((values) => !isObject(values));
  if (wrong !== undefined || !all.every(isObject))
    throw new ItemError(`'up' of ${name} must return new values, an array of them, or undefined, got: ${show(wrong)}`);
  return all;
}

/**
 * Returns the guards that must exist alongside an item whose values become unique, or the reason why they cannot be
 * created.
 */
export function guardsFor(form: Form, table: string, item: Item): readonly Made[] | string {
  const { change, to } = form;
  if (change?.guards === undefined || to === undefined) return [];
  const outcome = fillOf(form, table, item, 'fill');
  // If an item cannot get its new form, report only that failure.
  if (outcome.kind === 'failed' || outcome.kind === 'unknown') return [];
  const next = itemAfter(item, outcome);
  if (next === undefined) return [];
  return attempt(() => {
    const values = readItem(to.table, to.entity, next);
    return guardsOf(to.table, to.entity)
      .filter(({ guards }) => change.guards?.includes(guards.unique))
      .map((guard) => ({ table: to.table.name, entity: guard.name, item: guardItem(to.table, guard, values) }));
  });
}
