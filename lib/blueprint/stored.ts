import type { EntityDesign } from '../design/table';
import { KeyError } from '../design/template';
import type { EntityOutline } from './outline';
import type { Unions } from './union-code';

type Values = Record<string, unknown>;

/** Translates the attribute names of a design to the names used in the table, and back. */
export interface Naming {
  /** Returns the attribute that provides the value of a natural key. */
  attributeOf(names: EntityDesign['stored'], key: string): string;
  /** Translates a path within items of the given entities to the names used in the table. */
  path(entities: readonly Pick<EntityOutline, 'name' | 'design' | 'attributes'>[], path: string): string;
  /** Returns an item with its attributes renamed to the names used in the table. */
  write(entity: EntityOutline, item: Values): Values;
  /** Returns a stored item with its attributes renamed to the design's names. Keys also keep their own names. */
  read(entity: Pick<EntityOutline, 'design' | 'keys'>, item: Values): Values;
}

/**
 * These functions change nothing until `useStored` installs the code for `stored` and unions. A bundle therefore
 * contains that code only if it needs it.
 */
export const naming: Naming & Unions = {
  attributeOf: unchanged,
  path: unchanged,
  write: unchanged,
  read: unchanged,
  entity: unchanged,
  narrow: unchanged,
  as: unchanged,
};

function unchanged<T>(_: unknown, as: T): T {
  return as;
}

/** Installs the code that lets designs store attributes under different names, and use unions. */
export function useStored(code: Naming | undefined, unions: Partial<Unions> | undefined): void {
  Object.assign(naming, code, unions);
}

type Names = NonNullable<EntityDesign['stored']>;

/**
 * Implements `stored`. If an entity declares `stored`, pass this to `requests`, `reads` or `client` as `{ stored }`.
 */
export const stored: Naming = {
  attributeOf: (names, key) => Object.entries(names ?? {}).find(([, name]) => name === key)?.[0] ?? key,
  path(entities, path) {
    const [first, second] = storedAs(entities, headOf(path));
    if (second === undefined) return first === undefined ? path : first.name + path.slice(headOf(path).length);
    throw new KeyError(
      path,
      `'${headOf(path)}' is stored as '${first?.name}' in ${first?.entity}, but as '${second.name}' in ${second.entity}; use one name`,
    );
  },
  write({ design, keys }, item) {
    const names = design.stored;
    if (names === undefined) return item;
    const written: typeof item = {};
    for (const [attribute, value] of Object.entries(item)) {
      const name = nameOf(names, attribute);
      if (Object.hasOwn(written, name) && written[name] !== value)
        throw new KeyError(
          name,
          `'${stored.attributeOf(names, name)}' and '${name}' differ, but both are stored as '${name}'; omit one`,
        );
      // A key cannot be null. An item whose key would be null is stored without the key, so it is not in the index.
      if ((value ?? undefined) !== undefined || !keys.has(name)) written[name] = value;
    }
    return written;
  },
  read({ design, keys }, item) {
    const names = design.stored;
    if (names === undefined) return item;
    const read: typeof item = {};
    for (const [name, value] of Object.entries(item)) {
      const attribute = stored.attributeOf(names, name);
      // If an item has values under both the attribute's own name and its stored name, the former is left over from an
      // earlier release.
      const isLeft = attribute === name && nameOf(names, name) !== name && Object.hasOwn(item, nameOf(names, name));
      if (!isLeft) read[attribute] = value;
      if (keys.has(name)) read[name] = value;
    }
    return read;
  },
};

/** In a change to an item, renames the attributes to the names used in the table. */
export function storedChange<C extends Paths>(entity: EntityOutline, change: C): C {
  if (entity.design.stored === undefined) return change;
  const at = (path: string) => stored.path([entity], path);
  const renamed = <V>(changes: ReadonlyMap<string, V>) =>
    new Map(Array.from(changes, ([path, value]) => [at(path), value] as const));
  const { set, copied, computed, added, removed } = change;
  return {
    ...change,
    set: renamed(set),
    copied: new Map(Array.from(renamed(copied), ([path, from]) => [path, at(from)])),
    computed: renamed(computed),
    added: renamed(added),
    removed: removed.map(at),
  };
}

/** The changes to an item, keyed by path. Only the paths matter here. */
interface Paths {
  readonly set: ReadonlyMap<string, unknown>;
  readonly copied: ReadonlyMap<string, string>;
  readonly computed: ReadonlyMap<string, unknown>;
  readonly added: ReadonlyMap<string, unknown>;
  readonly removed: readonly string[];
}

/**
 * Returns the names under which the given entities store an attribute, each with the first entity that uses the name.
 */
export function storedAs(
  entities: readonly Pick<EntityOutline, 'name' | 'design' | 'attributes'>[],
  attribute: string,
): readonly { readonly name: string; readonly entity: string }[] {
  const found = new Map<string, string>();
  for (const { name: entity, design, attributes } of entities) {
    if (!attributes.includes(attribute)) continue;
    const name = nameOf(design.stored ?? {}, attribute);
    if (!found.has(name)) found.set(name, entity);
  }
  return Array.from(found, ([name, entity]) => ({ name, entity }));
}

/** Returns the name under which the table stores an attribute of an entity. */
export function storedName({ stored: names = {} }: Pick<EntityDesign, 'stored'>, attribute: string): string {
  return nameOf(names, attribute);
}

function nameOf(names: Names, attribute: string): string {
  return Object.hasOwn(names, attribute) ? (names[attribute] as string) : attribute;
}

function headOf(path: string): string {
  return path.split(/[.[]/, 1)[0] as string;
}
