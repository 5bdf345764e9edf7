import type { SchemaData } from '../blueprint/attributes/data';
import { isObject } from '../design/show';
import { namesInKey } from '../design/table';
import { template } from '../design/template';
import { same } from '../evolve/canonical';
import { type DescribedEntity, type DescribedTable, type Description, type Remark, unreadable } from './description';
import { optional } from './values';
import { indexOf, keyOf, typeOf, type WorkbenchTable } from './workbench-model';

/** Marks the beginning of a design in a model's description. Workbench leaves the description unchanged. */
export const MARK = 'tablewright: ';

/** Returns the design that `tablewright to workbench` stored in a model's description. */
export function kept(words: string, file: string): Pick<Description, 'tables' | 'system'> | undefined {
  const start = words.lastIndexOf(MARK);
  if (start === -1) return undefined;
  try {
    const read: unknown = JSON.parse(words.slice(start + MARK.length));
    if (isObject(read) && Array.isArray(read.tables)) return read as unknown as Pick<Description, 'tables' | 'system'>;
  } catch {
    // The error below also covers invalid JSON.
  }
  throw unreadable(
    `'${file}': the design after '${MARK.trim()}' in ModelMetadata.Description is damaged; restore the text, or remove it to import only the facets`,
  );
}

/** Updates the kept design with the changes that were made in Workbench since the export. */
export function reconciled(own: DescribedTable, model: WorkbenchTable, read: Description): Description {
  const remarks: Remark[] = [];
  const changed = (path: readonly string[], text: string) => remarks.push({ path: [own.name, ...path], text });
  const found = read.tables[0] as DescribedTable;
  const indexes = indexesOf(own, model);
  const names = [...namesInKey(own.key), ...Object.values(indexes ?? {}).flatMap(namesInKey)];
  const entities: Record<string, DescribedEntity> = {};
  const facets = model.TableFacets ?? [];
  for (const facet of facets) {
    const entity = own.entities[facet.FacetName];
    if (entity !== undefined)
      entities[facet.FacetName] = entityOf(entity, facet, model, [...names, own.typeAttribute ?? '']);
    else {
      const name = Object.keys(found.entities)[facets.indexOf(facet)] as string;
      entities[name] = found.entities[name] as DescribedEntity;
      remarks.push(...read.remarks.filter(({ path }) => path[2] === name));
    }
  }
  const isThere = (text: string) =>
    Object.keys(own.entities).every((name) => Object.hasOwn(entities, name) || !text.includes(`"${name}"`)) &&
    Object.keys(own.indexes ?? {}).every((name) => indexes?.[name] || !text.includes(`"index":"${name}"`));
  const patterns = Object.entries(own.patterns ?? {});
  const served = patterns.filter(([, pattern]) => isThere(JSON.stringify(pattern)));
  for (const [name] of patterns.filter((one) => !served.includes(one)))
    changed(
      ['patterns'],
      `'${name}' is omitted, because the model no longer contains its index or one of its entities`,
    );
  const { indexes: _, patterns: __, ...rest } = own;
  const table: DescribedTable = {
    ...rest,
    key: keyOf(model.KeyAttributes),
    ...(indexes && { indexes }),
    entities,
    ...(own.patterns && { patterns: Object.fromEntries(served) }),
  };
  return { tables: [table], remarks, evidence: read.evidence ?? [] };
}

/** Returns the model's indexes, and the kept design's indexes that Workbench cannot describe. */
function indexesOf(own: DescribedTable, { GlobalSecondaryIndexes = [] }: WorkbenchTable): DescribedTable['indexes'] {
  const here = GlobalSecondaryIndexes.map((index) => {
    const design = own.indexes?.[index.IndexName];
    const now = indexOf(index);
    const { purpose: _, projection = 'all', ...keys } = design ?? now;
    const isSame = design !== undefined && same({ ...keys, projection }, { projection: 'all', ...now });
    return [index.IndexName, isSame ? design : now] as const;
  });
  const hidden = Object.entries(own.indexes ?? {}).filter(([, index]) => !isSayable(index));
  const all = Object.fromEntries([...here, ...hidden]);
  const order = Object.keys(own.indexes ?? {}).filter((name) => Object.hasOwn(all, name));
  const names = [...new Set([...order, ...Object.keys(all)])];
  if (names.length === 0) return own.indexes && {};
  return Object.fromEntries(names.map((name) => [name, all[name]])) as DescribedTable['indexes'];
}

/**
 * Whether Workbench can describe an index. Workbench supports only global indexes with one partition attribute and at
 * most one sort attribute.
 */
export function isSayable({ local, partition, sort }: NonNullable<DescribedTable['indexes']>[string]): boolean {
  return !local && typeof partition === 'string' && (sort === undefined || typeof sort === 'string');
}

function entityOf(
  own: DescribedEntity,
  { KeyAttributeAlias: aliases = {}, NonKeyAttributes = [] }: NonNullable<WorkbenchTable['TableFacets']>[number],
  { KeyAttributes, NonKeyAttributes: types = [] }: WorkbenchTable,
  keys: readonly string[],
): DescribedEntity {
  const isStored = (name: string) => !keys.includes(name) && !own.keyOnly?.includes(name);
  // The model uses the names under which attributes are stored.
  const storedAs = (attribute: string) => own.stored?.[attribute] ?? attribute;
  const known = Object.keys(own.attributes.shape ?? {}).map(storedAs);
  const shape = Object.entries(own.attributes.shape ?? {}).filter(
    ([name]) => !isStored(storedAs(name)) || NonKeyAttributes.includes(storedAs(name)),
  );
  const more = NonKeyAttributes.filter((name) => isStored(name) && !known.includes(name));
  const added = more.map((name): readonly [string, SchemaData] => [
    name,
    optional(typeOf(types.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? '')),
  ]);
  const { partition, sort } = keyOf(KeyAttributes);
  const stated = [[partition, aliases.PartitionKeyAlias] as const, [sort, aliases.SortKeyAlias] as const].flatMap(
    ([key, alias]) =>
      key !== undefined && alias !== undefined && own.keys?.[key] !== undefined && template(alias).faults.length === 0
        ? [[key, alias] as const]
        : [],
  );
  return {
    ...own,
    attributes: { ...own.attributes, shape: Object.fromEntries([...shape, ...added]) },
    ...(own.keys && { keys: { ...own.keys, ...Object.fromEntries(stated) } }),
  };
}
