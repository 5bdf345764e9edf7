import { isDeepStrictEqual } from 'node:util';
import { type EntityOutline, entityNamed, keyOf, type TableOutline } from '../../blueprint/outline';
import { partsOfKey } from '../../blueprint/template-parts';
import type { PatternDesign, QueryPattern, ScanPattern } from '../../design/pattern';
import { keyText } from '../../items/cursor';
import { type Item, makeItem } from '../../items/item';
import { paged } from '../../items/pages';
import type { Page } from '../../items/result';
import type { Place } from './under-way';

/** A pattern of a client, as a function. */
export type Call = ((values: object, options?: { readonly cursor?: string }) => Promise<unknown>) & object;
export type Calls = Readonly<Record<string, Call>>;

/** Returns the methods attached to a call, such as `step`. */
export function methodsOf(call: Call): object {
  return Object.fromEntries(Object.entries(call));
}

/**
 * Creates a pattern that reads items while they move from one key, or one table, to another. Items only ever move from
 * the old place to the new place, so a read of the old place and then of the new place misses no item.
 */
export function reading(
  target: TableOutline,
  name: string,
  design: PatternDesign,
  [former, now]: readonly [Place<unknown>, Place<unknown>],
  [inOld, inNext]: readonly [Call, Call],
): Call {
  // A `find` always tries both places: it reads the item by its primary key, which the pattern itself does not contain.
  const eitherOf: Call = async (values, given) => (await inOld(values, given)) ?? inNext(values, given);
  if (design.op === 'find') return eitherOf;
  const [was, is] = [former, now].map(({ form }) => form.patterns?.[name]);
  const isSame =
    former.tableName === now.tableName && isDeepStrictEqual(was, is) && !hasFormerKeys(target, design, now);
  // If both forms send the same query to the same table, one query finds the items of both forms.
  if (isSame) return inNext;
  if (design.op === 'get') return eitherOf;
  const read: Call = async (values, { cursor, ...given } = {}) => {
    const isOld = cursor === undefined || cursor.startsWith(OLD);
    const first = isOld ? ((await inOld(values, at(given, cursor, OLD))) as Page<Item>) : undefined;
    if (first?.cursor !== undefined) return { ...first, cursor: `${OLD}${first.cursor}` };
    const second = (await inNext(values, at(given, isOld ? undefined : cursor, NEXT))) as Page<Item>;
    const items = merged(target, design, first?.items ?? [], second.items);
    const unknown = (first?.unknown ?? 0) + (second.unknown ?? 0);
    const isIn = (page: Page<Item> | undefined, list: string, item: Item) =>
      (page as unknown as Record<string, readonly Item[]> | undefined)?.[list]?.includes(item) === true;
    const { group = {} } = design as QueryPattern;
    const lists = Object.keys(group).map((list) => [
      list,
      items.filter((item) => isIn(first, list, item) || isIn(second, list, item)),
    ]);
    return {
      items,
      ...Object.fromEntries(lists),
      ...(unknown === 0 ? {} : { unknown }),
      ...(second.cursor === undefined ? {} : { cursor: `${NEXT}${second.cursor}` }),
    };
  };
  return design.op === 'query' || design.op === 'scan'
    ? Object.assign(read, paged(read as never, isSieved(design)))
    : read;
}

/**
 * Whether a pattern finds items by a primary key whose template is the same in both places, but whose rendered values
 * differ.
 */
function hasFormerKeys(
  { key, entities }: TableOutline,
  design: PatternDesign,
  { transition }: Place<unknown>,
): boolean {
  const { index, returns } = design as QueryPattern;
  if (index !== undefined) return false;
  return entities.some((entity) => {
    const downs = returns.includes(entity.name) ? transition.downs.get(entity.name) : undefined;
    return keyOf(key).some(({ name }) => partsOfKey(entity, name).some(({ path: [own = ''] }) => downs?.has(own)));
  });
}

function isSieved({ op, filter, unexpired }: QueryPattern | ScanPattern): boolean {
  return op === 'scan' || filter !== undefined || unexpired === true;
}

/** A cursor starts with one of these prefixes, which identifies the place to continue in. */
const OLD = 'o.';
const NEXT = 'n.';

function at(given: object, cursor: string | undefined, place: string): object {
  return cursor === undefined ? given : { ...given, cursor: cursor.slice(place.length) };
}

/** Returns every item once, in the order of the new sort key. */
function merged(
  target: TableOutline,
  design: PatternDesign,
  old: readonly Item[],
  next: readonly Item[],
): readonly Item[] {
  const { index, order } = design as QueryPattern;
  const key = target.indexes.find(({ name }) => name === index) ?? target.key;
  const keyed = [...next, ...old].map((item) => ({ item, stored: storedOf(target, design, item) }));
  const seen = new Set<string>();
  const once = keyed.filter(({ stored }) => {
    if (stored === undefined) return true;
    const text = keyText(Object.fromEntries(keyOf(target.key).map(({ name }) => [name, stored[name]])));
    return !seen.has(text) && seen.add(text);
  });
  if (key.sortBy.length === 0 || design.op !== 'query') return once.map(({ item }) => item);
  const direction = order === 'descending' ? -1 : 1;
  const value = ({ stored }: (typeof once)[number], name: string) => stored?.[name] as string | number;
  once.sort((a, b) => {
    const other = key.sortBy.find(({ name }) => value(a, name) !== value(b, name))?.name;
    return other === undefined ? 0 : value(a, other) < value(b, other) ? -direction : direction;
  });
  return once.map(({ item }) => item);
}

/** Returns the item as the table would store it; undefined if some of its values are missing. */
function storedOf(target: TableOutline, design: PatternDesign, item: Item): Item | undefined {
  const { returns } = design as QueryPattern;
  const { typeAttribute } = target;
  const type = typeAttribute === undefined ? undefined : item[typeAttribute];
  const known = target.entities.filter(({ name }) => returns.includes(name));
  const entity = known.length === 1 ? known[0] : known.find((one) => one.type === type);
  if (entity === undefined) return undefined;
  const { [typeAttribute ?? '']: _, ...values } = item;
  try {
    return makeItem(target, entityNamed(target, entity.name) as EntityOutline, values);
  } catch {
    // An index may project only some attributes of the item.
    return undefined;
  }
}
