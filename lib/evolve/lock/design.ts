import type { KeySides } from '../../blueprint/keys';
import type { SystemDesign } from '../../design/system';
import type { AttributesSchema, EntityDesign, IndexDesign, TableDesign } from '../../design/table';
import { givenLock } from '../given';
import { rebuild } from '../schema/rebuild';
import type { IndexResources, KeyResources, Lock, LockedDesign, LockedEntity, LockedTable } from './lock';

/**
 * The design of a locked system, fit for requests, checks and constructs. A lock does not hold the code in schemas, so
 * refinements let everything pass.
 */
export function designOf(lock: Lock): SystemDesign {
  const { system: name, cloud, tenant, tables, procedures } = givenLock(lock, 'lock');
  return {
    name,
    cloud,
    ...(tenant === undefined ? {} : { tenant }),
    tables: Object.fromEntries(Object.entries(tables).map(([table, locked]) => [table, tableDesignOf(table, locked)])),
    procedures: Object.fromEntries(Object.entries(procedures).map(([procedure, uses]) => [procedure, { uses }])),
  };
}

const UNKNOWN: LockedDesign = { separator: '#', entities: {}, patterns: {}, former: {} };

export function tableDesignOf(name: string, { resources, design = UNKNOWN }: LockedTable): TableDesign {
  const { separator, typeAttribute, entities, patterns } = design;
  const { key, indexes, ttl } = resources;
  return {
    name,
    key: keyDesign(key),
    indexes: Object.fromEntries(Object.entries(indexes).map(([index, resources]) => [index, indexDesign(resources)])),
    ...(typeAttribute === undefined ? {} : { typeAttribute }),
    ...(ttl === undefined ? {} : { ttl }),
    separator,
    entities: Object.fromEntries(Object.entries(entities).map(([entity, locked]) => [entity, entityDesignOf(locked)])),
    patterns,
  };
}

export function entityDesignOf({ type, attributes, keys, keyOnly, indexes }: LockedEntity): EntityDesign {
  const membership = indexes === undefined ? {} : { indexes };
  return { type, attributes: rebuild(attributes) as unknown as AttributesSchema, keys, keyOnly, ...membership };
}

function keyDesign({ partition, sort }: KeyResources): TableDesign['key'] {
  return { partition: partition.name, ...(sort === undefined ? {} : { sort: sort.name }) };
}

function indexDesign({ partition, sort, ...rest }: IndexResources): IndexDesign {
  const named = (side: KeySides['partition']) => ('name' in side ? side.name : side.map(({ name }) => name));
  return { partition: named(partition), ...(sort === undefined ? {} : { sort: named(sort) }), ...rest };
}
