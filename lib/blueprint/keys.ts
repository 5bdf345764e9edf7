import type { EntityDesign, TableDesign } from '../design/table';
import { type Hole, type Template, template } from '../design/template';

/** How an entity comes to one key attribute. Apart from the rest of the blueprint, since requests need no more of it. */
export interface KeySource {
  readonly template: Template;
  /** Whether it is an attribute of the entity, taken as it is. */
  readonly natural: boolean;
}

/** Every attribute that is a key of the table or of an index, once each, in the order of the design. */
export function keyNames({ key, indexes = {} }: TableDesign): readonly string[] {
  const names = new Set<string>();
  for (const { partition, sort } of [key, ...Object.values(indexes)]) {
    names.add(partition);
    if (sort !== undefined) names.add(sort);
  }
  return [...names];
}

/** Where each key attribute of an entity comes from; one that is missing here is not on the item. */
export function keySources(entity: EntityDesign, names: readonly string[]): ReadonlyMap<string, KeySource> {
  const sources = new Map<string, KeySource>();
  const { keys = {}, attributes } = entity;
  for (const name of names) {
    // An attribute may be named `constructor`, which every object has by birth.
    const text = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (text !== undefined) sources.set(name, { template: template(text), natural: false });
    else if (Object.hasOwn(attributes._zod.def.shape, name)) {
      sources.set(name, { template: template(`<${name}>`), natural: true });
    }
  }
  return sources;
}

/** The part of another template that stands where a parameter does, if both read the same up to there. */
export function counterpartOf(template: Template, hole: Hole, other: Template): Hole | undefined {
  for (const [i, part] of template.parts.entries()) {
    const there = other.parts[i];
    if (part === hole) return typeof there === 'object' ? there : undefined;
    if (typeof part === 'string' ? part !== there : typeof there !== 'object') return undefined;
  }
  return undefined;
}
