import type {
  BatchGetPattern,
  BatchWritePattern,
  FindPattern,
  KeyCondition,
  PatternDesign,
  ReadPattern,
  ReleasePattern,
  ReleaseStep,
  TransactGetPattern,
  TransactionPattern,
  Write,
} from '../design/pattern';
import { type Template, template } from '../design/template';
import {
  type EntityOutline,
  entityNamed,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  ownOf,
  type TableOutline,
} from './outline';

/** One operation that a pattern performs on the table or on an index. */
export interface Access {
  readonly action: Action;
  /** The name of the step in a transaction, or of the key in a batch. */
  readonly part?: string;
  /** The pattern itself, or the step of a transaction. */
  readonly step: ReadPattern | Write;
  /** The index that the pattern reads; undefined if the pattern reads the table itself. */
  readonly index?: string;
  /** The key of the table or index that the pattern reads or writes; undefined if the index does not exist. */
  readonly key?: KeyBlueprint;
  /**
   * The partition that the pattern reads or writes: a value for each key attribute; undefined if the pattern leaves any
   * of them open. In a multi-attribute sort key, the attributes before the range are also part of the partition.
   */
  readonly partition?: readonly [Held, ...Held[]];
  /** The sort key attribute to which `range` applies. */
  readonly sort?: KeyAttribute;
  /** The range that the pattern reads or writes within the partition. */
  readonly range: SortRange;
  /** The entities that the pattern reads or writes. */
  readonly entities: readonly string[];
  /**
   * The name of the unique value whose guard this access reads or writes.
   * @default - the access reads or writes the pattern's own
   * items
   */
  readonly unique?: string;
  /**
   * The pattern or step that releases the unique value without writing an item.
   * @default - the guard is written
   * together with an item
   */
  readonly released?: ReleasePattern | ReleaseStep;
}

/** A key attribute, and the single value to which an access fixes it. */
export interface Held {
  readonly attribute: KeyAttribute;
  readonly at: Template;
}

export type Action = 'get' | 'query' | 'scan' | 'batchGet' | 'put' | 'update' | 'delete' | 'require' | 'batchWrite';

/** A range of sort keys within a partition. */
export type SortRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly from: Template; readonly to: Template }
  | { readonly kind: Exclude<Comparison, 'between'> | 'equals'; readonly at: Template };

type Comparison = KeyCondition extends infer C ? (C extends object ? keyof C : never) : never;

export function isRead(pattern: PatternDesign): pattern is ReadPattern {
  return 'returns' in pattern && typeof pattern.returns === 'object';
}

/** Whether a pattern consists of named writes. */
export function hasSteps(pattern: PatternDesign): pattern is TransactionPattern | BatchWritePattern {
  return 'steps' in pattern;
}

/** Whether a pattern reads items by named keys. */
export function hasKeys(pattern: { readonly op: string }): pattern is BatchGetPattern | TransactGetPattern {
  return pattern.op === 'batchGet' || pattern.op === 'transactGet';
}

/** Whether a pattern with a single write is sent as a transaction, because the pattern also writes guards. */
export function isGuarded({
  design,
  accesses,
}: {
  readonly design: PatternDesign;
  readonly accesses: readonly Access[];
}) {
  return !isRead(design) && !hasSteps(design) && accesses.length > 1;
}

/** What this file needs to know about a table: its keys and indexes, and where its entities' keys come from. */
export interface AccessedTable extends Pick<TableOutline, 'key' | 'indexes'> {
  readonly entities: readonly Pick<EntityOutline, 'name' | 'keys' | 'uniques' | 'guards'>[];
}

/**
 * Lists what a pattern does, with one entry for each item or partition that the pattern touches. `guarding` supplies
 * the accesses to guards.
 */
export function accessesOf(table: AccessedTable, pattern: PatternDesign, guarding?: Guarding): readonly Access[] {
  if (pattern.op === 'find') return guarding?.find(table, pattern) ?? [];
  if (isRead(pattern)) return readAccesses(table, pattern);
  const write = (step: Write | ReleasePattern | ReleaseStep, part?: string): readonly Access[] => {
    if (step.op === 'release') return guarding?.release(table, step, part) ?? [];
    const own = writeAccess(table, step, part);
    return guarding === undefined ? [own] : [own, ...guarding.beside(table, step, part)];
  };
  if (!hasSteps(pattern)) return write(pattern);
  return Object.entries(pattern.steps).flatMap(([part, step]) =>
    pattern.op === 'batchWrite'
      ? { ...writeAccess(table, step as Write, part), action: pattern.op }
      : write(step, part),
  );
}

/**
 * Lists a pattern's accesses, with only the details that requests need. The access for a write has only `part` and
 * `step`.
 */
export function plainAccesses(table: AccessedTable, pattern: PatternDesign): readonly Access[] {
  if (isRead(pattern)) return readAccesses(table, pattern);
  const steps = hasSteps(pattern) ? Object.entries(pattern.steps) : [[undefined, pattern] as const];
  return steps.map(([part, step]) => ({ part, step }) as Access);
}

/**
 * How patterns access the guards of unique values. The code for guards is separate, so that only bundles of designs
 * with unique values contain it.
 */
export interface Guarding {
  find(table: AccessedTable, step: FindPattern): readonly Access[];
  release(table: AccessedTable, step: ReleasePattern | ReleaseStep, part?: string): readonly Access[];
  /** Lists the guard writes that accompany a write. */
  beside(table: AccessedTable, step: Write, part?: string): readonly Access[];
}

/**
 * Lists the accesses of a read pattern. The code for reads is separate, so that a read-only bundle contains no code for
 * writes.
 */
export function readAccesses(table: AccessedTable, pattern: PatternDesign): readonly Access[] {
  if (!isRead(pattern)) return [];
  const { op, returns: entities } = pattern;
  const read = { step: pattern, entities };
  if (hasKeys(pattern)) {
    // IAM treats each read in a transaction as a separate get.
    const action = op === 'batchGet' ? op : 'get';
    return Object.entries(pattern.keys).map(([part, where]) => access(action, table.key, where, { part, ...read }));
  }
  if (pattern.op === 'find') return [];
  const index = pattern.op === 'get' ? undefined : pattern.index;
  const key = index === undefined ? table.key : table.indexes.find(({ name }) => name === index);
  return [access(pattern.op, key, pattern.op === 'scan' ? {} : pattern.where, { index, ...read })];
}

function writeAccess(table: AccessedTable, step: Write, part?: string): Access {
  const { op, entity } = step;
  const where = op === 'put' ? keysOf(table, entity) : step.where;
  return access(op, table.key, where, { part, step, entities: [entity] });
}

/** Maps each key attribute of an entity to its template. */
export function keysOf(table: AccessedTable, entity: string): Readonly<Record<string, string>> {
  const keys = entityNamed(table, entity)?.keys ?? [];
  return Object.fromEntries(Array.from(keys, ([name, source]) => [name, source.template.text]));
}

/** The condition on each key attribute. */
type Where = Readonly<Record<string, KeyCondition>>;

export function access(
  action: Action,
  key: KeyBlueprint | undefined,
  where: Where,
  rest: Pick<Access, 'step' | 'entities' | 'part' | 'index' | 'unique' | 'released'>,
): Access {
  const attributes = key ? keyOf(key) : [];
  const asked = attributes.map(({ name }) => ownOf(where, name));
  let held = key?.partitionBy.length ?? 0;
  // The last sort key attribute always becomes the range, even if it has a single value.
  while (held + 1 < asked.length && typeof asked[held] === 'string') held++;
  const range = asked[held];
  const partition: Held[] = [];
  for (let i = 0; i < held; i++) {
    const text = asked[i];
    if (typeof text === 'string') partition.push({ attribute: attributes[i] as KeyAttribute, at: template(text) });
  }
  return {
    action,
    key,
    partition: held && partition.length === held ? (partition as [Held, ...Held[]]) : undefined,
    sort: attributes[held],
    range: range === undefined ? ALL : rangeOf(range),
    ...rest,
  };
}

const ALL: SortRange = { kind: 'all' };

function rangeOf(condition: KeyCondition): SortRange {
  if (typeof condition === 'string') return { kind: 'equals', at: template(condition) };
  if ('between' in condition) {
    const [from, to] = condition.between;
    return { kind: 'between', from: template(from), to: template(to) };
  }
  const [kind, at] = Object.entries(condition)[0] as [Exclude<Comparison, 'between'>, string];
  return { kind, at: template(at) };
}

/** Formats a partition's templates as text, in the order of the key attributes. */
export function partitionText(partition: readonly Held[]): string {
  return partition.map(({ at }) => at.text).join(', ');
}

/** Returns the templates of a range's bounds, the lower bound first. */
export function boundsOfRange(range: SortRange): readonly Template[] {
  if (range.kind === 'all') return [];
  return range.kind === 'between' ? [range.from, range.to] : [range.at];
}
