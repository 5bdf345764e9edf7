import type { SchemaData } from '../blueprint/attributes/data';
import { isObject } from '../design/show';
import type { IndexDesign } from '../design/table';
import type { Item } from '../items/item';
import { type Description, unreadable } from './description';
import { groupedBy, joined } from './joined';
import { describedLibrary, type LibraryEntity } from './library';
import { optional } from './values';

/** The part of a live dynamodb-toolbox entity that the importer reads. */
interface ToolboxEntity {
  readonly entityName: string;
  readonly table: ToolboxTable;
  /** The user's own attributes, without those that dynamodb-toolbox adds. */
  readonly attributes: Readonly<Record<string, ToolboxSchema>>;
  build(action: unknown): { item(values: Item): { params(): { readonly Item: Item } } };
}

interface ToolboxTable {
  readonly tableName?: unknown;
  readonly partitionKey: Side;
  readonly sortKey?: Side;
  readonly entityAttributeSavedAs?: string;
  readonly indexes?: Readonly<
    Record<
      string,
      {
        readonly type: 'global' | 'local';
        readonly partitionKey?: Side;
        readonly sortKey?: Side;
        readonly partitionKeys?: readonly Side[];
        readonly sortKeys?: readonly Side[];
      }
    >
  >;
}

interface Side {
  readonly name: string;
}

interface ToolboxSchema {
  readonly type: string;
  readonly props?: {
    readonly required?: 'always' | 'never' | 'atLeastOnce';
    readonly hidden?: boolean;
    readonly savedAs?: string;
    readonly enum?: readonly unknown[];
    readonly transform?: unknown;
    readonly putDefault?: unknown;
    readonly keyDefault?: unknown;
    readonly putLink?: unknown;
    readonly keyLink?: unknown;
    readonly putValidator?: unknown;
  };
  readonly attributes?: Readonly<Record<string, ToolboxSchema>>;
  readonly elements?: ToolboxSchema | readonly ToolboxSchema[];
  readonly keys?: ToolboxSchema;
}

/**
 * Returns the dynamodb-toolbox entities that a module exports.
 * @param put dynamodb-toolbox's PutItemCommand, which renders items
 */
export async function fromToolbox(exported: readonly unknown[], file: string, put: unknown): Promise<Description> {
  const entities = exported.filter(isEntity);
  if (entities.length === 0)
    throw unreadable(`'${file}' exports no dynamodb-toolbox Entity; export the entities, and run the import again`);
  const tables = groupedBy(entities, ({ table }) => table);
  return joined(await Promise.all([...tables].map(([table, own]) => tableOf(table, own, put))));
}

function isEntity(value: unknown): value is ToolboxEntity {
  const { entityName, attributes, table } = (value ?? {}) as Partial<Record<keyof ToolboxEntity, unknown>>;
  return typeof entityName === 'string' && isObject(attributes) && isObject(table);
}

function tableOf(table: ToolboxTable, entities: readonly ToolboxEntity[], put: unknown): Promise<Description> {
  const { tableName, partitionKey, sortKey, entityAttributeSavedAs = '_et' } = table;
  const named = (one: Side | undefined, several: readonly Side[] | undefined) => {
    const names = (several ?? (one ? [one] : [])).map(({ name }) => name);
    return names.length === 1 ? (names[0] as string) : names;
  };
  const indexes = Object.entries(table.indexes ?? {}).map(([name, index]): readonly [string, IndexDesign] => {
    const sort = named(index.sortKey, index.sortKeys);
    const isLocal = index.type === 'local';
    const partition = isLocal ? partitionKey.name : named(index.partitionKey, index.partitionKeys);
    return [name, { ...(isLocal && { local: true }), partition, ...(sort.length > 0 && { sort }) }];
  });
  const name = String((typeof tableName === 'function' ? tableName() : tableName) ?? 'table');
  const frame = {
    ...{ name, separator: '#', typeAttribute: entityAttributeSavedAs },
    key: { partition: partitionKey.name, ...(sortKey && { sort: sortKey.name }) },
    ...(indexes.length > 0 && { indexes: Object.fromEntries(indexes) }),
  };
  const keys = [frame.key, ...Object.values(frame.indexes ?? {})].flatMap(({ partition, sort = [] }) =>
    [partition, sort].flat(),
  );
  return describedLibrary(
    frame,
    'dynamodb-toolbox',
    entities.map((entity) => entityOf(entity, keys, put)),
  );
}

function entityOf(entity: ToolboxEntity, keys: readonly string[], put: unknown): LibraryEntity {
  const remarks: LibraryEntity['remarks'][number][] = [];
  const names = new Map<string, string>();
  const shape = Object.entries(entity.attributes).flatMap(
    ([name, schema]): readonly (readonly [string, SchemaData])[] => {
      const { props = {} } = schema;
      const { savedAs = name } = props;
      const isLinked = [props.putLink, props.keyLink].some((link) => link !== undefined);
      // In dynamodb-toolbox, a linked key is derived from other attributes.
      if (isLinked && keys.includes(savedAs)) return [];
      // A string key may add a prefix to the attribute's value; a key of any other type is the value itself.
      const isKey = keys.includes(savedAs) && schema.type === 'string';
      const stored = isKey ? name : savedAs;
      const unsure = (text: string) => remarks.push({ path: ['attributes', stored], text, unsure: true });
      if (stored !== name) names.set(stored, name);
      if (isLinked)
        unsure(
          'dynamodb-toolbox computes this value from other attributes; in this design, the caller must provide it',
        );
      if (props.transform !== undefined && !isKey)
        unsure('dynamodb-toolbox transforms this attribute before storing it; a design has no equivalent');
      if (props.putValidator !== undefined) unsure('a function validates this attribute');
      return [[stored, schemaOf(schema, unsure)]];
    },
  );
  return {
    ...{ name: entity.entityName, names, remarks },
    attributes: { type: 'object', shape: Object.fromEntries(shape) },
    make: (values) => entity.build(put).item(namedIn(entity.attributes, values)).params().Item,
  };
}

/**
 * Returns the values under the attribute names that dynamodb-toolbox expects. The given values already use these names,
 * except inside maps, which use the stored names.
 */
function namedIn(attributes: Readonly<Record<string, ToolboxSchema>>, values: Item, isInside = false): Item {
  const named = Object.entries(attributes).flatMap(([name, schema]) => {
    const value = values[isInside ? (schema.props?.savedAs ?? name) : name];
    return value === undefined ? [] : [[name, namedValue(schema, value)]];
  });
  return Object.fromEntries(named);
}

function namedValue({ attributes, elements }: ToolboxSchema, value: unknown): unknown {
  if (attributes !== undefined && isObject(value)) return namedIn(attributes, value, true);
  const [element, ...more] = [elements ?? []].flat() as readonly ToolboxSchema[];
  if (element === undefined || more.length > 0) return value;
  return Array.isArray(value) ? value.map((one) => namedValue(element, one)) : value;
}

function schemaOf(schema: ToolboxSchema, unsure: (text: string) => void): SchemaData {
  const { required, putDefault, keyDefault } = schema.props ?? {};
  const initial = putDefault ?? keyDefault;
  const bare = typeOf(schema, unsure);
  if (initial !== undefined && typeof initial !== 'function' && bare.type !== 'set')
    return { type: 'default', default: JSON.stringify(initial), innerType: bare };
  if (typeof initial === 'function')
    unsure("the attribute's default is a function; in this design, the caller must provide the value");
  return required === 'never' || initial !== undefined ? optional(bare) : bare;
}

function typeOf(schema: ToolboxSchema, unsure: (text: string) => void): SchemaData {
  const { type, attributes = {}, elements, keys, props = {} } = schema;
  const inner = (one: ToolboxSchema | undefined) => (one === undefined ? { type: 'any' } : typeOf(one, unsure));
  const [first, ...more] = [elements ?? []].flat() as readonly ToolboxSchema[];
  if (props.enum !== undefined)
    return {
      type: props.enum.every((one) => typeof one === 'string') ? 'enum' : 'literal',
      values: props.enum as string[],
    };
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type };
    case 'binary':
      return { type: 'custom', class: 'Uint8Array' };
    case 'set':
      return { type: 'set', valueType: inner(first) };
    case 'list':
      return { type: 'array', element: inner(first) };
    case 'tuple':
      return { type: 'tuple', items: [first, ...more].map(inner) };
    case 'record':
      return { type: 'record', keyType: inner(keys), valueType: inner(first) };
    case 'anyOf':
      return { type: 'union', options: [first, ...more].map(inner) };
    case 'map': {
      const shape = Object.entries(attributes).map(([name, one]) => {
        if (one.props?.savedAs !== undefined) unsure(`'${name}' is stored as '${one.props.savedAs}'`);
        return [one.props?.savedAs ?? name, schemaOf(one, unsure)];
      });
      return { type: 'object', shape: Object.fromEntries(shape) };
    }
    default:
      if (type !== 'any') unsure(`the attribute's type '${type}' has no equivalent in a design`);
      return { type: 'any' };
  }
}
