import type { Load } from '../../design/config';
import type { UpdatePattern } from '../../design/pattern';
import { type Access, isGuarded } from '../accesses';
import { samplesOf } from '../attributes/samples';
import { type Schema, schemaAt } from '../attributes/schema';
import { membersOf } from '../attributes/unions';
import { storedIn } from '../projected';
import { naming } from '../stored';
import {
  type EntityBlueprint,
  entityNamed,
  type IndexBlueprint,
  keyOf,
  keysIn,
  type PatternBlueprint,
  type TableBlueprint,
} from '../table';
import { fanOf, partsOf, textWith } from '../template-parts';
import { touchedBy } from '../updates';
import { itemBytes, readUnits, writeUnits } from './item-size';

/** The units that one call of a pattern consumes in a table or in one of its indexes. */
export interface Use {
  readonly index?: string;
  readonly reads: number;
  readonly writes: number;
}

/** Returns the units that one call of a pattern consumes, first in the table and then in each index. */
export function usesOf(table: TableBlueprint, pattern: PatternBlueprint, load: Partial<Load> = {}): readonly Use[] {
  const uses = new Map<string | undefined, { reads: number; writes: number }>();
  for (const { index, reads, writes } of usesByAccess(table, pattern, load).flatMap(({ uses }) => uses)) {
    const use = uses.get(index) ?? { reads: 0, writes: 0 };
    uses.set(index, { reads: use.reads + reads, writes: use.writes + writes });
  }
  return Array.from(uses, ([index, use]) => (index === undefined ? use : { index, ...use }));
}

/** Returns the units that each access of a call consumes. */
export function usesByAccess(
  table: TableBlueprint,
  pattern: PatternBlueprint,
  load: Partial<Load> = {},
): readonly { readonly access: Access; readonly uses: readonly Use[] }[] {
  const isTransaction = pattern.design.op === 'transaction' || isGuarded(pattern);
  return pattern.accesses.map((access) => ({
    access,
    uses: usesOfAccess(table, pattern, access, load, isTransaction),
  }));
}

function usesOfAccess(
  table: TableBlueprint,
  pattern: PatternBlueprint,
  access: Access,
  load: Partial<Load>,
  isTransaction: boolean,
): readonly Use[] {
  const entities = access.entities.flatMap((name) => entityNamed(table, name) ?? []);
  const [entity] = entities;
  if (entity === undefined) return [];
  // Guards are small, even if their items are large.
  const given = access.unique === undefined ? load.bytes : undefined;
  const index = table.indexes.find(({ name }) => name === access.index);
  const bytes = Math.max(...entities.map((one) => given ?? typicalBytes(table, one)));
  const { consistent = false } = access.step as { readonly consistent?: boolean };
  const { action } = access;
  if (action === 'query' || action === 'scan') {
    const fan = fanOf(pattern.design)?.shards ?? 1;
    const all = itemsOf(pattern, load) * entryBytes(table, entity, index, bytes);
    return [{ ...(index && { index: index.name }), reads: fan * readUnits(all / fan, consistent), writes: 0 }];
  }
  // A transactional read costs two consistent reads per item.
  if (pattern.design.op === 'transactGet') return [{ reads: 2 * readUnits(bytes, true), writes: 0 }];
  if (action === 'get' || action === 'batchGet') return [{ reads: readUnits(bytes, consistent), writes: 0 }];
  const count = timesOf(access, load);
  const own = { reads: 0, writes: count * writeUnits(bytes) * (isTransaction ? 2 : 1) };
  if (action === 'require') return [own];
  const inIndexes = indexWrites(table, entity, access, bytes).map((use) => ({ ...use, writes: count * use.writes }));
  return [own, ...inIndexes];
}

/** Returns how many times a call performs a write: once, or once for each member of the caller's list. */
export function timesOf({ step }: Pick<Access, 'step'>, { items = 1 }: Partial<Load>): number {
  return 'each' in step && step.each !== undefined ? items : 1;
}

/** Returns how many items a call reads. */
export function itemsOf({ design }: PatternBlueprint, { items }: Partial<Load>): number {
  return items ?? ('pageSize' in design ? design.pageSize : undefined) ?? 10;
}

/** Returns the write units for each index in which the item's entry changes. */
function indexWrites(table: TableBlueprint, entity: EntityBlueprint, { step }: Access, bytes: number): readonly Use[] {
  return table.indexes.flatMap((index): readonly Use[] => {
    const change = entryChange(table, entity, index, step);
    if (change === undefined) return [];
    const units = writeUnits(entryBytes(table, entity, index, bytes));
    // If the key of an entry changes, DynamoDB deletes the entry and writes a new one.
    return [{ index: index.name, reads: 0, writes: change === 'moved' ? 2 * units : units }];
  });
}

/**
 * Returns how a write affects an item's entry in an index. An update rewrites the entry if the index contains a changed
 * attribute, and moves the entry if its key changes. Returns undefined if the entity is not in the index, or if the
 * entry does not change.
 */
export function entryChange(
  table: TableBlueprint,
  entity: EntityBlueprint,
  index: IndexBlueprint,
  step: Access['step'],
): 'written' | 'moved' | undefined {
  const sources = keysIn(entity, index);
  if (sources === undefined) return undefined;
  if (step.op !== 'update') return 'written';
  const changed = touchedBy(step as UpdatePattern).map(({ attribute }) => attribute.split(/[.[]/)[0] as string);
  const isKey = sources.some(({ template }) =>
    partsOf(template).some(({ path }) => changed.includes(path[0] as string)),
  );
  if (isKey) return 'moved';
  if (index.projection === 'all') return 'written';
  const stored = storedIn(table, index);
  return changed.some((attribute) => stored.includes(naming.path([entity], attribute))) ? 'written' : undefined;
}

const typical = new WeakMap<EntityBlueprint, number>();

/** Returns the size of a typical item in bytes, including its keys and its type. */
function typicalBytes(table: TableBlueprint, entity: EntityBlueprint): number {
  const known = typical.get(entity) ?? itemBytes(sampleOf(table, entity));
  typical.set(entity, known);
  return known;
}

/**
 * Returns a typical item that has all attributes. For a union, picks the largest member whose items are in the index.
 */
function sampleOf(
  table: TableBlueprint,
  entity: EntityBlueprint,
  index: Pick<IndexBlueprint, 'partitionBy' | 'sortBy'> = table.key,
): Record<string, unknown> {
  const samples = membersOf(entity.schema).map((member) => sampleIn(table, entity, member));
  const inIndex = samples.filter((sample) => keyOf(index).every(({ name }) => sample[name] !== undefined));
  const [first = {}, ...others] = inIndex.length === 0 ? samples : inIndex;
  return others.reduce((largest, sample) => (itemBytes(sample) > itemBytes(largest) ? sample : largest), first);
}

function sampleIn(table: TableBlueprint, entity: EntityBlueprint, member: Schema): Record<string, unknown> {
  const { typeAttribute } = table;
  const values = entity.attributes.map((name) => {
    const schema = schemaAt(member, [name]);
    return [name, schema ? samplesOf(schema)[0]?.stored : undefined] as const;
  });
  // A member that lacks a part of a key is in no index with that key.
  const isLacked = (name: string) => entity.attributes.includes(name) && !schemaAt(member, [name]);
  const keys = Array.from(entity.keys.values())
    .filter(({ template }) => !partsOf(template).some(({ path: [head = ''] }) => isLacked(head)))
    .map(({ attribute, template }) => [
      attribute,
      textWith(template, ({ path }) => String(values.find(([name]) => name === path[0])?.[1] ?? 'value')),
    ]);
  const type = typeAttribute === undefined ? [] : [[typeAttribute, entity.type]];
  return naming.write(entity, Object.fromEntries([...values, ...type, ...keys]));
}

/** Returns the size in bytes of an item in the table, or of its entry in an index. */
function entryBytes(
  table: TableBlueprint,
  entity: EntityBlueprint,
  index: Pick<IndexBlueprint, 'projection' | 'partitionBy' | 'sortBy'> | undefined,
  bytes: number,
): number {
  if (index === undefined || index.projection === 'all') return bytes;
  // The largest member of a union is not necessarily in the index.
  const [whole, sample] = [sampleOf(table, entity), sampleOf(table, entity, index)];
  const bytesOf = (isHeld: (name: string) => boolean, of = sample) =>
    itemBytes(Object.fromEntries(Object.entries(of).filter(([name]) => isHeld(name))));
  const all = new Set(table.keyAttributes.map(({ name }) => name));
  const own = new Set([...keyOf(table.key), ...keyOf(index)].map(({ name }) => name));
  const listed = new Set(typeof index.projection === 'string' ? [] : index.projection);
  // Even if the item is larger than the sample, its keys are assumed to be the same size.
  const keys = bytesOf((name) => all.has(name), whole);
  const grown = Math.max(0, bytes - keys) / Math.max(1, itemBytes(whole) - keys);
  const others = bytesOf((name) => listed.has(name) && !all.has(name));
  return bytesOf((name) => own.has(name) || (listed.has(name) && all.has(name))) + Math.ceil(others * grown);
}
