import { type Access, boundsOfRange } from '../blueprint/accesses';
import type { Parameter } from '../blueprint/parameters';
import { isPieceOfTime, partsOf } from '../blueprint/template-parts';
import { match, type Template } from '../design/template';
import { type Items, plain } from './items';
import { templateMarks } from './marks';
import type { ItemView } from './view';

/** The maximum number of items to search for one with suitable values. */
const LOOKED_AT = 200;

/**
 * Returns example values for a pattern. Prefers the keys of an existing item, then the values from the pattern's case,
 * then values that the schemas accept.
 *
 * @param given the values from the pattern's case, if there is one
 */
export function exampleOf(
  parameters: readonly Parameter[],
  accesses: readonly Access[],
  items: Items | undefined,
  separator: string,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  // A put creates a new item, so its example does not use an existing item's keys.
  const keys = accesses.filter(({ action }) => action !== 'put').flatMap(keysOf);
  const keyed = new Set(keys.flatMap(({ template }) => templateMarks(template).flatMap(({ part }) => part ?? [])));
  const { item, last } = itemsFor(accesses[0], keyed, items);
  const read = Object.assign({}, ...keys.map((key) => readFrom(key.isUpper ? last : item, key, separator)));
  const values = parameters.flatMap(({ name, optional, sample }) => {
    const own = item?.attributes[name];
    const known = (keyed.has(name) ? (own ?? read[name]) : undefined) ?? plain(given[name]);
    const value = optional ? plain(given[name]) : (known ?? plain(sample) ?? own);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** A key attribute, and the template that an access uses for it. */
interface Wanted {
  readonly attribute: string;
  readonly template: Template;
  readonly isUpper?: boolean;
}

function keysOf({ partition, sort, range }: Access): readonly Wanted[] {
  return [
    ...(partition ?? []).map(({ attribute, at }) => ({ attribute: attribute.name, template: at })),
    ...(sort === undefined
      ? []
      : boundsOfRange(range).map((template, i) => ({
          attribute: sort.name,
          template,
          isUpper: i > 0 || range.kind === 'atMost' || range.kind === 'lessThan',
        }))),
  ];
}

/**
 * Reads the values of the pattern's parameters from an item's key. A bound's template may match only the beginning of
 * the key.
 */
function readFrom(item: ItemView | undefined, { attribute, template }: Wanted, separator: string): object | undefined {
  const key = item?.attributes[attribute];
  if (typeof key !== 'string') return undefined;
  const beginning = key.split(separator).slice(0, template.text.split(separator).length);
  const found = match(template, key, separator) ?? match(template, beginning.join(separator), separator);
  // If the key contains only the date part of a timestamp, the example value is that date.
  const pieces = partsOf(template).flatMap(({ name, format }) =>
    isPieceOfTime(format) ? [[name, found?.[`${name}:${format}`]] as const] : [],
  );
  return { ...Object.fromEntries(pieces), ...found };
}

/**
 * Returns two items that the pattern could reach. The first one, if possible, has all attributes in the pattern's keys.
 * The other one is the last one in the same partition.
 */
function itemsFor(
  access: Access | undefined,
  keyed: ReadonlySet<string>,
  items: Items | undefined,
): { readonly item?: ItemView | undefined; readonly last?: ItemView | undefined } {
  if (access === undefined || items === undefined) return {};
  const rows = items
    .in(access.index)
    .partitions.flatMap((partition) => partition.rows.map((item) => ({ item, partition })))
    .slice(0, LOOKED_AT);
  const fitting = rows.filter(({ item: { entity = '' } }) => access.entities.includes(entity));
  const found =
    fitting.find(({ item }) => [...keyed].every((name) => item.attributes[name] !== undefined)) ?? fitting[0];
  return { item: found?.item, last: fitting.findLast(({ partition }) => partition === found?.partition)?.item };
}
