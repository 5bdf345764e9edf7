import { type QuickTest, quickTest } from '../blueprint/attributes/quick';
import { isPlainObject, shapeOf } from '../blueprint/attributes/schema';
import type { Membership } from '../blueprint/membership';
import { type EntityOutline, type KeySource, rulesOf, type TableOutline } from '../blueprint/outline';
import { partsOf } from '../blueprint/template-parts';
import type { Template } from '../design/template';
import type { Item } from './item';
import { isFit, plainRenderer } from './renderer';

/**
 * Makes an item without zod, because parsing with zod would take most of the time. Requires valid values for all
 * attributes and nothing else, and an item that belongs in every index. Otherwise, the function returns undefined, and
 * the slow path makes the item or reports errors.
 */
export type QuickWriter = (values: object) => Item | undefined;

/** Supports only entities whose attributes are all strings with a quick test. This covers most entities. */
export function quickWriter(
  table: TableOutline,
  entity: EntityOutline,
  sources: readonly KeySource[],
  membership: Membership,
): QuickWriter | undefined {
  const { attributes: names, schema, design } = entity;
  // If an attribute has the same name as the type attribute, only the slow path overwrites the given value with the
  // type.
  if (design.keyOnly?.length || design.stored || names.includes(table.typeAttribute ?? '') || !isPlainObject(schema))
    return undefined;
  const keys = keysOf(table, sources);
  const tests = Object.values(shapeOf(schema)).map((part, at) => {
    const test = quickTest(part);
    return test && asPart(test, table, sources, names[at] as string);
  });
  if (tests.includes(undefined)) return undefined;
  const decisive = membership.map(({ name, values }) => ({
    slot: names.indexOf(name),
    values: new Set<unknown>(values),
  }));
  const blank = blankOf(table, entity, sources);
  return (values) => {
    if (!values || Object.getPrototypeOf(values) !== Object.prototype) return undefined;
    const given: string[] = new Array(names.length);
    let count = 0;
    // JavaScript engines are fastest if the loop iterates over the given values.
    for (const name in values) {
      const value = (values as Item)[name];
      // Callers usually pass values in the design's order, so a name rarely has to be searched for.
      const at = names[count++] === name ? count - 1 : names.indexOf(name);
      if (at === -1 || typeof value !== 'string' || !(tests[at] as QuickTest)(value)) return undefined;
      given[at] = value;
    }
    if (count !== names.length) return undefined;
    for (let i = 0; i < decisive.length; i++) {
      const { slot, values } = decisive[i] as (typeof decisive)[number];
      if (!values.has(given[slot])) return undefined;
    }
    const item: Item = Object.assign({ ...blank }, values);
    for (let i = 0; i < keys.length; i++) {
      const { attributes, write } = keys[i] as QuickKey;
      const key = write(values);
      for (let j = 0; j < attributes.length; j++) item[attributes[j] as string] = key;
    }
    return item;
  };
}

/** A rendered key, and all key attributes that store it, since several attributes often share a template. */
interface QuickKey {
  readonly attributes: readonly string[];
  write(values: object): string;
}

function keysOf(table: TableOutline, sources: readonly KeySource[]): readonly QuickKey[] {
  const keys = new Map<string, { attributes: string[]; maxBytes: number; template: Template }>();
  for (const { attribute, natural, template } of sources) {
    if (natural) continue;
    const { maxBytes } = rulesOf(table, attribute);
    const known = keys.get(template.text) ?? { attributes: [], maxBytes, template };
    keys.set(template.text, {
      template,
      attributes: [...known.attributes, attribute],
      maxBytes: Math.min(known.maxBytes, maxBytes),
    });
  }
  const { separator } = table;
  return Array.from(keys.values(), ({ attributes, template, maxBytes }) => ({
    attributes,
    write: plainRenderer(template, { separator, maxBytes }),
  }));
}

/**
 * A value in a key template must pass its attribute's test and also be allowed in a key. A natural key may contain any
 * characters.
 */
function asPart(test: QuickTest, { separator }: TableOutline, sources: readonly KeySource[], name: string): QuickTest {
  const own = sources.filter(({ template }) => partsOf(template).some((part) => part.name === name));
  if (own.length === 0) return test;
  // A string that contains this text takes the slow path.
  const kept = own.every(({ natural }) => natural) ? '\0' : separator;
  return (text) => isFit(text, kept) && test(text);
}

/**
 * Returns an item that has every attribute and key, but no values except the type. Copying and filling this item takes
 * half as long as adding the names one by one. The item is parsed from JSON, because JavaScript engines slow down large
 * objects that are built one property at a time.
 */
function blankOf(
  { typeAttribute }: TableOutline,
  { attributes, type }: EntityOutline,
  sources: readonly KeySource[],
): Item {
  const names = new Set([...attributes, ...sources.map(({ attribute }) => attribute)]);
  const fields = Array.from(names, (name) => `${JSON.stringify(name)}:null`);
  if (typeAttribute !== undefined) fields.push(`${JSON.stringify(typeAttribute)}:${JSON.stringify(type)}`);
  return JSON.parse(`{${fields.join()}}`);
}
