import type { SchemaData } from '../blueprint/attributes/data';
import { hasParts, partsOf } from '../blueprint/template-parts';
import { namesInKey, type TableDesign } from '../design/table';
import { match, template, widthOf } from '../design/template';
import type { Item } from '../items/item';
import type { DescribedEntity, Remark } from './description';
import { type Example, type Proposal, type Proposing, proposeTemplate } from './templates';
import { inKey, KEY_TEXT, optional, schemaOf, shapeOf } from './values';

/** The physical properties of a table. Every source states them. */
export type Frame = Pick<TableDesign, 'name' | 'key' | 'indexes' | 'typeAttribute' | 'ttl'> & {
  readonly separator: string;
};

/** The facts that a source states about one entity. */
export interface Known {
  readonly name: string;
  readonly type?: string;
  readonly examples: readonly Example[];
  /** @default - the attributes are inferred from the examples */
  readonly attributes?: SchemaData;
  /** Whether the examples are complete, so that no other attribute exists. @default false */
  readonly complete?: boolean;
  /**
   * The templates that the source states, keyed by key attribute.
   * @default - the templates are proposed from the examples
   */
  readonly templates?: Readonly<Record<string, string>>;
  /**
   * The schemas that the source states for attributes and keys. A schema is used only if its attribute or key is in no
   * example.
   * @default - none
   */
  readonly declared?: Readonly<Record<string, SchemaData>>;
  readonly proposing?: Pick<Proposing, 'except' | 'varied'>;
  /** Names for the parts of each key that are not attributes, keyed by key attribute. */
  readonly hints?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Whether to hold back the item at a position, so that it can verify the templates that are proposed from the other
 * items. If there are enough items, every fourth item is held back.
 */
export function isHeldOut(i: number, count: number): boolean {
  return count >= 8 && i % 4 === 3;
}

/** Returns an entity whose keys reproduce the keys of the examples, with a remark on each unresolved detail. */
export function describedEntity(
  frame: Frame,
  known: Known,
): { readonly entity: DescribedEntity; readonly remarks: readonly Remark[] } {
  const at = [frame.name, 'entities', known.name];
  const remarks: Remark[] = [];
  const primary = namesInKey(frame.key);
  const others = Object.values(frame.indexes ?? {}).flatMap(namesInKey);
  const keyNames = [...new Set([...primary, ...others])];
  const keys: Record<string, string> = {};
  const made = new Map<string, SchemaData>();
  const isTaken = (name: string) => known.attributes?.shape?.[name] !== undefined;
  let examples = known.examples.map(({ values, item }) => ({
    item,
    values: without(values, frame, keyNames, isTaken),
  }));

  const natural = (key: string) => {
    const values = examples.flatMap(({ item }) => (item[key] === undefined ? [] : [item[key]]));
    const stated = known.declared?.[key];
    if (values.length === 0) {
      if (stated !== undefined && (primary.includes(key) || known.examples.length === 0))
        made.set(key, primary.includes(key) ? inKey(stated, false) : optional(inKey(stated, false)));
      return;
    }
    const schema = isTaken(key) ? (known.attributes?.shape?.[key] as SchemaData) : inKey(schemaOf(values), false);
    made.set(key, values.length < examples.length ? optional(schema) : schema);
    examples = examples.map(({ item, values: all }) => ({ item, values: { [key]: item[key], ...all } }));
  };
  const propose = (key: string): Proposal | undefined => {
    const stated = known.templates?.[key];
    if (stated !== undefined) return { template: stated, unknown: unknownIn(stated, examples, known), doubts: [] };
    const hints = known.hints?.[key];
    const options = { separator: frame.separator, ...known.proposing, ...(hints && { hints }) };
    const most = examples.filter((_, i) => !isHeldOut(i, examples.length));
    const found = proposeTemplate(key, most, options);
    // If the other items leave doubts, the items that were held back may resolve them.
    return found?.doubts.length === 0 || most.length === examples.length
      ? found
      : proposeTemplate(key, examples, options);
  };
  const settle = (key: string, isPrimary: boolean) => {
    const found = isTaken(key) && known.templates?.[key] === undefined ? undefined : propose(key);
    const isSparse = examples.some(({ item }) => item[key] === undefined);
    // A constant key would put every item into the index, even items that do not belong there.
    const isConstant = found?.template !== undefined && isSparse && !hasParts(template(found.template));
    const isOpen = found?.template !== undefined && (found.unknown.length > 0 || isConstant) && !isPrimary;
    if (found?.template === undefined || isOpen) {
      // In hand-written items, a key without a separator is an attribute. A library, in contrast, renders every key
      // from attributes.
      const isPlain = found !== undefined && !isOpen && !known.proposing?.varied;
      if (!isPlain && !isConstant && !isTaken(key) && examples.some(({ item }) => typeof item[key] === 'string'))
        remarks.push(unsure([...at, 'attributes', key], NO_FORM));
      natural(key);
      return;
    }
    keys[key] = found.template;
    for (const doubt of found.doubts) remarks.push(unsure([...at, 'keys', key], doubt));
    for (const part of found.unknown) {
      made.set(part, KEY_TEXT);
      if (!known.hints?.[key]?.includes(part) && known.templates?.[key] === undefined)
        remarks.push(unsure([...at, 'attributes', part], `this value occurs only in ${key}, so its name is invented`));
    }
    const read = template(found.template);
    examples = examples.map(({ item, values }) => {
      const parts = typeof item[key] === 'string' ? match(read, item[key], frame.separator) : undefined;
      const own = Object.entries(parts ?? {}).filter(([name]) => found.unknown.includes(name));
      return { item, values: { ...Object.fromEntries(own), ...values } };
    });
  };
  // Handles natural keys first, since other keys may contain them.
  const isNatural = (key: string) =>
    isTaken(key) || (known.templates?.[key] === undefined && propose(key)?.template === undefined);
  const settled = primary.filter(isNatural);
  for (const key of settled) settle(key, true);
  for (const key of primary) if (!settled.includes(key)) settle(key, true);
  for (const key of keyNames) if (!primary.includes(key)) settle(key, false);

  const inferred = shapeOf(
    examples.map(({ values }) => values),
    known.complete !== true,
  );
  const base = known.attributes ?? inferred;
  const shape: Record<string, SchemaData> = {};
  for (const [name, schema] of [...made, ...Object.entries(base.shape ?? {})]) shape[name] ??= schema;
  const declared = Object.entries(known.declared ?? {}).filter(([name]) => !keyNames.includes(name));
  for (const [name, schema] of declared) shape[name] ??= optional(schema);
  const parts = Object.values(keys).flatMap((text) => partsOf(template(text)));
  for (const { name, format } of parts) {
    const schema = shape[name];
    if (schema !== undefined)
      shape[name] = inKey(schema, widthOf({ name, path: [name], optional: false, format } as never) !== undefined);
  }
  if (known.attributes === undefined) remarks.push(...confidence(at, shape, examples));
  const keyOnly = Object.keys(shape).filter(
    (name) =>
      examples.length > 0 &&
      parts.some((part) => part.name === name) &&
      examples.every(({ item }) => item[name] === undefined),
  );
  return {
    entity: {
      attributes: { ...base, shape },
      ...(Object.keys(keys).length > 0 && { keys }),
      ...(known.type !== undefined && known.type !== known.name && { type: known.type }),
      ...(keyOnly.length > 0 && { keyOnly }),
    },
    remarks,
  };
}

const NO_FORM = 'the other attributes do not explain the form of these values, so this key is a separate attribute';

function unsure(path: readonly string[], text: string): Remark {
  return { path, text, unsure: true };
}

/** Returns the values of an item without its type, and without the keys that templates render. */
function without(
  values: Item,
  { typeAttribute }: Frame,
  keys: readonly string[],
  isTaken: (name: string) => boolean,
): Item {
  const own = Object.entries(values).filter(
    ([name]) => name !== typeAttribute && (isTaken(name) || !keys.includes(name)),
  );
  return Object.fromEntries(own);
}

/** Returns the parts of the source's template that are not attributes. */
function unknownIn(text: string, examples: readonly Example[], { attributes }: Known): readonly string[] {
  const names = partsOf(template(text)).map(({ path }) => path[0] as string);
  const isKnown = (name: string) =>
    attributes?.shape?.[name] !== undefined || examples.some(({ values }) => values[name] !== undefined);
  return [...new Set(names.filter((name) => !isKnown(name)))];
}

function confidence(
  at: readonly string[],
  shape: Readonly<Record<string, SchemaData>>,
  examples: readonly Example[],
): readonly Remark[] {
  if (examples.length === 0) return [unsure(at, 'the source has no items of this entity, so only the key is certain')];
  const count = (name: string) => examples.filter(({ values }) => values[name] !== undefined).length;
  const some = Object.keys(shape).filter((name) => count(name) > 0 && count(name) < examples.length);
  return [
    { path: at, text: `inferred from ${examples.length === 1 ? 'one item' : `${examples.length} items`}` },
    ...some.map((name) => ({
      path: [...at, 'attributes', name],
      text: `in ${count(name)} of ${examples.length} items`,
    })),
  ];
}
