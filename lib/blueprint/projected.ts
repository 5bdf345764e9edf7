import { holdsWhole } from '../design/template';
import { type EntityOutline, type IndexBlueprint, keyOf, type TableOutline } from './outline';
import { naming } from './stored';

/**
 * Returns the attributes that an index contains under their own names; undefined if the index contains all attributes.
 */
export function projectedBy(table: TableOutline, index: IndexBlueprint): readonly string[] | undefined {
  return index.projection === 'all' ? undefined : storedIn(table, index);
}

/** Returns the attributes of an index: the key attributes, and the attributes that it projects. */
export function storedIn(table: TableOutline, index: IndexBlueprint): readonly string[] {
  const keys = [...keyOf(table.key), ...keyOf(index)].map(({ name }) => name);
  return typeof index.projection === 'string' ? keys : [...new Set([...keys, ...index.projection])];
}

/** Returns the given attributes that the index contains neither directly nor as part of a key. */
export function lackingIn(
  table: TableOutline,
  index: IndexBlueprint,
  entity: Pick<EntityOutline, 'name' | 'design' | 'attributes' | 'keys'>,
  attributes: readonly string[],
): readonly string[] {
  const stored = projectedBy(table, index);
  if (stored === undefined) return [];
  const parts = stored.flatMap((key) => entity.keys.get(key)?.template.parts ?? []);
  const inKeys = parts.filter(holdsWhole).map(({ name }) => name);
  return attributes.filter((name) => !stored.includes(naming.path([entity], name)) && !inKeys.includes(name));
}
