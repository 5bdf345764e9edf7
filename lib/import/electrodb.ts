import type { SchemaData } from '../blueprint/attributes/data';
import { isObject } from '../design/show';
import type { IndexDesign } from '../design/table';
import type { Item } from '../items/item';
import { type Description, unreadable } from './description';
import { groupedBy, joined } from './joined';
import { describedLibrary, type LibraryEntity } from './library';
import { upper } from './patterns';
import { optional } from './values';

/** The part of a live ElectroDB entity that the importer reads. */
interface ElectroEntity {
  readonly schema: {
    readonly model: { readonly entity: string; readonly service: string; readonly version: string };
    readonly attributes: Readonly<Record<string, ElectroAttribute>>;
    readonly indexes: Readonly<Record<string, ElectroIndex>>;
  };
  readonly identifiers: { readonly entity: string };
  getTableName(): string | undefined;
  put(values: Item): { params(): { readonly Item: Item } };
}

interface ElectroIndex {
  readonly index?: string;
  readonly collection?: string | readonly string[];
  readonly condition?: unknown;
  readonly pk: { readonly field: string };
  readonly sk?: { readonly field: string };
}

interface ElectroAttribute {
  readonly type: unknown;
  readonly properties?: Readonly<Record<string, ElectroAttribute>>;
  readonly items?: ElectroAttribute | string | readonly string[];
  readonly required?: boolean;
  readonly default?: unknown;
  readonly field?: string;
  readonly get?: unknown;
  readonly set?: unknown;
  readonly watch?: unknown;
  readonly validate?: unknown;
  readonly padding?: unknown;
}

/** Returns the ElectroDB entities that a module exports, alone or in a service. */
export async function fromElectroDb(exported: readonly unknown[], file: string): Promise<Description> {
  const inServices = exported.flatMap((value) =>
    isObject(value) && isObject(value.entities) ? Object.values(value.entities) : [],
  );
  const entities = [...new Set([...exported, ...inServices])].filter(isEntity);
  if (entities.length === 0)
    throw unreadable(`'${file}' exports no ElectroDB Entity or Service; export one, and run the import again`);
  const tables = groupedBy(entities, (entity) => entity.getTableName() ?? entity.schema.model.service);
  return joined(await Promise.all([...tables].map(([name, own]) => tableOf(name, own))));
}

function isEntity(value: unknown): value is ElectroEntity {
  const { schema, identifiers } = (value ?? {}) as { readonly schema?: unknown; readonly identifiers?: unknown };
  return isObject(schema) && isObject(schema.model) && isObject(schema.indexes) && isObject(identifiers);
}

function tableOf(name: string, entities: readonly ElectroEntity[]): Promise<Description> {
  const all = entities.flatMap(({ schema }) => Object.values(schema.indexes));
  const primary = all.find(({ index }) => index === undefined) as ElectroIndex;
  const sides = ({ pk, sk }: ElectroIndex) => ({ partition: pk.field, ...(sk && { sort: sk.field }) });
  const indexes: Record<string, IndexDesign> = {};
  for (const one of all)
    if (one.index !== undefined)
      indexes[one.index] ??= { ...(one.pk.field === primary.pk.field && { local: true }), ...sides(one) };
  const frame = {
    ...{ name, key: sides(primary), separator: '#', typeAttribute: entities[0]?.identifiers.entity ?? '__edb_e__' },
    ...(Object.keys(indexes).length > 0 && { indexes }),
  };
  const queryName = (index: string | undefined, names: readonly string[]) => {
    const own = names.flatMap((one) =>
      Object.entries(entities.find((entity) => nameOf(entity) === one)?.schema.indexes ?? {}).filter(
        ([, { index: where }]) => where === index,
      ),
    );
    if (names.length === 1) return own[0]?.[0];
    const collections = own.map(([, { collection }]) => [collection ?? []].flat()[0]);
    return collections.every((one) => one === collections[0]) ? collections[0] : undefined;
  };
  return describedLibrary(frame, 'ElectroDB', entities.map(entityOf), queryName);
}

function nameOf({ schema }: ElectroEntity): string {
  return upper(schema.model.entity.replaceAll(/[^\p{L}\p{N}_]+/gu, ''));
}

function entityOf(entity: ElectroEntity): LibraryEntity {
  const { model, attributes, indexes } = entity.schema;
  const remarks: LibraryEntity['remarks'][number][] = [];
  const names = new Map<string, string>();
  const shape = Object.entries(attributes).map(([name, attribute]) => {
    const { field = name } = attribute;
    const unsure = (text: string) => remarks.push({ path: ['attributes', field], text, unsure: true });
    if (field !== name) names.set(field, name);
    if (typeof attribute.set === 'function')
      unsure('set() changes the value before a write; in this design, the caller must change it');
    if (typeof attribute.get === 'function')
      unsure('get() changes the value after a read; in this design, the caller must change it');
    if (typeof attribute.validate === 'function') unsure('a function validates this attribute');
    return [field, schemaOf(attribute, unsure)] as const;
  });
  for (const { condition, pk } of Object.values(indexes))
    if (typeof condition === 'function')
      remarks.push({
        path: ['keys', pk.field],
        text: 'a function decides whether an item is in the index',
        unsure: true,
      });
  return {
    ...{ name: nameOf(entity), type: model.entity, names, remarks },
    attributes: { type: 'object', shape: Object.fromEntries(shape) },
    make: (values) => entity.put(values).params().Item,
  };
}

function schemaOf(attribute: ElectroAttribute, unsure: (text: string) => void): SchemaData {
  const { required, default: initial, validate } = attribute;
  const bare = typeOf(attribute, unsure);
  const pattern = validate instanceof RegExp ? { source: validate.source, flags: validate.flags } : undefined;
  const schema: SchemaData = pattern
    ? { ...bare, checks: [{ check: 'string_format', format: 'regex', pattern }] }
    : bare;
  if (initial !== undefined && typeof initial !== 'function')
    return { type: 'default', default: JSON.stringify(initial), innerType: schema };
  if (typeof initial === 'function')
    unsure("the attribute's default is a function; in this design, the caller must provide the value");
  return required ? schema : optional(schema);
}

function typeOf({ type, properties = {}, items }: ElectroAttribute, unsure: (text: string) => void): SchemaData {
  if (Array.isArray(type)) return { type: 'enum', values: type };
  if (type === 'string' || type === 'number' || type === 'boolean') return { type };
  const inner = (one: ElectroAttribute['items']): SchemaData =>
    one === undefined
      ? { type: 'any' }
      : typeOf(isObject(one) ? (one as unknown as ElectroAttribute) : { type: one }, unsure);
  if (type === 'list') return { type: 'array', element: inner(items) };
  if (type === 'set') return { type: 'set', valueType: inner(items) };
  if (type === 'map') {
    const shape = Object.entries(properties).map(([name, one]) => [name, schemaOf(one, unsure)]);
    return { type: 'object', shape: Object.fromEntries(shape) };
  }
  if (type !== 'any')
    unsure(
      `the attribute's ${typeof type === 'string' ? `type '${type}'` : 'custom type'} has no equivalent in a design`,
    );
  return { type: 'any' };
}
