import type { IndexBlueprint, KeyAttribute, KeyBlueprint } from '../../blueprint/outline';
import { patternsOfShares } from '../../blueprint/shares';
import type { AttributesSchema } from '../../design/attributes';
import type { SystemDesign } from '../../design/system';
import type { EntityDesign, IndexDesign, TableDesign } from '../../design/table';
import { givenLock } from '../given';
import { rebuild } from '../schema/rebuild';
import type { Lock, LockedDesign, LockedEntity, LockedTable } from './lock';

/**
 * The design of a locked system, which requests, checks and constructs can use. A lock does not contain the code in
 * schemas, so refinements accept every value.
 */
export function designOf(lock: Lock): SystemDesign {
  const { system: name, cloud, tenant, tables, procedures } = givenLock(lock, 'lock');
  const designs = Object.fromEntries(
    Object.entries(tables).map(([table, locked]) => [table, tableDesignOf(table, locked)]),
  );
  const patterns = patternsOfShares(designs);
  return {
    name,
    cloud,
    ...(tenant === undefined ? {} : { tenant }),
    tables: designs,
    ...(Object.keys(patterns).length === 0 ? {} : { patterns }),
    procedures: Object.fromEntries(Object.entries(procedures).map(([procedure, uses]) => [procedure, { uses }])),
  };
}

const UNKNOWN: LockedDesign = { separator: '#', entities: {}, patterns: {}, former: {} };

export function tableDesignOf(name: string, { physical, design = UNKNOWN }: LockedTable): TableDesign {
  const { separator, typeAttribute, entities, patterns } = design;
  const { key, indexes, ttl } = physical;
  return {
    name,
    key: keyDesign(key),
    indexes: Object.fromEntries(indexes.map((index) => [index.name, indexDesign(index)])),
    ...(typeAttribute === undefined ? {} : { typeAttribute }),
    ...(ttl === undefined ? {} : { ttl }),
    separator,
    entities: Object.fromEntries(Object.entries(entities).map(([entity, locked]) => [entity, entityDesignOf(locked)])),
    patterns,
  };
}

export function entityDesignOf({ attributes, former: _, ...rest }: LockedEntity): EntityDesign {
  return { ...rest, attributes: rebuild(attributes) as unknown as AttributesSchema };
}

export function keyDesign({ partitionBy: [partition], sortBy: [sort] }: KeyBlueprint): TableDesign['key'] {
  return { partition: partition.name, ...(sort === undefined ? {} : { sort: sort.name }) };
}

export function indexDesign({ partitionBy, sortBy, projection, local }: IndexBlueprint): IndexDesign {
  const named = ([first, ...more]: readonly KeyAttribute[]) =>
    more.length === 0 ? (first as KeyAttribute).name : [first as KeyAttribute, ...more].map(({ name }) => name);
  return {
    partition: named(partitionBy),
    ...(sortBy.length === 0 ? {} : { sort: named(sortBy) }),
    projection,
    ...(local ? { local } : {}),
  };
}
