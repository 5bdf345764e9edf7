import { type EntityOutline, type IndexBlueprint, keyOf, type TableOutline } from './outline';

/** The attributes that an index holds under their own names; undefined where it holds all of them. */
export function projectedBy(table: TableOutline, index: IndexBlueprint): readonly string[] | undefined {
  return index.projection === 'all' ? undefined : storedIn(table, index);
}

/** The keys in an index, and what it is said to project beside them. */
export function storedIn(table: TableOutline, index: IndexBlueprint): readonly string[] {
  const keys = [...keyOf(table.key), ...keyOf(index)].map(({ name }) => name);
  return typeof index.projection === 'string' ? keys : [...new Set([...keys, ...index.projection])];
}

/** Of these attributes of an entity, those that an index neither holds nor tells by a key that it holds. */
export function lackingIn(
  table: TableOutline,
  index: IndexBlueprint,
  { keys }: Pick<EntityOutline, 'keys'>,
  attributes: readonly string[],
): readonly string[] {
  const stored = projectedBy(table, index);
  if (stored === undefined) return [];
  const holes = stored.flatMap((key) => keys.get(key)?.template.holes ?? []);
  const told = holes.filter(({ format }) => typeof format !== 'string').map(({ name }) => name);
  return attributes.filter((name) => !stored.includes(name) && !told.includes(name));
}
