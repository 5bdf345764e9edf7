import { isObject } from '../design/show';
import { plainItem } from '../dynamodb/attribute-values';
import { type KeyProperties, readKeys } from '../dynamodb/template/tables';
import type { Item } from '../items/item';
import { type Description, type Remark, unreadable } from './description';
import { describedItems } from './items';
import { joined } from './joined';
import { frameOf, projectionOf } from './physical';
import { fromSchemaJson } from './schema-json';
import { isStored } from './table';
import { typeOf } from './workbench-model';

type Json = Readonly<Record<string, unknown>>;

/** Whether a file comes from one of AWS's design tools. Every file from these tools contains a list of tables. */
export function isAwsModel(json: unknown): boolean {
  return isObject(json) && Array.isArray(json.tables) && json.tables.every(isObject);
}

/**
 * Reads a `dynamodb_data_model.json`, in either of its two formats, or a `schema.json`.
 * @param file the file's name, used in messages
 */
export function fromAwsModel(json: unknown, file: string): Description {
  if (!isObject(json) || !isAwsModel(json))
    throw unreadable(`'${file}' is not a data model from AWS's tools, because it has no list of tables`);
  const tables = json.tables as readonly Json[];
  const [first] = tables;
  if (first === undefined) throw unreadable(`'${file}' has no tables`);
  if (isObject(first.table_config)) return fromSchemaJson(json, file);
  const read = tables.map((table, i) => {
    const place = `'${file}', tables[${i}]`;
    if (typeof table.TableName === 'string') return ofCreateTable(table, itemsOf(json, table.TableName));
    if (typeof table.table_name === 'string') return ofEntities(table, place);
    throw unreadable(`${place} must have a TableName, a table_name or a table_config`);
  });
  const all = joined(read);
  return { ...all, remarks: [...all.remarks, ...accessPatterns(json, read)] };
}

/** Describes a table from its CreateTable input and its items. */
function ofCreateTable(table: Json, items: readonly Item[]): Description {
  const frame = frameOf(readKeys(table as KeyProperties));
  const names = (table.AttributeDefinitions ?? []) as readonly Readonly<Record<string, string>>[];
  const declared = Object.fromEntries(
    names.map(({ AttributeName = '', AttributeType = '' }) => [AttributeName, typeOf(AttributeType)]),
  );
  const name = String(table.TableName);
  if (items.length > 0) return describedItems({ name, ...frame, items, complete: false });
  const described = describedItems({
    name,
    ...frame,
    items,
    complete: false,
    groups: [{ name: 'Item', items, declared }],
  });
  const remark = {
    path: [name, 'entities', 'Item'],
    text: 'the model has no items; replace this entity with one per kind of item',
    unsure: true,
  };
  return { ...described, remarks: [...described.remarks, remark] };
}

function itemsOf({ items }: Json, table: string): readonly Item[] {
  const list = isObject(items) ? items[table] : undefined;
  return (Array.isArray(list) ? list : []).flatMap((one: unknown) => {
    const item = isObject(one) && isObject(one.PutRequest) ? one.PutRequest.Item : undefined;
    return isObject(item) && isStored(item) ? [plainItem(item)] : [];
  });
}

/** Describes a table for which the model lists the entities, but not their key templates. */
function ofEntities(table: Json, place: string): Description {
  const { key_schema: key, table_name, attribute_definitions: definitions = [], gsis = [], entities = [] } = table;
  if (!isObject(key) || typeof key.partition_key !== 'string')
    throw unreadable(`${place} must have a key_schema with a partition_key`);
  const name = String(table_name);
  const types = Object.fromEntries(
    (definitions as readonly Readonly<Record<string, string>>[]).map((one) => [one.attribute_name, one.attribute_type]),
  );
  const indexes = (gsis as readonly Json[]).map((gsi) => {
    const { type = 'ALL', attributes = [] } = isObject(gsi.projection) ? gsi.projection : { type: gsi.projection };
    const sides = {
      partition: gsi.partition_key as string,
      ...(gsi.sort_key != null && { sort: gsi.sort_key as string }),
    };
    return [String(gsi.index_name), { ...sides, ...projectionOf(type, attributes as readonly string[]) }] as const;
  });
  const keys = [key.partition_key, key.sort_key, ...indexes.flatMap(([, index]) => [index.partition, index.sort])];
  const keyTypes = keys.flat().filter((one): one is string => typeof one === 'string');
  const groups = (entities as readonly Json[]).map((entity) => ({
    name: String(entity.entity_name).replaceAll(/[^\p{L}\p{N}_]+/gu, ''),
    items: [],
    declared: Object.fromEntries([
      ...keyTypes.map((one) => [one, typeOf(String(types[one] ?? 'S'))] as const),
      ...((entity.attributes ?? []) as readonly Readonly<Record<string, string>>[]).map(
        (one) => [one.name, typeOf(WORDS[String(one.type).toLowerCase()] ?? String(one.type))] as const,
      ),
    ]),
  }));
  const described = describedItems({
    ...{ name, items: [], complete: true, groups },
    key: { partition: key.partition_key, ...(typeof key.sort_key === 'string' && { sort: key.sort_key }) },
    ...(indexes.length > 0 && { indexes: Object.fromEntries(indexes) }),
  });
  const text = "the model does not show how keys are built; write the key templates under 'keys'";
  const open = groups.map((group): Remark => ({ path: [name, 'entities', group.name], text, unsure: true }));
  return { ...described, remarks: [...described.remarks, ...open] };
}

const WORDS: Readonly<Record<string, string>> = {
  ...{ string: 'S', number: 'N', integer: 'N', decimal: 'N', boolean: 'BOOL', binary: 'B', map: 'M', list: 'L' },
};

/** Returns the model's descriptions of access patterns as comments on the proposed patterns. */
function accessPatterns({ access_patterns: patterns }: Json, read: readonly Description[]): readonly Remark[] {
  const names = read.flatMap(({ tables }) => tables.map(({ name }) => name));
  return (Array.isArray(patterns) ? patterns : []).filter(isObject).flatMap((one): readonly Remark[] => {
    const table = names.find((name) => name === (one.table ?? names[0]));
    if (table === undefined) return [];
    const index = one.index == null ? '' : ` on ${String(one.index)}`;
    const title = String(one.pattern ?? one.pattern_id ?? '');
    const text = `${title}: ${String(one.description ?? '')} (${String(one.dynamodb_operation ?? one.operation)}${index})`;
    return [{ path: [table, 'patterns'], text }];
  });
}
