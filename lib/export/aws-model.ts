import { itemBytes } from '../blueprint/load/item-size';
import { keyOf, outline, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import type { SystemDesign } from '../design/system';
import type { IndexDesign, TableDesign } from '../design/table';
import { typeNameOf } from './attribute-types';
import { sampleItem } from './sample';

/**
 * Returns the content of `dynamodb_data_model.json`, a file for AWS's own tools, such as its cost calculator. A design
 * does not describe traffic, so the model assumes one call per second for every pattern. Item sizes come from samples.
 */
export function toAwsModel(design: TableDesign | SystemDesign): object {
  const tables = ('tables' in design ? Object.values(design.tables) : [design]).map((table) => outline(table));
  return {
    tables: tables.map(tableOf),
    access_patterns: tables.flatMap((table) => table.patterns.map((pattern) => patternOf(table, pattern))),
  };
}

function tableOf(table: TableOutline): object {
  const { design, keyAttributes } = table;
  const entities = table.entities.filter(({ guards }) => guards === undefined);
  return {
    ...{ table_name: design.name, table_class: 'STANDARD', global_tables: false },
    key_schema: sides(design.key),
    attribute_definitions: keyAttributes.map(({ name }) => ({
      attribute_name: name,
      attribute_type: typeNameOf(table, name),
    })),
    entities: entities.map((entity) => ({
      ...{ entity_name: entity.name, estimated_item_size_bytes: sizeOf(table, [entity.name]), estimated_item_count: 1 },
      attributes: entity.attributes
        .map((attribute) => naming.path([entity], attribute))
        .map((name) => ({ name, type: typeNameOf(table, name) })),
    })),
    gsis: Object.entries(design.indexes ?? {})
      .filter(([, { local }]) => !local)
      .map(([name, index]) => ({ index_name: name, ...sides(index), projection: projectionOf(index) })),
  };
}

function sides({ partition, sort }: Pick<IndexDesign, 'partition' | 'sort'>): object {
  return { partition_key: partition, ...(sort !== undefined && { sort_key: sort }) };
}

function projectionOf({ projection = 'all' }: IndexDesign): object {
  if (typeof projection !== 'string') return { type: 'INCLUDE', attributes: projection };
  return { type: projection === 'all' ? 'ALL' : 'KEYS_ONLY' };
}

const OPERATIONS: Readonly<Record<string, string>> = {
  ...{ get: 'GetItem', find: 'GetItem', query: 'Query', scan: 'Scan', batchGet: 'BatchGetItem' },
  ...{ transactGet: 'TransactGetItems', put: 'PutItem', update: 'UpdateItem', delete: 'DeleteItem' },
  ...{ release: 'DeleteItem', transaction: 'TransactWriteItems', batchWrite: 'BatchWriteItem' },
};

const WRITES = ['put', 'update', 'delete', 'batchWrite'];

function patternOf(table: TableOutline, { name, design, accesses }: PatternBlueprint): object {
  const written = accesses.filter(({ action }) => WRITES.includes(action)).flatMap(({ entities }) => entities);
  const touched = [...new Set(accesses.flatMap(({ entities }) => entities))];
  const index = accesses.find((access) => access.index !== undefined)?.index;
  const isTransaction = design.op === 'transaction' || design.op === 'transactGet';
  const isConsistent = 'consistent' in design && design.consistent === true;
  return {
    ...{ pattern_id: name, description: design.purpose ?? name, operation: OPERATIONS[design.op], table: table.name },
    ...{ index: index ?? null, peak_rps: 1, estimated_item_size_bytes: sizeOf(table, touched) },
    items_per_request: design.op === 'query' ? (design.pageSize ?? 1) : Math.max(1, accesses.length),
    consistency: isTransaction ? 'transactional' : isConsistent ? 'strong' : 'eventual',
    ...(written.length > 0 && { entities_written: [...new Set(written)] }),
    ...(design.op === 'update' && { attributes_written: attributesIn(table, design) }),
  };
}

/** Returns the attributes that an update writes, and the index keys that contain these attributes. */
function attributesIn(
  table: TableOutline,
  { entity, set, add, subtract, remove }: Extract<PatternBlueprint['design'], { op: 'update' }>,
): readonly string[] {
  const paths = [...Object.keys({ ...set, ...add, ...subtract }), ...(remove ?? [])];
  const names = [...new Set(paths.map((path) => path.split(/[.[]/)[0] as string))];
  const keys = table.entities.find(({ name }) => name === entity)?.design.keys ?? {};
  const primary = keyOf(table.key).map(({ name }) => name);
  const rewritten = Object.entries(keys).filter(
    ([key, text]) => !primary.includes(key) && names.some((name) => new RegExp(`<${name}[>:.]`).test(text)),
  );
  return [...names, ...rewritten.map(([key]) => key)];
}

/** Returns the size in bytes of the largest sample item of these entities. */
function sizeOf(table: TableOutline, names: readonly string[]): number {
  const entities = table.entities.filter(({ name }) => names.includes(name));
  return Math.max(0, ...entities.map((entity) => itemBytes(sampleItem(table, entity) ?? {})));
}
