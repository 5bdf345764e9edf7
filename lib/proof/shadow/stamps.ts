import { schemaAt } from '../../blueprint/attributes/schema';
import { timeIn } from '../../blueprint/times';
import { touchesParts, writtenBy, writtenNames } from '../../blueprint/written';
import type { UpdatePattern } from '../../design/pattern';
import { computedValue } from '../../items/computed';
import type { Item } from '../../items/item';
import { NOW } from '../cases';
import type { Known, Logical } from './model';

/** The time at which every release writes: the fixed time of the cases. */
export const clock = (): number => Date.parse(NOW);

/**
 * Returns the values that a caller passes to a put, and the item that the put stores, including the version, times and
 * computed values that the library adds.
 */
export function putOf(known: Known): { readonly given: Item; readonly stored: Item } {
  const { written, timeOf } = writtenIn(known);
  if (written === undefined) return { given: known.values, stored: known.values };
  const names = writtenNames(written);
  const given = Object.fromEntries(Object.entries(known.values).filter(([name]) => !names.includes(name)));
  const stored: Item = { ...given };
  if (written.version !== undefined) stored[written.version] = 1;
  for (const name of [written.created, written.updated]) if (name !== undefined) stored[name] = timeOf(name);
  return { given, stored: withComputed({ ...known, values: stored }) };
}

/**
 * Returns the attributes that the library changes in addition to those that an update sets. An attribute whose value is
 * undefined is removed.
 * @param next the item after the update
 */
export function stampsOf(item: Logical, known: Known, update: UpdatePattern, next: Item): Item {
  const { written, timeOf } = writtenIn(known);
  if (written === undefined) return {};
  const { version, updated, computed } = written;
  const stamps: Item = {};
  // A read may return a version even if the item has the old form and stores no version.
  const held = item.isOldForm ? { ...withNewNames(item), ...item.extra } : known.values;
  if (version !== undefined) stamps[version] = Number(held[version] ?? 0) + 1;
  if (updated !== undefined) stamps[updated] = timeOf(updated);
  for (const one of computed)
    if (touchesParts(update, one, updated)) stamps[one.name] = computedValue(one, { ...next, ...stamps });
  return stamps;
}

/** The old values of an item, under both the old and the new attribute names. */
function withNewNames({ old, renamed = {} }: Logical): Item {
  const values = old?.values ?? {};
  const named = Object.entries(renamed).map(([was, now]) => [now, values[was]]);
  return { ...values, ...Object.fromEntries(named) };
}

/** Recomputes an item's computed attributes. An attribute is undefined if one of its parts is missing. */
export function computedIn({ table, entity, values }: Known): Item {
  const computed = writtenBy(entity.design, table.separator)?.computed ?? [];
  return Object.fromEntries(computed.map((one) => [one.name, computedValue(one, values)]));
}

export function withComputed(known: Known): Item {
  const all = Object.entries({ ...known.values, ...computedIn(known) });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

function writtenIn({ table, entity }: Known) {
  const { design, schema } = entity;
  return {
    written: writtenBy(design, table.separator),
    timeOf: (name: string) => timeIn(schemaAt(schema, [name]) ?? undefined, design.timestamps?.unit)(clock()),
  };
}
