import type { SchemaData } from '../blueprint/attributes/data';
import { type IndexDesign, type KeyDesign, namesInKey } from '../design/table';
import { plainItem } from '../dynamodb/attribute-values';
import type { Item } from '../items/item';
import { type Description, unreadable } from './description';
import type { Frame } from './entities';
import { joined } from './joined';
import { describedLibrary, type LibraryEntity } from './library';
import { optional } from './values';

/** The part of a live OneTable table that the importer reads. */
interface OneTable {
  readonly name: string;
  readonly typeField: string;
  getCurrentSchema(): OneSchema | undefined;
  getModel(name: string): { create(values: Item, options: object): Promise<unknown> };
}

interface OneSchema {
  readonly indexes: Readonly<Record<string, OneIndex>>;
  readonly models: Readonly<Record<string, Readonly<Record<string, OneField>>>>;
}

interface OneIndex {
  readonly hash: string;
  readonly sort?: string;
  readonly type?: string;
  readonly project?: 'all' | 'keys' | readonly string[];
}

interface OneField {
  readonly type: unknown;
  readonly value?: unknown;
  readonly required?: boolean;
  readonly unique?: boolean;
  readonly scope?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly generate?: unknown;
  readonly encode?: unknown;
  readonly map?: string;
  readonly ttl?: boolean;
  readonly crypt?: boolean;
  readonly validate?: unknown;
  readonly items?: OneField;
  readonly schema?: Readonly<Record<string, OneField>>;
}

/** Returns the OneTable tables that a module exports. */
export async function fromOneTable(exported: readonly unknown[], file: string): Promise<Description> {
  const tables = [...new Set(exported)].filter(isTable);
  if (tables.length === 0)
    throw unreadable(
      `'${file}' exports no OneTable Table; export the result of new Table({ … }), and run the import again`,
    );
  return joined(await Promise.all(tables.map((table) => tableOf(table, file))));
}

function isTable(value: unknown): value is OneTable {
  const { getCurrentSchema, getModel } = (value ?? {}) as Partial<Record<keyof OneTable, unknown>>;
  return typeof getCurrentSchema === 'function' && typeof getModel === 'function';
}

async function tableOf(table: OneTable, file: string): Promise<Description> {
  const schema = table.getCurrentSchema();
  if (schema === undefined) throw unreadable(`'${file}': the table '${table.name}' has no schema; add one`);
  const { primary, ...others } = schema.indexes;
  if (primary === undefined) throw unreadable(`'${file}': the schema of '${table.name}' has no index 'primary'`);
  const indexes = Object.entries(others).map(([name, index]): readonly [string, IndexDesign] => {
    const { hash = primary.hash, sort, project = 'all' } = index;
    const isLocal = index.type === 'local' || index.hash === undefined;
    const sides = { partition: hash, ...(sort !== undefined && { sort }) };
    return [name, { ...(isLocal && { local: true }), ...sides, ...(project !== 'all' && { projection: project }) }];
  });
  const models = Object.entries(schema.models).filter(([name]) => !name.startsWith('_'));
  const ttl = models.flatMap(([, fields]) => Object.entries(fields)).find(([, field]) => field.ttl);
  const frame = {
    ...{ name: table.name, separator: '#', typeAttribute: table.typeField ?? '_type' },
    key: { partition: primary.hash, ...(primary.sort !== undefined && { sort: primary.sort }) },
    ...(indexes.length > 0 && { indexes: Object.fromEntries(indexes) }),
    ...(ttl !== undefined && { ttl: ttl[1].map ?? ttl[0] }),
  };
  const entities = models.map(([name, fields]) => entityOf(table, frame, name, fields));
  return describedLibrary(frame, 'OneTable', entities);
}

function entityOf(
  table: OneTable,
  { key, indexes = {} }: Pick<Frame, 'key' | 'indexes'>,
  name: string,
  fields: OneSchema['models'][string],
): LibraryEntity {
  const keys = [key, ...Object.values(indexes)].flatMap(namesInKey);
  const remarks: LibraryEntity['remarks'][number][] = [];
  const names = new Map<string, string>();
  const isInKey = (field: string) => keys.some((one) => String(fields[one]?.value).includes(`\${${field}`));
  const packed = packedIn(fields);
  const shape = Object.entries(fields).flatMap(([field, given]): readonly (readonly [string, SchemaData])[] => {
    const { map = field, value, encode, crypt, validate } = given;
    // In OneTable, a value template computes a key or an attribute.
    if (value !== undefined || field === table.typeField || map.includes('.')) return [];
    // If a value exists only in a key, the design reads the value from the key, as OneTable does.
    if (encode !== undefined && !isInKey(field)) {
      const text = `OneTable reads '${field}' from this attribute (encode); in this design, the caller joins and splits the value`;
      remarks.push({ path: ['attributes', String([encode].flat()[0])], text, unsure: true });
      return [];
    }
    const unsure = (text: string) => remarks.push({ path: ['attributes', map], text, unsure: true });
    if (map !== field) names.set(map, field);
    if (crypt) unsure('OneTable encrypts this attribute; in this design, it would be stored unencrypted');
    if (typeof validate === 'function') unsure('a function validates this attribute');
    if (given.generate !== undefined)
      remarks.push({
        path: ['attributes', map],
        text: `OneTable generates this value (${String(given.generate)}); in this design, the caller must provide it`,
      });
    return [[map, schemaOf(given, unsure)]];
  });
  for (const [map, inside] of packed) {
    const calls = [...inside].map(([step, [field]]) => `'${field}' for ${map}.${step}`);
    remarks.push({ path: ['attributes', map], text: `OneTable's names: ${calls.join(', ')}` });
    const inner = [...inside].map(([step, [, given]]) => [step, schemaOf(given, () => undefined)]);
    shape.push([map, optional({ type: 'object', shape: Object.fromEntries(inner) })]);
  }
  const unique = uniqueOf(key, name, fields);
  if (unique !== undefined)
    remarks.push({
      path: ['unique'],
      text: 'OneTable also stores guards of unique values, but its guards do not identify the owner',
      unsure: true,
    });
  return {
    ...{ name, names, remarks, ...(unique && { unique }) },
    attributes: { type: 'object', shape: Object.fromEntries(shape) },
    async make(values) {
      const transaction: { readonly TransactItems?: readonly { readonly Put?: { readonly Item: Item } }[] } = {};
      // The transaction is never sent. It only collects the item and the guards of its unique values.
      await table.getModel(name).create(givenTo(fields, packed, values), { transaction, exists: null });
      const items = (transaction.TransactItems ?? []).flatMap(({ Put }) => (Put ? [plainItem(Put.Item as never)] : []));
      const own = items.find((item) => item[table.typeField] === name);
      if (own === undefined) throw new Error('OneTable rendered no item');
      return own;
    },
  };
}

/**
 * Groups fields by the attribute that contains them (`map: 'address.street'`), and then by their names inside that
 * attribute.
 */
type Packed = ReadonlyMap<string, ReadonlyMap<string, readonly [string, OneField]>>;

function packedIn(fields: OneSchema['models'][string]): Packed {
  const packed = new Map<string, Map<string, readonly [string, OneField]>>();
  for (const [field, given] of Object.entries(fields)) {
    const [map = '', step] = given.map?.split('.') ?? [];
    if (step === undefined) continue;
    packed.set(map, (packed.get(map) ?? new Map()).set(step, [field, given]));
  }
  return packed;
}

/**
 * Returns sample values in the form that OneTable accepts: packed fields under their own names, and an encoded
 * attribute as its parts.
 */
function givenTo(fields: OneSchema['models'][string], packed: Packed, values: Item): Item {
  const given: Item = {};
  for (const [name, value] of Object.entries(values)) {
    const inside = packed.get(name);
    if (inside === undefined) given[name] = value;
    else for (const [step, [field]] of inside) given[field] = (value as Item)[step];
  }
  // The value varies from item to item, so that it does not look like a constant.
  const varying = String(Object.values(values)[0]).replaceAll(/\W/g, '');
  for (const [field, { encode }] of Object.entries(fields))
    if (encode !== undefined) given[field] ??= `${field}${varying}`;
  return given;
}

/** Like Tablewright, OneTable guards a unique value with a separate item. */
function uniqueOf(
  { partition, sort }: KeyDesign,
  model: string,
  fields: OneSchema['models'][string],
): LibraryEntity['unique'] {
  const unique = Object.entries(fields).filter(([, field]) => field.unique);
  if (unique.length === 0) return undefined;
  return Object.fromEntries(
    unique.map(([field, { scope }]) => {
      const within = scope === undefined ? '' : `#${scope.replaceAll(/\$\{([^}:]+)[^}]*\}/g, '<$1>')}`;
      const key = `_unique${within}#${model}#${field}#<${field}>`;
      return [field, { keys: { [partition]: key, ...(sort !== undefined && { [sort]: '_unique#' }) } }];
    }),
  );
}

function schemaOf(field: OneField, unsure: (text: string) => void): SchemaData {
  const { required, default: initial, validate } = field;
  const bare = typeOf(field, unsure);
  const pattern = validate instanceof RegExp ? { source: validate.source, flags: validate.flags } : undefined;
  const schema: SchemaData = pattern
    ? { ...bare, checks: [{ check: 'string_format', format: 'regex', pattern }] }
    : bare;
  if (initial !== undefined && typeof initial !== 'function')
    return { type: 'default', default: JSON.stringify(initial), innerType: schema };
  if (typeof initial === 'function')
    unsure("the attribute's default is a function; in this design, the caller must provide the value");
  return required || field.generate !== undefined ? schema : optional(schema);
}

/** In OneTable, a type is a constructor or the name of one. */
function typeOf({ type, enum: values, items, schema }: OneField, unsure: (text: string) => void): SchemaData {
  if (values !== undefined) return { type: 'enum', values };
  const name = (typeof type === 'function' ? type.name : String(type)).toLowerCase();
  const inner = (): SchemaData => (items === undefined ? { type: 'any' } : typeOf(items, unsure));
  switch (name) {
    case 'string':
    case 'number':
    case 'boolean':
      return { type: name };
    case 'date':
      return { type: 'string', format: 'datetime', precision: 3 };
    case 'array':
      return { type: 'array', element: inner() };
    case 'set':
      return { type: 'set', valueType: items === undefined ? { type: 'string' } : inner() };
    case 'buffer':
    case 'binary':
    case 'arraybuffer':
    case 'uint8array':
      return { type: 'custom', class: 'Uint8Array' };
    case 'object': {
      if (schema === undefined) return { type: 'record', keyType: { type: 'string' }, valueType: { type: 'any' } };
      const shape = Object.entries(schema).map(([one, field]) => [one, schemaOf(field, unsure)]);
      return { type: 'object', shape: Object.fromEntries(shape) };
    }
    default:
      unsure(`the attribute's type '${name}' has no equivalent in a design`);
      return { type: 'any' };
  }
}
