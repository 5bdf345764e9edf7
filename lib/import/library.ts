import type { SchemaData } from '../blueprint/attributes/data';
import { namesInKey } from '../design/table';
import { takes } from '../evolve/schema/rebuild';
import type { Item } from '../items/item';
import type { DescribedEntity, DescribedTable, Description, Evidence, Remark } from './description';
import { describedEntity, type Frame, isHeldOut } from './entities';
import { expiring } from './items';
import { ownNames } from './own-names';
import { proposedPatterns, type QueryName } from './patterns';
import { sampleValues } from './samples';
import { inKey, optional, schemaOf } from './values';

/** An entity from another library, with a function that makes the library render an item. */
export interface LibraryEntity {
  readonly name: string;
  readonly type?: string;
  /**
   * The attributes of the entity. Each attribute is listed under its stored name or, if that is unknown, under the
   * library's name.
   */
  readonly attributes: SchemaData;
  /** The library's own names for the attributes that it stores under different names, keyed by stored name. */
  readonly names?: ReadonlyMap<string, string>;
  readonly unique?: DescribedEntity['unique'];
  /** The comments on the entity, each with its path. */
  readonly remarks: readonly Pick<Remark, 'path' | 'text' | 'unsure'>[];
  /** Makes the library render an item, without sending a request. */
  make(values: Item): Item | Promise<Item>;
}

/**
 * Describes a table. Proposes its key templates from most of the items that the library renders, and returns all of the
 * items as evidence.
 */
export async function describedLibrary(
  frame: Frame,
  library: string,
  entities: readonly LibraryEntity[],
  queryName?: QueryName,
): Promise<Description> {
  const remarks: Remark[] = [];
  const evidence: Evidence[] = [];
  const described: Record<string, DescribedEntity> = {};
  for (const entity of entities) {
    const at = [frame.name, 'entities', entity.name];
    const made = await itemsOf(entity);
    if (made.fault !== undefined)
      remarks.push({
        path: at,
        text: `${library} could not render an item of this entity: ${made.fault}`,
        unsure: true,
      });
    const extra = extrasIn(frame, entity, made.examples);
    const shape = { ...entity.attributes.shape, ...extra };
    const attributes = { ...entity.attributes, shape: storedShape(shape, made.examples) };
    const examples = made.examples.map(({ given, item }) => ({
      item,
      values: valuesOf(attributes.shape, given, item),
    }));
    const except = new Set(Object.keys(extra));
    const read = describedEntity(frame, {
      ...{ name: entity.name, examples, attributes, proposing: { varied: true, except } },
      ...(entity.type !== undefined && { type: entity.type }),
      declared: Object.fromEntries(namesInKey(frame.key).map((key) => [key, { type: 'string' }])),
    });
    const { nameOf, renamed } = ownNames(entity.names);
    const placed = (path: readonly string[]) =>
      path.map((step, i) => (i === at.length + 1 && path[i - 1] === 'attributes' ? nameOf(step) : step));
    described[entity.name] = { ...renamed(read.entity), ...(entity.unique && { unique: entity.unique }) };
    // A key without a template is an ordinary attribute.
    const whole = (values: Item, item: Item) => valuesOf(read.entity.attributes.shape ?? {}, values, item);
    remarks.push(
      ...read.remarks.map((remark) => ({ ...remark, path: placed(remark.path) })),
      ...entity.remarks.map(({ path, ...remark }) => ({ ...remark, path: placed([...at, ...path]) })),
      ...Object.entries(extra).flatMap(([name, schema]): readonly Remark[] =>
        schema.type === 'optional'
          ? [
              {
                path: [...at, 'attributes', name],
                text: `${library} sets this attribute on every write; in this design, the caller must provide the value`,
              },
            ]
          : [],
      ),
    );
    evidence.push(
      ...examples.map(({ values, item }, i) => {
        const named = Object.entries(whole(values, item)).map(([name, value]) => [nameOf(name), value]);
        return {
          ...{ table: frame.name, entity: entity.name, values: Object.fromEntries(named), item },
          isHeldOut: isHeldOut(i, examples.length),
        };
      }),
    );
  }
  if (frame.ttl !== undefined) expiring(frame.ttl, described);
  const { separator: _, ...rest } = frame;
  const table: Omit<DescribedTable, 'patterns'> = { ...rest, entities: described };
  remarks.push({
    path: [frame.name, 'patterns'],
    text: `proposed from the indexes, because ${library} does not declare access patterns`,
  });
  return { tables: [{ ...table, patterns: proposedPatterns(table, queryName) }], remarks, evidence };
}

/** Returns items that the library renders from sample values, or the reason why the library cannot render them. */
async function itemsOf({ attributes, names = new Map(), make }: LibraryEntity): Promise<{
  readonly examples: readonly { readonly given: Item; readonly item: Item }[];
  readonly fault?: string;
}> {
  const examples: { given: Item; item: Item }[] = [];
  let fault: string | undefined;
  for (const given of sampleValues(attributes)) {
    const named = Object.entries(given).map(([name, value]) => [names.get(name) ?? name, value]);
    try {
      examples.push({ given, item: plain(await make(Object.fromEntries(named))) });
    } catch (error) {
      fault = (error as Error).message.split('\n')[0];
    }
  }
  return examples.length > 0 || fault === undefined ? { examples } : { examples, fault };
}

/** Replaces the sets in an item with plain sets, because the SDK's older document client has its own class for sets. */
function plain(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) => {
    const { wrapperName, values } = (value ?? {}) as { readonly wrapperName?: unknown; readonly values?: unknown };
    return [name, wrapperName === 'Set' && Array.isArray(values) ? new Set(values) : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/**
 * Returns the attributes that the library itself adds besides keys and type: constants as literals, and all others as
 * optional attributes.
 */
function extrasIn(
  { key, indexes = {}, typeAttribute }: Frame,
  { attributes }: LibraryEntity,
  examples: readonly { readonly item: Item }[],
): Readonly<Record<string, SchemaData>> {
  const keys = [key, ...Object.values(indexes)].flatMap(namesInKey);
  const names = [...new Set(examples.flatMap(({ item }) => Object.keys(item)))].filter(
    (name) => !keys.includes(name) && name !== typeAttribute && attributes.shape?.[name] === undefined,
  );
  return Object.fromEntries(
    names.map((name) => {
      const values = examples.map(({ item }) => item[name]);
      const [first] = values;
      const isConstant =
        typeof first === 'string' && /^\S{0,20}$/.test(first) && values.every((value) => value === first);
      const isTime = typeof first === 'string' && /^\d{4}-\d\d-\d\dT/.test(first);
      if (!isConstant || isTime) return [name, optional(timed(values))];
      const literal: SchemaData = { type: 'literal', values: [first] };
      return [name, { type: 'default', default: JSON.stringify(first), innerType: literal }];
    }),
  );
}

/**
 * Derives the schema of an attribute that the library adds. Recognizes times by their format, even if they are all
 * equal: the items are rendered within a second.
 */
function timed(values: readonly unknown[]): SchemaData {
  const isIso = values.every(
    (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  );
  return isIso ? { type: 'string', format: 'datetime', precision: 3 } : inKey(schemaOf(values), false);
}

/**
 * Returns the attributes as the library stores them. This form may differ from the library's model: for example, a date
 * may be stored as a number of seconds.
 */
function storedShape(
  shape: Readonly<Record<string, SchemaData>>,
  examples: readonly { readonly item: Item }[],
): Readonly<Record<string, SchemaData>> {
  const entries = Object.entries(shape).map(([name, schema]) => {
    const values = examples.flatMap(({ item }) => (item[name] === undefined ? [] : [item[name]]));
    if (values.every((value) => takes(schema, value))) return [name, schema];
    const stored = schemaOf(values);
    return [name, schema.type === 'optional' ? optional(stored) : stored];
  });
  return Object.fromEntries(entries);
}

/** Returns the stored values of the attributes. If a value exists only in keys, returns the given value instead. */
function valuesOf(shape: Readonly<Record<string, SchemaData>>, given: Item, item: Item): Item {
  const entries = Object.keys(shape).map((name) => [name, item[name] ?? given[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
