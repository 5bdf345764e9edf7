import { isDeepStrictEqual } from 'node:util';
import { testsIn } from '../../blueprint/conditions';
import { storedName } from '../../blueprint/stored';
import { partsOfKey } from '../../blueprint/template-parts';
import { writtenBy, writtenNames } from '../../blueprint/written';
import type { Condition } from '../../design/pattern';
import { type Item, makeItem } from '../../items/item';
import type { Known, Model } from './model';
import { parsedIn } from './reading';

/**
 * The attributes that may be missing from a stored item, because the item was written before they had a default. Each
 * attribute comes with the default that releases read instead.
 */
export function defaultsOf(model: Model, { table, entity, values }: Known): Item {
  const { design, keys, schema } = entity;
  const written = writtenBy(design, table.separator);
  const needed = new Set([
    ...[...keys.keys()].flatMap((name) => partsOfKey(entity, name).map(({ path: [first = ''] }) => first)),
    ...Object.values(design.indexes ?? {}).flatMap(({ while: tests }) => Object.keys(tests)),
    ...(written === undefined ? [] : writtenNames(written)),
    ...(written?.computed ?? []).flatMap(({ parts }) => parts.map(({ path: [first = ''] }) => first)),
    ...model.uniquesOf(entity).flat(),
    // A filter never finds an item that lacks the filtered attribute, whatever the plan does.
    ...table.patterns.flatMap(({ accesses }) => accesses.flatMap(({ step }) => filtered(step))),
  ]);
  const entries = entity.attributes.flatMap((name) => {
    const read = parsedIn(schema, without(values, [name]))[name];
    return needed.has(name) || read === undefined ? [] : [[name, read] as const];
  });
  const defaults = Object.fromEntries(entries);
  // Even if all of these attributes are missing at once, every read must return the same defaults.
  const reads = [0, 1].map(() => parsedIn(schema, without(values, Object.keys(defaults))));
  return isDeepStrictEqual(reads[0], { ...values, ...defaults }) && isDeepStrictEqual(reads[1], reads[0])
    ? defaults
    : {};
}

function filtered(step: object): readonly string[] {
  const { filter = {} } = step as { readonly filter?: Condition };
  return testsIn(filter).map(({ path }) => path.split('.')[0] as string);
}

/** An item's stored form, without the `missing` attributes. */
export function storedIn({ table, entity, values }: Known, missing: readonly string[] = []): Item {
  return without(
    makeItem(table, entity, values),
    missing.map((name) => storedName(entity.design, name)),
  );
}

function without(item: Item, names: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}
