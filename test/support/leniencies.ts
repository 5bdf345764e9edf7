import { keyOf, outline } from '../../lib/blueprint/outline';
import { isObject } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { entityOf, type Item } from '../../lib/items/item';

/**
 * Something that a schema tolerates at a path: a missing value, null, or undeclared attributes. `[]` in the path
 * represents any list element.
 */
interface Leniency {
  readonly path: readonly string[];
  readonly admits: 'nothing' | 'null' | 'more';
  /** The attributes that an open map declares. */
  readonly listed?: readonly string[];
}

interface Schema {
  readonly _zod: { readonly def: Def };
}

interface Def {
  readonly type: string;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly catchall?: Schema;
}

/**
 * Returns the leniencies that none of a document's items needs. Without any other leniency, the patterns could no
 * longer read some item in the document, and the document's tests would fail.
 */
export function needlessLeniencies(
  system: SystemDesign,
  items: Readonly<Record<string, Readonly<Record<string, Item>>>>,
): readonly string[] {
  return Object.entries(system.tables).flatMap(([name, design]) => {
    const table = outline(design);
    const stored = Object.values(items[name] ?? {});
    const keyNames = [table.key, ...table.indexes].flatMap((key) => keyOf(key).map((one) => one.name));
    return table.entities.flatMap((entity) => {
      const own = stored.filter((item) => entityOf(table, item, table.entities) === entity);
      if (own.length === 0) return [];
      return leniencies(entity.schema as unknown as Schema)
        .filter((leniency) => !own.some((item) => needs(item, leniency, keyNames)))
        .map(({ path, admits }) => `${entity.name} ${[...path].join('.') || 'itself'}: ${admits}`);
    });
  });
}

function leniencies(schema: Schema, path: readonly string[] = []): readonly Leniency[] {
  const { type, innerType, element, shape, catchall } = schema._zod.def;
  if (innerType !== undefined) {
    const admits = ({ optional: 'nothing', nullable: 'null' } as const)[type];
    return [...(admits === undefined ? [] : [{ path, admits }]), ...leniencies(innerType, path)];
  }
  if (element !== undefined) return leniencies(element, [...path, '[]']);
  if (shape === undefined) return [];
  const isOpen = catchall !== undefined && catchall._zod.def.type !== 'never';
  return [
    ...(isOpen ? [{ path, admits: 'more', listed: Object.keys(shape) } as const] : []),
    ...Object.entries(shape).flatMap(([name, own]) => leniencies(own, [...path, name])),
  ];
}

function needs(item: Item, { path, admits, listed = [] }: Leniency, keys: readonly string[]): boolean {
  if (admits === 'null') return valuesAt(item, path).includes(null);
  if (admits === 'nothing') {
    const name = path.at(-1) as string;
    return valuesAt(item, path.slice(0, -1)).some((map) => isObject(map) && !Object.hasOwn(map, name));
  }
  const known = new Set(['entityType', ...listed, ...keys]);
  return valuesAt(item, path).some((map) => isObject(map) && Object.keys(map).some((name) => !known.has(name)));
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step === '[]') return Array.isArray(value) ? value.flatMap((one) => valuesAt(one, rest)) : [];
  return isObject(value) && Object.hasOwn(value, step) ? valuesAt(value[step], rest) : [];
}
