import type {
  BatchWritePattern,
  KeyCondition,
  PatternDesign,
  ReadPattern,
  TransactionPattern,
  Write,
} from '../design/pattern';
import { type Template, template } from '../design/template';
import { entityNamed, type KeyAttribute, type KeyBlueprint, keyOf, ownOf, type TableOutline } from './outline';

/** One thing a pattern does to the table or to one of its indexes. */
export interface Access {
  readonly action: Action;
  /** The step of a transaction, or the name of a key in a batch. */
  readonly part?: string;
  /** The pattern itself, or the step of a transaction. */
  readonly step: ReadPattern | Write;
  /** The index that is read; the table itself where there is none. */
  readonly index?: string;
  /** The key of what it reads or writes; undefined where there is no such index. */
  readonly key?: KeyBlueprint;
  /**
   * The partition it goes to: what each of its attributes is held equal to; undefined where the pattern does not say. Of a
   * sort key of several attributes, it has those too that come before the one with the range: they narrow it as they do.
   */
  readonly partition?: readonly [Held, ...Held[]];
  /** The attribute that the partition is in the order of, and that `range` is about. */
  readonly sort?: KeyAttribute;
  /** What it reads or writes within the partition. */
  readonly range: SortRange;
  /** The entities it reads or writes. */
  readonly entities: readonly string[];
}

/** A key attribute, and the one value that is asked for. */
export interface Held {
  readonly attribute: KeyAttribute;
  readonly at: Template;
}

export type Action = 'get' | 'query' | 'scan' | 'batchGet' | 'put' | 'update' | 'delete' | 'require' | 'batchWrite';

/** A stretch of a partition. */
export type SortRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly from: Template; readonly to: Template }
  | { readonly kind: Exclude<Comparison, 'between'> | 'equals'; readonly at: Template };

type Comparison = KeyCondition extends infer C ? (C extends object ? keyof C : never) : never;

export function isRead(pattern: PatternDesign): pattern is ReadPattern {
  return 'returns' in pattern && typeof pattern.returns === 'object';
}

/** Whether a pattern consists of writes that have names. */
export function hasSteps(pattern: PatternDesign): pattern is TransactionPattern | BatchWritePattern {
  return 'steps' in pattern;
}

/** What a pattern does, one entry for each item or partition it touches. */
export function accessesOf(table: TableOutline, pattern: PatternDesign): readonly Access[] {
  if (isRead(pattern)) return readAccesses(table, pattern);
  if (!hasSteps(pattern)) return [writeAccess(table, pattern)];
  return Object.entries(pattern.steps).map(([part, step]) => {
    const access = writeAccess(table, step, part);
    return pattern.op === 'batchWrite' ? { ...access, action: pattern.op } : access;
  });
}

/** The same of those that read: apart from the others, for who does nothing else. */
export function readAccesses(table: TableOutline, pattern: PatternDesign): readonly Access[] {
  if (!isRead(pattern)) return [];
  const { op, returns: entities } = pattern;
  const read = { step: pattern, entities };
  if (op === 'batchGet') {
    return Object.entries(pattern.keys).map(([part, where]) => access(op, table.key, where, { part, ...read }));
  }
  const index = op === 'get' ? undefined : pattern.index;
  const key = index === undefined ? table.key : table.indexes.find(({ name }) => name === index);
  return [access(op, key, op === 'scan' ? {} : pattern.where, { index, ...read })];
}

function writeAccess(table: TableOutline, step: Write, part?: string): Access {
  const { op, entity } = step;
  if (op !== 'put') return access(op, table.key, step.where, { part, step, entities: [entity] });
  const keys = entityNamed(table, entity)?.keys;
  const where = Object.fromEntries([...(keys ?? [])].map(([name, source]) => [name, source.template.text]));
  return access(op, table.key, where, { part, step, entities: [entity] });
}

type Where = Readonly<Record<string, KeyCondition>>;

function access(
  action: Action,
  key: KeyBlueprint | undefined,
  where: Where,
  rest: Pick<Access, 'step' | 'entities' | 'part' | 'index'>,
): Access {
  const attributes = key ? keyOf(key) : [];
  const asked = attributes.map(({ name }) => ownOf(where, name));
  let held = key?.partitionBy.length ?? 0;
  // The last attribute of a sort key has a range, if only of one value.
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

/** A partition as its templates say it: of several attributes, one after the other. */
export function partitionText(partition: readonly Held[]): string {
  return partition.map(({ at }) => at.text).join(', ');
}

/** The templates that bound a range, in order. */
export function boundsOfRange(range: SortRange): readonly Template[] {
  if (range.kind === 'all') return [];
  return range.kind === 'between' ? [range.from, range.to] : [range.at];
}
