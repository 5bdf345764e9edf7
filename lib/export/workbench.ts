import { type EntityOutline, outline, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { SystemDesign } from '../design/system';
import { namesInKey, type TableDesign } from '../design/table';
import { storedItem } from '../dynamodb/migration/stored';
import { describedTable } from '../import/description';
import { isSayable, MARK } from '../import/workbench-kept';
import { typeNameOf } from './attribute-types';
import { sampleItem } from './sample';

/**
 * Returns a model for NoSQL Workbench, with a facet and a sample item for each entity, and with key templates as
 * aliases. The model's description contains the whole design as JSON, so that an import also restores the details that
 * Workbench cannot express.
 */
export function toWorkbench(design: TableDesign | SystemDesign, now = new Date()): object {
  const isSystem = 'tables' in design;
  const { tables: grouped, ...system } = isSystem ? design : { tables: { [design.name]: design } };
  const tables = Object.values(grouped as SystemDesign['tables']);
  const own = { tables: tables.map(describedTable), ...(isSystem && { system }) };
  const when = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(
    now,
  );
  return {
    ModelName: design.name,
    ModelMetadata: {
      ...{ Author: 'tablewright', DateCreated: when, DateLastModified: when },
      Description: `${design.purpose ?? design.name}\n\n${MARK}${JSON.stringify(own)}`,
      ...{ AWSService: 'Amazon DynamoDB', Version: '3.0' },
    },
    DataModel: tables.map(modelOf),
  };
}

function modelOf(design: TableDesign): object {
  const table = outline(design);
  const attribute = (name: string) => ({ AttributeName: name, AttributeType: typeNameOf(table, name) });
  const key = (partition: string, sort?: string) => ({
    PartitionKey: attribute(partition),
    ...(sort !== undefined && { SortKey: attribute(sort) }),
  });
  const own = namesInKey(design.key);
  const sayable = Object.entries(design.indexes ?? {}).filter(([, index]) => isSayable(index));
  const facets = table.entities.filter(({ guards }) => guards === undefined).map((entity) => facetOf(table, entity));
  const names = [
    ...sayable.flatMap(([, index]) => namesInKey(index)),
    ...facets.flatMap((facet) => facet.NonKeyAttributes),
  ];
  return {
    TableName: design.name,
    KeyAttributes: key(design.key.partition, design.key.sort),
    NonKeyAttributes: [...new Set(names)].filter((name) => !own.includes(name)).map(attribute),
    TableFacets: facets,
    GlobalSecondaryIndexes: sayable.map(([IndexName, { partition, sort, projection = 'all' }]) => ({
      IndexName,
      KeyAttributes: key(partition as string, sort as string | undefined),
      Projection:
        typeof projection === 'string'
          ? { ProjectionType: projection === 'all' ? 'ALL' : 'KEYS_ONLY' }
          : { ProjectionType: 'INCLUDE', NonKeyAttributes: projection },
    })),
    ...{ DataAccess: { MySql: {} }, BillingMode: 'PAY_PER_REQUEST' },
  };
}

function facetOf(table: TableOutline, entity: EntityOutline) {
  const own = namesInKey(table.design.key);
  const { keyOnly = [], keys = {} } = entity.design;
  const alias = (key: string) => keys[key] ?? key;
  const stored = entity.attributes.map((name) => naming.path([entity], name));
  const isInItem = (name: string) => !own.includes(name) && !keyOnly.includes(name);
  const indexKeys = table.keyAttributes.map(({ name }) => name).filter((name) => entity.keys.has(name));
  const type = table.typeAttribute === undefined ? [] : [table.typeAttribute];
  const [partition = '', sort] = own;
  const sample = sampleItem(table, entity);
  return {
    FacetName: entity.name,
    KeyAttributeAlias: {
      PartitionKeyAlias: alias(partition),
      ...(sort !== undefined && { SortKeyAlias: alias(sort) }),
    },
    TableData: sample === undefined ? [] : [asJson(storedItem(sample))],
    NonKeyAttributes: [...new Set([...type, ...indexKeys, ...stored])].filter(isInItem),
    DataAccess: { MySql: {} },
  };
}

/** Converts an item to JSON, with bytes as Base64. */
function asJson(item: object): object {
  const bytes = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  return JSON.parse(JSON.stringify(item, bytes));
}
