import { attributeNames } from '../../blueprint/attributes/facts';
import { whole } from '../../blueprint/shares';
import { partsOf } from '../../blueprint/template-parts';
import type { PatternDesign } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import { type IndexDesign, namesInKey, type TableDesign } from '../../design/table';
import { template } from '../../design/template';
import { newNameOf } from '../diff/answers';
import type { Answers, Change } from '../diff/change';
import { givenEdits, givenSystem } from '../given';
import type { Lock } from '../lock/lock';
import type { Edit, Plan } from './plan';

/** Returns a new name for each index, key or table that cannot change under its old name. */
export function editsFor(changes: readonly Change[], system: SystemDesign, lock: Lock): readonly Edit[] {
  const edits: Edit[] = [];
  const add = (edit: Omit<Edit, 'to'>, taken: ReadonlySet<string>) => {
    const isKnown = edits.some(
      ({ kind, table, from }) => kind === edit.kind && table === edit.table && from === edit.from,
    );
    if (!isKnown) edits.push({ ...edit, to: successor(edit.from, taken) });
  };
  /** Renames a key whose template changes, and every index that contains the key. */
  const reindexed = (table: string, design: TableDesign, key: string) => {
    const names = namesIn(design, lock, table);
    const own = Object.entries(design.indexes ?? {}).filter(([, index]) => namesInKey(index).includes(key));
    if (own.length === 0) return;
    if (own.some(([, { local }]) => local)) {
      renamedTable(table);
      return;
    }
    for (const [name] of own.sort(byName)) add({ kind: 'index', table, from: name }, names);
    add({ kind: 'key', table, from: key }, names);
  };
  const renamedTable = (table: string) =>
    add({ kind: 'table', table, from: table }, new Set([...Object.keys(system.tables), ...Object.keys(lock.tables)]));
  for (const { rule, subject, was, is, verdict } of changes) {
    const { table = '', index, attribute = '' } = subject;
    const design = system.tables[table];
    if (design === undefined) continue;
    const names = namesIn(design, lock, table);
    if (rule === 'table-key' || rule === 'local-index') renamedTable(table);
    if (rule === 'index-key' || rule === 'index-projection')
      add({ kind: 'index', table, from: index as string }, names);
    if (rule === 'key-format' && verdict === 'plan') {
      const keys = Object.entries(design.entities[subject.entity ?? '']?.keys ?? {});
      const texts = [[attribute, `<${attribute}>`] as const, ...keys];
      const own = texts.filter(([, text]) => partsOf(template(text)).some(({ path: [name] }) => name === attribute));
      for (const [key] of own) reindexed(table, design, key);
    }
    // If items only gain or only lose a key, the key and its indexes keep their names.
    if (rule !== 'index-key-template' || was === undefined || is === undefined) continue;
    reindexed(table, design, attribute);
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
    ...(old?.physical.indexes ?? []).map(({ name }) => name),
    ...Object.values(entities).flatMap(({ keys = {} }) => Object.keys(keys)),
    ...Object.values(old?.design?.entities ?? {}).flatMap(({ keys, attributes, former }) => [
      ...Object.keys(keys),
      ...Object.keys(attributes.shape ?? {}),
      ...Object.keys(former),
    ]),
  ]);
}

/** Returns the next free name: `GSI1v2` after `GSI1`, and `GSI1v3` after `GSI1v2`. */
function successor(name: string, taken: ReadonlySet<string>): string {
  const [, stem = name, version = '1'] = /^(.*?)(?:v(\d+))?$/s.exec(name) ?? [];
  for (let next = Number(version) + 1; ; next++) if (!taken.has(`${stem}v${next}`)) return `${stem}v${next}`;
}

/** Returns the design with the new names from a plan. A design that already has these names stays unchanged. */
export function withEdits<S extends SystemDesign>(system: S, edits: readonly Edit[]): S {
  givenSystem(system, 'system');
  givenEdits(edits, 'edits');
  if (edits.length === 0) return system;
  const tables = Object.entries(whole(system).tables).map(([name, design]) => {
    const own = edits.filter(({ table }) => table === name);
    const edited = own.filter(({ kind }) => kind !== 'table').reduce(editTable, design as TableDesign);
    const renamed = own.find(({ kind }) => kind === 'table');
    return renamed === undefined ? [name, edited] : [renamed.to, { ...edited, name: renamed.to }];
  });
  return { ...system, tables: Object.fromEntries(tables) };
}

/** Returns the answers, plus a `renamed` answer for each table that gets a new name. */
export function withTableEdits(answers: Answers, edits: readonly Edit[]): Answers {
  const tables = edits.filter(({ kind }) => kind === 'table');
  if (tables.length === 0) return answers;
  const renamed = Object.fromEntries(tables.map(({ from, to }) => [from, to]));
  return { ...answers, renamed: { ...answers.renamed, ...renamed } };
}

/** Returns the name that a table from the lock has in the target design. */
export function tableNow(plan: Pick<Plan, 'answers' | 'edits'>, table: string): string {
  return newNameOf(withTableEdits(plan.answers, plan.edits), table);
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
    ...acknowledged(
      design,
      [{ at: ['indexes'], names: Object.keys(indexes) }, ...ofEntities(design, 'indexes')],
      from,
      to,
    ),
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
      // If the key is itself an attribute of the entity, the renamed key is rendered from that attribute and has the
      // same value.
      const isNatural = attributeNames(attributes).includes(from);
      return isNatural && !Object.hasOwn(keys, to)
        ? { ...entity, keys: { ...keys, [to]: template(`<${from}>`).text } }
        : entity;
    }),
    ...(patterns && { patterns: mapValues(patterns, (pattern) => renameWhere(pattern, from, to)) }),
    ...acknowledged(design, [...ofEntities(design, 'keys'), ...conditionsIn(design)], from, to),
  };
}

function renameWhere(pattern: PatternDesign, from: string, to: string): PatternDesign {
  if (pattern.op !== 'query' || !Object.hasOwn(pattern.where, from)) return pattern;
  return { ...pattern, where: mapNames(pattern.where, from, to) };
}

/** A section of a design: its path, and the names in it. */
interface Section {
  readonly at: readonly string[];
  readonly names: readonly string[];
}

/** Puts the new name into the paths of the acknowledgements, so that acknowledged findings stay acknowledged. */
function acknowledged(design: TableDesign, sections: readonly Section[], from: string, to: string) {
  const { acknowledge } = design;
  if (acknowledge === undefined) return {};
  const moved = (path: string) => {
    for (const { at, names } of sections) {
      const isAt = (name: string) => `${path}.`.startsWith(`${[...at, name].join('.')}.`);
      // Names may contain periods, so a path may match more than one name. The longest match wins.
      const [meant] = names.filter(isAt).sort((a, b) => b.length - a.length);
      if (meant === from) return [...at, to].join('.') + path.slice([...at, from].join('.').length);
    }
    return path;
  };
  return {
    acknowledge: mapValues(acknowledge, (paths) =>
      Object.fromEntries(Object.entries(paths).map(([path, why]) => [moved(path), why])),
    ),
  };
}

/** Returns a section for each entity: its keys or its indexes. */
function ofEntities({ entities }: TableDesign, section: 'keys' | 'indexes'): readonly Section[] {
  return Object.entries(entities).map(([entity, own]) => ({
    at: ['entities', entity, section],
    names: Object.keys(own[section] ?? {}),
  }));
}

/** Returns a section for each query: its key condition. */
function conditionsIn({ patterns }: TableDesign): readonly Section[] {
  return Object.entries(patterns ?? {}).flatMap(([name, pattern]) =>
    pattern.op === 'query' ? [{ at: ['patterns', name, 'where'], names: Object.keys(pattern.where) }] : [],
  );
}

function mapNames<T>(values: Readonly<Record<string, T>>, from: string, to: string): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name === from ? to : name, value]));
}

export function mapValues<T, U>(values: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]));
}
