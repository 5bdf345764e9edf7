import type { KeyCondition, PatternDesign, TransactionStep } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { type Template, template } from '../design/template';
import { blueprint, entityNamed, type KeyBlueprint, type TableBlueprint } from './table';

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
  const plan = blueprint(design);
  const { key } = plan;
  switch (pattern.op) {
    case 'get':
      return [access('get', key, pattern.where, pattern.returns)];
    case 'query': {
      const index = plan.indexes.find(({ name }) => name === pattern.index);
      return [access('query', index ?? key, pattern.where, pattern.returns, { index: pattern.index })];
    }
    case 'batchGet':
      return Object.entries(pattern.keys).map(([part, where]) =>
        access('batchGet', key, where, pattern.returns, { part }),
      );
    case 'transaction':
      return Object.entries(pattern.steps).map(([part, step]) => writeAccess(plan, step, part));
    default:
      return [writeAccess(plan, pattern)];
  }
}

function writeAccess(plan: TableBlueprint, step: TransactionStep, part?: string): Access {
  const { op, entity } = step;
  if (op !== 'put') return access(op, plan.key, step.where, [entity], { part });
  const keys = entityNamed(plan, entity)?.keys;
  const where = Object.fromEntries([...(keys ?? [])].map(([name, source]) => [name, source.template.text]));
  return access(op, plan.key, where, [entity], { part });
}

function access(
  action: Action,
  key: KeyBlueprint,
  where: Where,
  entities: readonly string[],
  { part, index }: Pick<Access, 'part' | 'index'> = {},
): Access {
  return { action, part, index, partition: partitionIn(key, where), range: rangeIn(key, where), entities };
}

type Where = Readonly<Record<string, KeyCondition>>;

function partitionIn({ partition }: KeyBlueprint, where: Where): Template | undefined {
  const asked = conditionOn(partition.name, where);
  return typeof asked === 'string' ? template(asked) : undefined;
}

function rangeIn({ sort }: KeyBlueprint, where: Where): SortRange {
  const asked = sort && conditionOn(sort.name, where);
  return asked === undefined ? ALL : rangeOf(asked);
}

const ALL: SortRange = { kind: 'all' };

/** An attribute may be named `constructor`, which every object has by birth. */
function conditionOn(name: string, where: Where): KeyCondition | undefined {
  return Object.hasOwn(where, name) ? where[name] : undefined;
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
