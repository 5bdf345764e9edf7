import type { KeyCondition, PatternDesign, TransactionStep } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { type Template, template } from '../design/template';
import { blueprint, entityNamed, type KeyBlueprint } from './table';

/** One thing a pattern does to the table or to one of its indexes. */
export interface Access {
  readonly action: Action;
  /** The step of a transaction, or the name of a key in a batch. */
  readonly part?: string;
  /** The index that is read; the table itself where there is none. */
  readonly index?: string;
  /** The partition it goes to; undefined where the pattern does not say. */
  readonly partition?: Template;
  /** What it reads or writes within the partition. */
  readonly range: SortRange;
  /** The entities it reads or writes. */
  readonly entities: readonly string[];
}

export type Action = 'get' | 'query' | 'batchGet' | 'put' | 'update' | 'delete' | 'require';

/** A stretch of a partition. */
export type SortRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'between'; readonly from: Template; readonly to: Template }
  | { readonly kind: Exclude<Comparison, 'between'> | 'equals'; readonly at: Template };

type Comparison = KeyCondition extends infer C ? (C extends object ? keyof C : never) : never;

/** What a pattern does, one entry for each item or partition it touches. */
export function accessesOf(design: TableDesign, pattern: PatternDesign): readonly Access[] {
  const { key } = blueprint(design);
  switch (pattern.op) {
    case 'get':
      return [{ action: 'get', ...placed(key, pattern.where), entities: pattern.returns }];
    case 'query':
      return [queryAccess(design, pattern)];
    case 'batchGet':
      return Object.entries(pattern.keys).map(([part, where]) => ({
        action: 'batchGet',
        part,
        ...placed(key, where),
        entities: pattern.returns,
      }));
    case 'transaction':
      return Object.entries(pattern.steps).map(([part, step]) => ({ part, ...writeAccess(design, step) }));
    default:
      return [writeAccess(design, pattern)];
  }
}

function queryAccess(design: TableDesign, pattern: Extract<PatternDesign, { op: 'query' }>): Access {
  const { key, indexes } = blueprint(design);
  const index = indexes.find(({ name }) => name === pattern.index);
  return {
    action: 'query',
    ...(pattern.index === undefined ? {} : { index: pattern.index }),
    ...placed(index ?? key, pattern.where),
    entities: pattern.returns,
  };
}

function writeAccess(design: TableDesign, step: TransactionStep): Access {
  const plan = blueprint(design);
  const { key } = plan;
  if (step.op !== 'put') return { action: step.op, ...placed(key, step.where), entities: [step.entity] };
  const keys = entityNamed(plan, step.entity)?.keys;
  const where = Object.fromEntries([...(keys ?? [])].map(([name, source]) => [name, source.template.text]));
  return { action: 'put', ...placed(key, where), entities: [step.entity] };
}

function placed(key: KeyBlueprint, where: Readonly<Record<string, KeyCondition>>): Pick<Access, 'partition' | 'range'> {
  // An attribute may be named `constructor`, which every object has by birth.
  const at = (name: string) => (Object.hasOwn(where, name) ? where[name] : undefined);
  const partition = at(key.partition.name);
  const sort = key.sort && at(key.sort.name);
  return {
    ...(typeof partition === 'string' ? { partition: template(partition) } : {}),
    range: sort === undefined ? { kind: 'all' } : rangeOf(sort),
  };
}

function rangeOf(condition: KeyCondition): SortRange {
  if (typeof condition === 'string') return { kind: 'equals', at: template(condition) };
  if ('between' in condition) {
    const [from, to] = condition.between;
    return { kind: 'between', from: template(from), to: template(to) };
  }
  const [kind, at] = Object.entries(condition)[0] as [Exclude<Comparison, 'between'>, string];
  return { kind, at: template(at) };
}
