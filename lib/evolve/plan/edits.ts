import { attributeNames } from '../../blueprint/attributes/facts';
import type { PatternDesign } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import { type IndexDesign, namesInKey, type TableDesign } from '../../design/table';
import { template } from '../../design/template';
import type { Change } from '../diff/change';
import { givenEdits, givenSystem } from '../given';
import type { Lock } from '../lock/lock';
import type { Edit } from './plan';

/** The new names that changes need, for an index, its keys or a table that cannot change under its old name. */
export function editsFor(changes: readonly Change[], system: SystemDesign, lock: Lock): readonly Edit[] {
  const edits: Edit[] = [];
  const add = (edit: Omit<Edit, 'to'>, taken: ReadonlySet<string>) => {
    const isKnown = edits.some(
      ({ kind, table, from }) => kind === edit.kind && table === edit.table && from === edit.from,
    );
    if (!isKnown) edits.push({ ...edit, to: successor(edit.from, taken) });
  };
  for (const { rule, subject, was, is } of changes) {
    const { table = '', index, attribute = '' } = subject;
    const design = system.tables[table];
    if (design === undefined) continue;
    const names = namesIn(design, lock, table);
    if (rule === 'table-key' || rule === 'local-index')
      add({ kind: 'table', table, from: table }, new Set([...Object.keys(system.tables), ...Object.keys(lock.tables)]));
    if (rule === 'index-key' || rule === 'index-projection')
      add({ kind: 'index', table, from: index as string }, names);
    // A key that is only added to items, or only removed from them, needs no new index.
    if (rule !== 'index-key-template' || was === undefined || is === undefined) continue;
    for (const [name, key] of Object.entries(design.indexes ?? {}).sort(byName)) {
      if (namesInKey(key).includes(attribute)) add({ kind: 'index', table, from: name }, names);
    }
    add({ kind: 'key', table, from: attribute }, names);
  }
  // In a new table, indexes and keys can keep their names.
  const moved = new Set(edits.filter(({ kind }) => kind === 'table').map(({ table }) => table));
  return edits.filter(({ kind, table }) => kind === 'table' || !moved.has(table));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

function namesIn({ indexes = {}, entities }: TableDesign, lock: Lock, table: string): ReadonlySet<string> {
  const old = lock.tables[table];
  return new Set([
    ...Object.keys(indexes),
    ...Object.keys(old?.resources.indexes ?? {}),
    ...Object.values(entities).flatMap(({ keys = {} }) => Object.keys(keys)),
    ...Object.values(old?.design?.entities ?? {}).flatMap(({ keys, attributes, former }) => [
      ...Object.keys(keys),
      ...Object.keys(attributes.shape ?? {}),
      ...Object.keys(former),
    ]),
  ]);
}

/** `GSI1` is followed by `GSI1v2`, and that by `GSI1v3`. */
function successor(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, version = '1'] = /^(.*?)(?:v(\d+))?$/s.exec(name) ?? [];
  for (let next = Number(version) + 1; ; next++) if (!taken.has(`${stem}v${next}`)) return `${stem}v${next}`;
}

/** The design with the new names of a plan; a design that already has them stays as it is. */
export function withEdits<S extends SystemDesign>(system: S, edits: readonly Edit[]): S {
  givenSystem(system, 'system');
  givenEdits(edits, 'edits');
  if (edits.length === 0) return system;
  const tables = Object.entries(system.tables).map(([name, design]) => {
    const own = edits.filter(({ table }) => table === name);
    const edited = own.filter(({ kind }) => kind !== 'table').reduce(editTable, design as TableDesign);
    const renamed = own.find(({ kind }) => kind === 'table');
    return renamed === undefined ? [name, edited] : [renamed.to, { ...edited, name: renamed.to }];
  });
  return { ...system, tables: Object.fromEntries(tables) };
}

function editTable(design: TableDesign, { kind, from, to }: Edit): TableDesign {
  return kind === 'index' ? renameIndex(design, from, to) : renameKey(design, from, to);
}

function renameIndex(design: TableDesign, from: string, to: string): TableDesign {
  const { indexes = {}, patterns } = design;
  if (Object.hasOwn(indexes, to) || !Object.hasOwn(indexes, from)) return design;
  return {
    ...design,
    indexes: mapNames(indexes, from, to),
    entities: mapValues(design.entities, (entity) =>
      entity.indexes === undefined ? entity : { ...entity, indexes: mapNames(entity.indexes, from, to) },
    ),
    ...(patterns && {
      patterns: mapValues(patterns, (pattern) =>
        'index' in pattern && pattern.index === from ? { ...pattern, index: to } : pattern,
      ),
    }),
    ...acknowledged(design, from, to),
  };
}

function renameKey(design: TableDesign, from: string, to: string): TableDesign {
  const { indexes = {}, entities, patterns } = design;
  const nameOf = (name: string) => (name === from ? to : name);
  const sideOf = (side: IndexDesign['partition']) => (typeof side === 'string' ? nameOf(side) : side.map(nameOf));
  const renamed = ({ partition, sort, ...rest }: IndexDesign): IndexDesign => ({
    ...rest,
    partition: sideOf(partition),
    ...(sort === undefined ? {} : { sort: sideOf(sort) }),
  });
  return {
    ...design,
    indexes: mapValues(indexes, renamed),
    entities: mapValues(entities, (entity) => {
      const { keys = {}, attributes } = entity;
      if (Object.hasOwn(keys, from)) return { ...entity, keys: mapNames(keys, from, to) };
      // An entity with a natural key gets the renamed key by a template, with the same value.
      const isNatural = attributeNames(attributes).includes(from);
      return isNatural && !Object.hasOwn(keys, to)
        ? { ...entity, keys: { ...keys, [to]: template(`<${from}>`).text } }
        : entity;
    }),
    ...(patterns && { patterns: mapValues(patterns, (pattern) => renameWhere(pattern, from, to)) }),
    ...acknowledged(design, from, to),
  };
}

function renameWhere(pattern: PatternDesign, from: string, to: string): PatternDesign {
  if (pattern.op !== 'query' || !Object.hasOwn(pattern.where, from)) return pattern;
  return { ...pattern, where: mapNames(pattern.where, from, to) };
}

/** Acknowledged findings stay acknowledged under the new name. */
function acknowledged({ acknowledge }: TableDesign, from: string, to: string): Pick<TableDesign, 'acknowledge'> {
  if (acknowledge === undefined) return {};
  const moved = (path: string) =>
    path
      .split('.')
      .map((step) => (step === from ? to : step))
      .join('.');
  return {
    acknowledge: mapValues(acknowledge, (paths) =>
      Object.fromEntries(Object.entries(paths).map(([path, why]) => [moved(path), why])),
    ),
  };
}

function mapNames<T>(values: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name === from ? to : name, value]));
}

export function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
