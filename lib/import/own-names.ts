import type { DescribedEntity } from './description';

/** Translates the stored names of attributes to a library's own names. */
export interface OwnNames {
  /** Returns the design's name for the attribute with this stored name. */
  nameOf(stored: string): string;
  /** Returns an entity whose attributes have the library's names; its `stored` field keeps the stored names. */
  renamed(entity: DescribedEntity): DescribedEntity;
}

/** @param names the library's attribute names, keyed by stored name */
export function ownNames(names: ReadonlyMap<string, string> = new Map()): OwnNames {
  const own = [...names.values()];
  // If an attribute is stored under another attribute's name, only the stored names tell the two apart.
  const kept = new Map([...names].filter(([stored, name]) => !own.includes(stored) && !names.has(name)));
  const nameOf = (stored: string) => kept.get(stored) ?? stored;
  const inTemplate = (text: string) => text.replaceAll(/<([^<>:.?]+)/g, (_, part: string) => `<${nameOf(part)}`);
  return {
    nameOf,
    renamed({ attributes, keys, keyOnly, ...entity }) {
      const shape = Object.entries(attributes.shape ?? {}).map(([name, schema]) => [nameOf(name), schema]);
      const stored = [...kept].flatMap(([name, now]) => (keyOnly?.includes(name) ? [] : [[now, name]]));
      return {
        attributes: { ...attributes, shape: Object.fromEntries(shape) },
        ...(keys && { keys: Object.fromEntries(Object.entries(keys).map(([key, text]) => [key, inTemplate(text)])) }),
        ...(keyOnly && { keyOnly: keyOnly.map(nameOf) }),
        ...(stored.length > 0 && { stored: Object.fromEntries(stored) }),
        ...entity,
      };
    },
  };
}
