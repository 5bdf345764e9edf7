import { type Access, boundsOfRange } from '../blueprint/accesses';
import type { TableOutline } from '../blueprint/outline';
import { lonePart, match } from '../design/template';
import type { Stored } from '../explore/items';

type Values = Readonly<Record<string, unknown>>;

/** The number of elements to generate for a list. */
export const ELEMENTS = 2;

/** The list that a step or a read iterates over, if any. */
export function listOf({ step }: Pick<Access, 'step'>): string | undefined {
  return 'each' in step ? step.each : undefined;
}

/**
 * A stored item that a list element can refer to, and the parts of the item's key, keyed by names such as `lines.sku`.
 */
export interface Found {
  readonly parts: Values;
  readonly item: Values;
}

/**
 * Returns the stored items that the elements of a list can refer to. These items agree in the key parts that come from
 * outside the list.
 */
export function foundFor(
  table: TableOutline,
  accesses: readonly Access[],
  list: string,
  stored: readonly Stored[],
): readonly Found[] {
  const own = accesses.filter((access) => listOf(access) === list && access.action !== 'put');
  const columns = own.map((access) =>
    stored.flatMap(({ entity = '', item }) => {
      const parts = access.entities.includes(entity) ? partsIn(table, access, item) : undefined;
      return parts === undefined ? [] : [{ parts, item }];
    }),
  );
  const found = new Map<string, Found>();
  let wanted: string | undefined;
  for (let i = 0; i < Math.max(0, ...columns.map(({ length }) => length)) && found.size < ELEMENTS; i++) {
    const row = columns.flatMap((column) => column[i] ?? []);
    const parts: Values = Object.assign({}, ...row.map((one) => one.parts));
    const [element, others] = [true, false].map((isOwn) =>
      textOf(Object.entries(parts).filter(([name]) => isOf(list, name) === isOwn)),
    ) as [string, string];
    wanted ??= others;
    if (others === wanted && !found.has(element))
      found.set(element, { parts, item: Object.assign({}, ...row.map((one) => one.item)) });
  }
  return [...found.values()];
}

/**
 * Builds a list element from values with names such as `lines.sku`. If there is a value for the list's own name, the
 * element is that value.
 */
export function elementOf(list: string, values: Values): unknown {
  if (Object.hasOwn(values, list)) return values[list];
  const fields = Object.entries(values).filter(([name]) => isOf(list, name));
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(list.length + 1), value]));
}

export function isOf(list: string, name: string): boolean {
  return name === list || name.startsWith(`${list}.`);
}

/** Returns the parameter values that make an access reach an item, or undefined if the access cannot reach it. */
function partsIn({ separator }: TableOutline, access: Access, item: Values): Values | undefined {
  const { partition = [], sort, range } = access;
  const sorted = sort === undefined || range.kind !== 'equals' ? [] : boundsOfRange(range);
  const keys = [...partition, ...sorted.map((at) => ({ attribute: sort as { readonly name: string }, at }))];
  const parts: Record<string, unknown> = {};
  for (const { attribute, at } of keys) {
    const key = item[attribute.name];
    const lone = lonePart(at);
    const own = lone && typeof key !== 'string' ? { [lone.name]: key } : match(at, String(key), separator);
    if (own === undefined) return undefined;
    Object.assign(parts, own);
  }
  return parts;
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
}
