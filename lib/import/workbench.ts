import { basename } from 'node:path';
import { isObject } from '../design/show';
import { template } from '../design/template';
import { plainItem } from '../dynamodb/attribute-values';
import { type DescribedTable, type Description, type Remark, unreadable } from './description';
import { describedItems } from './items';
import { isStored } from './table';
import { kept, reconciled } from './workbench-kept';
import { indexOf, keyOf, typeOf, type WorkbenchAttribute, type WorkbenchTable } from './workbench-model';

const MODEL_KEYS = ['ModelName', 'ModelMetadata', 'DataModel', 'ModelSchema'];
const TABLE_KEYS = [
  ...['TableName', 'KeyAttributes', 'NonKeyAttributes', 'TableFacets', 'GlobalSecondaryIndexes', 'TableData'],
  ...['DataAccess', 'SampleDataFormats', 'BillingMode', 'ProvisionedCapacitySettings'],
];

export function isWorkbench(json: unknown): boolean {
  return isObject(json) && Array.isArray(json.DataModel);
}

/**
 * Reads a NoSQL Workbench model of any version.
 * @param file the file's name, used in messages
 */
export function fromWorkbench(json: unknown, file: string): Description {
  if (!isObject(json) || !Array.isArray(json.DataModel))
    throw unreadable(`'${file}' is not a NoSQL Workbench model: it has no DataModel`);
  const tables = json.DataModel.map((table, i) => readTable(table, `'${file}', DataModel[${i}]`));
  const { Description: words } = isObject(json.ModelMetadata) ? json.ModelMetadata : {};
  const own = kept(typeof words === 'string' ? words : '', file);
  const read = tables.map((table) => {
    const sample = sampleOf(table);
    const described = withRemarks(describedItems(sample), renamed(table.TableName, sample.name));
    const design = own?.tables.find(({ name }) => name === table.TableName);
    return design === undefined ? described : reconciled(design, table, described);
  });
  const skipped = [
    ...unknownKeys(json, MODEL_KEYS),
    ...json.DataModel.flatMap((table) => unknownKeys(table, TABLE_KEYS)),
  ];
  const remarks: Remark[] = [
    ...read.flatMap((one) => one.remarks),
    ...(skipped.length === 0
      ? []
      : [{ path: [], text: `not read from ${basename(file)}: ${skipped.join(', ')}`, unsure: true }]),
  ];
  const system = own === undefined ? systemFor(json.ModelName, tables) : own.system;
  return {
    tables: read.flatMap((one) => one.tables as DescribedTable[]),
    ...(system && { system }),
    remarks,
    evidence: read.flatMap((one) => one.evidence ?? []),
  };
}

function systemFor(name: unknown, tables: readonly WorkbenchTable[]): Description['system'] {
  if (tables.length < 2) return undefined;
  const plain = String(name ?? 'model')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return { name: plain || 'model', cloud: 'aws' };
}

function unknownKeys(value: unknown, known: readonly string[]): readonly string[] {
  return isObject(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
}

function readTable(table: unknown, place: string): WorkbenchTable {
  const need = (condition: boolean, what: string) => {
    if (!condition) throw unreadable(`${place}: ${what}`);
  };
  need(isObject(table) && typeof table.TableName === 'string', 'a table must have a TableName');
  const read = table as unknown as WorkbenchTable;
  const isKey = (key: unknown) =>
    isObject(key) && isObject(key.PartitionKey) && typeof key.PartitionKey.AttributeName === 'string';
  need(isKey(read.KeyAttributes), `'${read.TableName}' must have KeyAttributes with a PartitionKey`);
  for (const index of read.GlobalSecondaryIndexes ?? [])
    need(isKey(index.KeyAttributes), `the index '${index.IndexName}' of '${read.TableName}' must have a PartitionKey`);
  return read;
}

function withRemarks(described: Description, remarks: readonly Remark[]): Description {
  return { ...described, remarks: [...described.remarks, ...remarks] };
}

/** Returns a remark if DynamoDB refuses a name that Workbench accepts. */
function renamed(given: string, name: string): readonly Remark[] {
  return given === name ? [] : [{ path: [name, 'name'], text: `DynamoDB refuses the name '${given}'`, unsure: true }];
}

function sampleOf(table: WorkbenchTable): Parameters<typeof describedItems>[0] {
  const { TableName, KeyAttributes, TableFacets: facets = [], GlobalSecondaryIndexes = [] } = table;
  const key = keyOf(KeyAttributes);
  const indexes = Object.fromEntries(GlobalSecondaryIndexes.map((index) => [index.IndexName, indexOf(index)]));
  const types = Object.fromEntries(allAttributes(table).map((one) => [one.AttributeName, typeOf(one.AttributeType)]));
  const plain = (data: readonly unknown[] = []) =>
    data.flatMap((item) => (isObject(item) && isStored(item) && Object.keys(item).length > 0 ? [plainItem(item)] : []));
  const groups = facets.map((facet) => {
    const { PartitionKeyAlias, SortKeyAlias } = facet.KeyAttributeAlias ?? {};
    const aliases = [
      [key.partition, PartitionKeyAlias] as const,
      ...(key.sort ? [[key.sort, SortKeyAlias] as const] : []),
    ];
    const names = [...(facet.NonKeyAttributes ?? []), key.partition, ...(key.sort ? [key.sort] : [])];
    return {
      name: facet.FacetName.replaceAll(/[^\p{L}\p{N}_]+/gu, '') || 'Facet',
      items: plain(facet.TableData),
      declared: Object.fromEntries(names.map((one) => [one, types[one] ?? { type: 'any' }])),
      ...aliased(aliases, Object.keys(types)),
    };
  });
  const items = groups.length > 0 ? groups.flatMap((group) => group.items) : plain(table.TableData);
  const only = items.length === 0 && groups.length === 0 ? [{ name: 'Item', items, declared: types }] : undefined;
  return {
    ...{ name: TableName.replaceAll(/[^\w.-]+/g, '-'), key, items, complete: true },
    ...(GlobalSecondaryIndexes.length > 0 && { indexes }),
    ...(groups.length > 0 ? { groups } : only && { groups: only }),
  };
}

/** An alias is either a key template, or free text that mentions the parts of a key. */
function aliased(aliases: readonly (readonly [string, string | undefined])[], attributes: readonly string[]) {
  const templates: Record<string, string> = {};
  const hints: Record<string, readonly string[]> = {};
  for (const [key, alias] of aliases) {
    if (alias === undefined || alias === '' || alias === key) continue;
    if (/<.+>/.test(alias) && template(alias).faults.length === 0) templates[key] = alias;
    else {
      const words = alias.split(/[#|:\s]+/).map((word) => word.replaceAll(/[^\p{L}\p{N}_]/gu, ''));
      const names = words.filter(
        (word) => /^[\p{L}_]/u.test(word) && !/^[A-Z_]+$/.test(word) && !attributes.includes(word),
      );
      if (names.length > 0) hints[key] = names;
    }
  }
  return { templates, hints };
}

function allAttributes({ KeyAttributes, NonKeyAttributes = [] }: WorkbenchTable): readonly WorkbenchAttribute[] {
  const { PartitionKey, SortKey } = KeyAttributes;
  return [PartitionKey, ...(SortKey ? [SortKey] : []), ...NonKeyAttributes];
}
