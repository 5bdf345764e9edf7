import { type QuickTest, quickTest } from '../blueprint/attributes/quick';
import { isPlainObject, shapeOf } from '../blueprint/attributes/schema';
import type { Membership } from '../blueprint/membership';
import { type EntityOutline, type KeySource, rulesOf, type TableOutline } from '../blueprint/outline';
import { partsOf } from '../blueprint/template-parts';
import type { Item } from './item';
import { isFit, plainParts, renderer } from './renderer';

/**
 * Makes an item of an entity without asking zod, which would take most of the time, where all of its attributes are there and
 * right, nothing else is, and it is in all indexes. Of whatever is unusual or wrong it makes nothing: that takes the slow
 * way, which decides and has the words.
 */
export type QuickWriter = (values: object) => Item | undefined;

/** Of an entity whose attributes are all strings that can be told at once, as most are. */
export function quickWriter(
  table: TableOutline,
  entity: EntityOutline,
  sources: readonly KeySource[],
  membership: Membership,
): QuickWriter | undefined {
  const { attributes: names, schema, design } = entity;
  // The type is the table's, even where an attribute has its name.
  if (design.keyOnly?.length || names.includes(table.typeAttribute ?? '') || !isPlainObject(schema)) return undefined;
  const keys = keysOf(table, names, sources);
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
    // To go by what is given, and not by what is known, is what the engine does best.
    for (const name in values) {
      const value = (values as Item)[name];
      // Mostly it comes in the order of the design, and need not be looked for.
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
      const { attributes, texts, slots, maxBytes, write } = keys[i] as QuickKey;
      let key = texts[0] as string;
      for (let j = 0; j < slots.length; j++) key += given[slots[j] as number] + (texts[j + 1] as string);
      if (write !== undefined) key = write(values);
      if (key.length * 3 > maxBytes) return undefined;
      for (let j = 0; j < attributes.length; j++) item[attributes[j] as string] = key;
    }
    return item;
  };
}

/** One key, under as many names as it has: several are often made by one template, and so are the same. */
interface QuickKey {
  readonly attributes: readonly string[];
  /** The text before each value, and after the last one. */
  readonly texts: readonly string[];
  /** The places of those values among the attributes. */
  readonly slots: readonly number[];
  readonly maxBytes: number;
  /** What else makes it, where there is more to it than that. */
  readonly write?: (values: object) => string;
}

function keysOf(table: TableOutline, names: readonly string[], sources: readonly KeySource[]): readonly QuickKey[] {
  const keys = new Map<string, QuickKey>();
  for (const { attribute, natural, template } of sources) {
    if (natural) continue;
    const before = keys.get(template.text);
    const attributes = [...(before?.attributes ?? []), attribute];
    const rules = rulesOf(table, attribute);
    const maxBytes = Math.min(before?.maxBytes ?? Infinity, rules.maxBytes);
    const plain = plainParts(template);
    const slots = plain?.names.map((name) => names.indexOf(name)) ?? [-1];
    keys.set(
      template.text,
      plain === undefined || slots.includes(-1)
        ? { attributes, texts: [''], slots: [], maxBytes, write: renderer(template, { ...rules, maxBytes }) }
        : { attributes, texts: plain.texts, slots, maxBytes },
    );
  }
  return [...keys.values()];
}

/** A value that keys are made of must also be fit for them; one that is a key itself may hold anything but nothing. */
function asPart(test: QuickTest, { separator }: TableOutline, sources: readonly KeySource[], name: string): QuickTest {
  const own = sources.filter(({ template }) => partsOf(template).some((hole) => hole.name === name));
  if (own.length === 0) return test;
  if (own.some(({ natural }) => !natural)) return (text) => isFit(text, separator) && test(text);
  return (text) => text !== '' && text.isWellFormed() && test(text);
}

/**
 * An item with every attribute and every key, none of them filled in but the type: to copy it and fill it in takes half the
 * time that it takes to add them one by one. By way of JSON: of objects that grow name by name, the engine keeps only small
 * ones in a form that is fast.
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
