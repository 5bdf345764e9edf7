import type { SchemaData } from '../blueprint/attributes/data';
import { namesInKey } from '../design/table';
import type { Item } from '../items/item';
import type { DescribedEntity, DescribedTable, Description, Evidence, Remark } from './description';
import { describedEntity, type Frame } from './entities';
import { proposedPatterns, type QueryName } from './patterns';
import { sampleValues } from './samples';
import { inKey, optional, schemaOf } from './values';

/** An entity of another library, and a way to have the library make an item of it. */
export interface LibraryEntity {
  readonly name: string;
  readonly type?: string;
  /** Its attributes, under the names that they are stored by, or else the library's own. */
  readonly attributes: SchemaData;
  /** The library's name of an attribute, if it is stored by another. */
  readonly names?: ReadonlyMap<string, string>;
  readonly unique?: DescribedEntity['unique'];
  /** Comments by place in the entity. */
  readonly remarks: readonly Pick<Remark, 'path' | 'text' | 'unsure'>[];
  /** Has the library render an item; nothing is sent. */
  make(values: Item): Item | Promise<Item>;
}

/** A table whose keys were proposed from items that the library made, and are verified with others. */
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
      remarks.push({ path: at, text: `${library} made no item of it: ${made.fault}`, unsure: true });
    const extra = extrasIn(frame, entity, made.examples);
    const attributes = { ...entity.attributes, shape: { ...entity.attributes.shape, ...extra } };
    const examples = made.examples.map(({ given, item }) => ({ item, values: valuesOf(attributes, given, item) }));
    const except = new Set(Object.keys(extra));
    const read = describedEntity(frame, {
      ...{ name: entity.name, examples, attributes, proposing: { varied: true, except } },
      ...(entity.type !== undefined && { type: entity.type }),
      declared: Object.fromEntries(namesInKey(frame.key).map((key) => [key, { type: 'string' }])),
    });
    described[entity.name] = { ...read.entity, ...(entity.unique && { unique: entity.unique }) };
    remarks.push(
      ...read.remarks,
      ...entity.remarks.map(({ path, ...remark }) => ({ ...remark, path: [...at, ...path] })),
      ...Object.entries(extra).flatMap(([name, schema]): readonly Remark[] =>
        schema.type === 'optional'
          ? [{ path: [...at, 'attributes', name], text: `${library} sets it on every write; here the caller gives it` }]
          : [],
      ),
    );
    evidence.push(...examples.map(({ values, item }) => ({ table: frame.name, entity: entity.name, values, item })));
  }
  const { separator: _, ...rest } = frame;
  const table: Omit<DescribedTable, 'patterns'> = { ...rest, entities: described };
  remarks.push({
    path: [frame.name, 'patterns'],
    text: `proposed from the indexes: ${library} has queries, and no patterns`,
  });
  return { tables: [{ ...table, patterns: proposedPatterns(table, queryName) }], remarks, evidence };
}

/** Items that the library makes of sample values, or why it makes none. */
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

/** An item with plain sets: the SDK's former document client has a class of its own for them. */
function plain(item: Item): Item {
  const entries = Object.entries(item).map(([name, value]) => {
    const { wrapperName, values } = (value ?? {}) as { readonly wrapperName?: unknown; readonly values?: unknown };
    return [name, wrapperName === 'Set' && Array.isArray(values) ? new Set(values) : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** What the library stores besides the attributes, the keys and the type: constants as such, all else as optional. */
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

/** The items are made within a second, so that their times may be equal. */
function timed(values: readonly unknown[]): SchemaData {
  const isIso = values.every(
    (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  );
  return isIso ? { type: 'string', format: 'datetime', precision: 3 } : inKey(schemaOf(values), false);
}

/** The values of the attributes as they were stored, and those that only keys hold as they were given. */
function valuesOf({ shape = {} }: SchemaData, given: Item, item: Item): Item {
  const entries = Object.keys(shape).map((name) => [name, item[name] ?? given[name]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
