import { accessesOf } from '../../blueprint/accesses';
import { outlined } from '../../blueprint/attributes/unions';
import { type EntityOutline, type KeyAttribute, keySources, type PatternBlueprint } from '../../blueprint/outline';
import { keyAttributesOf, type PhysicalTable } from '../../blueprint/physical-table';
import { stored, useStored } from '../../blueprint/stored';
import { partsOf } from '../../blueprint/template-parts';
import { guarding, guardNameOf } from '../../blueprint/unique';
import { template } from '../../design/template';
import type { Lock, LockedDesign, LockedEntity, LockedTable } from '../lock/lock';
import { newNameOf } from './answers';
import type { Answers, Place } from './change';

/** A table on one side of a diff, derived from a lock's data without rebuilding its schemas. */
export interface Side {
  readonly name: string;
  readonly physical: PhysicalTable;
  readonly design?: LockedDesign;
  /** Every key attribute of the table and its indexes. */
  readonly keyAttributes: readonly KeyAttribute[];
  readonly entities: readonly KeyedEntity[];
  readonly patterns: readonly PatternBlueprint[];
}

/** An entity with the sources of its keys. */
export type KeyedEntity = Pick<EntityOutline, 'name' | 'keys'>;

/** A table before and after the change. */
export interface Pair {
  readonly before: Side;
  readonly after: Side;
  readonly answers: Answers;
  readonly cloud: Lock['cloud'];
  /** The path of the table in the new design. */
  readonly at: Place['at'];
  /** New entities that belong to other tables of the design. */
  readonly newcomers: readonly Newcomer[];
  /** The tables of the new design. */
  readonly elsewhere: Readonly<Record<string, LockedTable>>;
}

/** A new entity in a different table. */
export interface Newcomer {
  readonly table: string;
  readonly entity: string;
  readonly design: LockedEntity;
}

/** An entity before and after the change. */
export interface EntityPair extends Pair {
  /** The name of the entity in the new design. */
  readonly entity: string;
  readonly was: LockedEntity;
  readonly is: LockedEntity;
  /** The name of the entity in the lock. */
  readonly formerName: string;
  /** A description of the compared union members: `kind is 'film'`. @default - all items of the entity */
  readonly whose?: string;
}

/** Describes an entity's items: `Product whose kind is 'film'`. */
export function itemIn({ entity, whose }: EntityPair): string {
  return whose === undefined ? entity : `${entity} whose ${whose}`;
}

function sideOf(name: string, { physical, design }: LockedTable): Side {
  useStored(stored, outlined);
  const keyAttributes = keyAttributesOf(physical);
  const side = { name, physical, keyAttributes };
  if (design === undefined) return { ...side, entities: [], patterns: [] };
  const keyNames = keyAttributes.map((attribute) => attribute.name);
  const sourcesOf = (entity: Parameters<typeof keySources>[0]) => keySources(entity, keyNames, design.typeAttribute);
  const entities = Object.entries(design.entities).map(
    ([entity, { type, attributes, keys, stored: names, unique }]) => ({
      name: entity,
      keys: sourcesOf({ name: entity, type, shape: attributes.shape ?? {}, keys, stored: names }),
      uniques: unique && Object.keys(unique),
    }),
  );
  const guards = Object.entries(design.entities).flatMap(([entity, { unique = {} }]) =>
    Object.entries(unique).map(([name, { keys, owner = [] }]) => {
      const guard = guardNameOf(entity, name);
      const values = Object.values(keys).flatMap((text) => partsOf(template(text)).map((part) => part.name));
      const guarded = { entity, unique: name, values, owners: owner, isShared: owner.length > 0 };
      return { name: guard, keys: sourcesOf({ name: guard, type: guard, shape: {}, keys }), guards: guarded };
    }),
  );
  const accessed = { key: physical.key, indexes: physical.indexes, entities: [...entities, ...guards] };
  const patterns = Object.entries(design.patterns).map(([pattern, own]) => ({
    name: pattern,
    design: own,
    accesses: accessesOf(accessed, own, guarding),
  }));
  return { ...side, design, entities, patterns };
}

/** Returns a table before and after the change; its name may differ between the two locks. */
export function tablesOf(before: Lock, after: Lock, was: string, is: string, answers: Answers): Pair {
  return {
    before: sideOf(was, before.tables[was] as LockedTable),
    after: sideOf(is, after.tables[is] as LockedTable),
    answers,
    cloud: after.cloud,
    at: ['tables', is],
    newcomers: Object.entries(after.tables).flatMap(([table, { design }]) =>
      Object.entries(design?.entities ?? {}).flatMap(([entity, own]) =>
        table === is || before.tables[table]?.design?.entities[entity] !== undefined
          ? []
          : [{ table, entity, design: own }],
      ),
    ),
    elsewhere: after.tables,
  };
}

/**
 * Returns an entity that moves to a different table, before and after the move; undefined if that table lacks the
 * entity.
 */
export function acrossTables(pair: Pair, table: string | undefined, formerName: string): EntityPair | undefined {
  const { entities = {} } = (table === undefined ? undefined : pair.elsewhere[table]?.design) ?? {};
  const renamed = newNameOf(pair.answers, pair.before.name, formerName);
  const entity = Object.hasOwn(entities, renamed) ? renamed : formerName;
  const [was, is] = [pair.before.design?.entities[formerName], entities[entity]];
  if (table === undefined || was === undefined || is === undefined) return undefined;
  const after = sideOf(table, pair.elsewhere[table] as LockedTable);
  return { ...pair, after, at: ['tables', table], entity, formerName, was, is };
}
