import { partsOf } from '../blueprint/template-parts';
import type { Condition } from '../design/pattern';
import { type IndexDesign, namesInKey } from '../design/table';
import { template } from '../design/template';
import type { DescribedEntity, DescribedTable } from './description';
import { groupedBy } from './joined';

type Patterns = NonNullable<DescribedTable['patterns']>;

/**
 * Returns the source's own name for a query that reads these entities from this index or table, or undefined if the
 * source has none.
 */
export type QueryName = (index: string | undefined, entities: readonly string[]) => string | undefined;

/** The patterns that the keys support: reading, creating and deleting each entity, and querying each partition. */
export function proposedPatterns(table: Omit<DescribedTable, 'patterns'>, nameOf?: QueryName): Patterns {
  const patterns: Record<string, Patterns[string]> = {};
  const add = (names: readonly string[], pattern: Patterns[string]) => {
    const numbered = Array.from({ length: 1000 }, (_, i) => `${names[0]}${i + 2}`);
    const free = [...names, ...numbered].find((name) => !Object.hasOwn(patterns, name));
    patterns[free as string] = pattern;
  };
  const entities = Object.entries(table.entities);
  for (const [name, entity] of entities) {
    const where = whereOf(entity, namesInKey(table.key));
    if (where === undefined) continue;
    add([`get${upper(name)}`], { op: 'get', where, returns: [name] });
    add([`create${upper(name)}`], { op: 'put', entity: name });
    add([`delete${upper(name)}`], { op: 'delete', entity: name, where, ...guarded(entity, Object.values(where)) });
  }
  const places = [[undefined, table.key] as const, ...Object.entries(table.indexes ?? {})] as const;
  for (const [index, key] of places) {
    const groups = groupedBy(
      entities.filter(([, entity]) => whereOf(entity, namesInKey(key)) !== undefined),
      ([, entity]) =>
        Object.values(whereOf(entity, [key.partition].flat()) ?? {})
          .map(shapeOf)
          .join('\n'),
    );
    for (const group of groups.values()) {
      const [[first, entity]] = group as readonly [(typeof group)[number]];
      // If a partition has only one item, the query would be equivalent to a get.
      const sort = whereOf(entity, [key.sort ?? []].flat()) ?? {};
      if (index === undefined && group.length === 1 && !/[<]/.test(Object.values(sort).join(''))) continue;
      const returns = group.map(([name]) => name);
      const where = whereOf(entity, [key.partition].flat()) ?? {};
      const select = selected(
        table,
        key,
        group.map(([, one]) => one),
      );
      if (select?.length === 0) continue;
      const place = upper(index ?? [key.partition].flat().join(''));
      const plain = `${returns.length > 1 ? 'items' : lower(first)}${/^By[A-Z]/.test(place) ? '' : 'By'}${place}`;
      const own = nameOf?.(index, returns);
      add(own === undefined ? [plain] : [own, `${own}${upper(first)}`], {
        ...{ op: 'query', ...(index !== undefined && { index }), where, returns, ...(select && { select }) },
      });
    }
  }
  return patterns;
}

/**
 * Returns the condition of a delete. A delete can free the item's unique values only if its condition contains them.
 */
function guarded({ unique = {} }: DescribedEntity, primary: readonly string[]): { readonly condition?: Condition } {
  const names = Object.values(unique).flatMap(({ keys }) => Object.values(keys).flatMap(partNames));
  const open = names.filter((name) => !primary.some((text) => partNames(text).includes(name)));
  const tests = open.map((name) => [name, `<former${upper(name)}>`]);
  return tests.length === 0 ? {} : { condition: Object.fromEntries(tests) };
}

/**
 * Returns the attributes that a query can read from an index with a partial projection: the projected attributes, and
 * the attributes in the keys of the index and the table.
 */
export function selected(
  { key }: Pick<DescribedTable, 'key'>,
  { partition, sort, projection = 'all' }: IndexDesign,
  entities: readonly Pick<DescribedEntity, 'keys' | 'attributes'>[],
): readonly string[] | undefined {
  if (projection === 'all') return undefined;
  const listed = projection === 'keys' ? [] : projection;
  const names = entities.flatMap((entity) => {
    const made = [...namesInKey(key), ...namesInKey({ partition, ...(sort !== undefined && { sort }) })];
    const parts = made.flatMap((one) => plainParts(entity.keys?.[one] ?? `<${one}>`));
    return [...parts, ...listed].filter((name) => entity.attributes.shape?.[name] !== undefined);
  });
  return [...new Set(names)];
}

/** The attributes in a template. */
function partNames(text: string): readonly string[] {
  return partsOf(template(text)).map(({ path }) => path[0] as string);
}

/** The attributes that can be read back from a key with this template. */
function plainParts(text: string): readonly string[] {
  return partsOf(template(text)).flatMap(({ name, format }) => (format === undefined ? [name] : []));
}

/**
 * The key templates of an entity, or its natural keys as parameters; undefined if the entity does not have all of the
 * keys.
 */
function whereOf(
  { keys = {}, attributes }: DescribedEntity,
  names: readonly string[],
): Readonly<Record<string, string>> | undefined {
  const templates = names.map(
    (name) => [name, keys[name] ?? (attributes.shape?.[name] ? `<${name}>` : undefined)] as const,
  );
  if (templates.some(([, text]) => text === undefined)) return undefined;
  return Object.fromEntries(templates) as Readonly<Record<string, string>>;
}

/** Removes the names of a template's parts, because different entities name the same part differently. */
function shapeOf(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, '<>');
}

export function upper(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function lower(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}
