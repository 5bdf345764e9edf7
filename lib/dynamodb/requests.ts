import type { EntityValues, PatternItem, PatternValues } from '../design/infer';
import type { PatternDesign } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { writeCursor } from '../items/cursor';
import { type ItemError, makeItem } from '../items/item';
import { type EntityPlan, type Item, type Plan, planOf } from '../items/plan';
import type { Inputs, PutInput, Values } from './inputs';
import { type Builder, batchGetBuilder, getBuilder, queryBuilder, type ReadOptions, readItems } from './read';
import { putBuilder, transactionBuilder, writeBuilder } from './write';

/** The SDK command a pattern is sent with. */
export type CommandName = 'Get' | 'Query' | 'BatchGet' | 'Put' | 'Update' | 'Delete' | 'TransactWrite';

/** One pattern: values in, the input of one SDK command out; and the SDK's output in, items out. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: ReadOptions): InputOf<D['patterns'][P]>;
  readonly command: CommandName;
  /** Throws for an item that is unknown or not as designed, unless `onUnknown` takes it. */
  read(output: object, onUnknown?: (item: Item, reason: ItemError) => void): PatternResult<D, P>;
}

type InputOf<P> = P extends { readonly op: infer Op extends keyof Inputs } ? Inputs[Op] : never;

/** What a pattern comes to: an item or none, a page of items, or nothing. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'get';
}
  ? PatternItem<D, P> | undefined
  : D['patterns'][P] extends { readonly returns: unknown }
    ? Page<PatternItem<D, P>>
    : undefined;

export interface Page<I> {
  readonly items: readonly I[];
  /** Where to go on; none after the last page. */
  readonly cursor?: string;
}

/** Every request a design knows, for one physical table. */
export interface Requests<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };
  /** The item of an entity, validated and with all its keys. */
  item<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): Values;
  /** The input of a put that never overwrites. */
  put<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): PutInput;
}

/** The requests of a design, as plain inputs for the document client. */
export function requests<D extends TableDesign>(design: D, tableName: string): Requests<D> {
  if (typeof tableName !== 'string' || tableName === '') {
    const got = JSON.stringify(tableName) ?? 'undefined';
    throw new Error(`requests of '${design.name}': the name of the table must be a text, got: ${got}`);
  }
  const plan = planOf(design);
  const puts = new Map<string, (values: object, own: object) => Item>();
  const entityNamed = (name: string): EntityPlan => {
    const entity = plan.entities.get(name);
    if (entity === undefined) throw new Error(`'${name}' is no entity of '${design.name}'`);
    return entity;
  };
  const patterns = Object.entries(design.patterns ?? {}).map(([name, pattern]) => [
    name,
    request(plan, tableName, name, pattern),
  ]);
  return {
    tableName,
    patterns: Object.fromEntries(patterns),
    item: (entity, values) => makeItem(plan, entityNamed(entity), values as object) as Values,
    put: (entity, values) => {
      let build = puts.get(entity);
      if (build === undefined) {
        build = putBuilder(plan, tableName, entityNamed(entity), {});
        puts.set(entity, build);
      }
      return build(values as object, values as object) as unknown as PutInput;
    },
  };
}

const COMMANDS = {
  get: 'Get',
  query: 'Query',
  batchGet: 'BatchGet',
  put: 'Put',
  update: 'Update',
  delete: 'Delete',
  transaction: 'TransactWrite',
} as const satisfies Record<PatternDesign['op'], CommandName>;

function request(plan: Plan, tableName: string, name: string, pattern: PatternDesign): object {
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    builder ??= builderOf(plan, tableName, name, pattern);
    return builder(values ?? {}, options);
  };
  return Object.assign(build, {
    command: COMMANDS[pattern.op],
    read: (output: Item, onUnknown?: (item: Item, reason: ItemError) => void) => {
      if (!('returns' in pattern)) return undefined;
      const items = readItems(plan, pattern, itemsIn(output, tableName, name, pattern), onUnknown);
      if (pattern.op === 'get') return items[0];
      const last = output.LastEvaluatedKey as Item | undefined;
      return last === undefined ? { items } : { items, cursor: writeCursor(name, last) };
    },
  });
}

function builderOf(plan: Plan, tableName: string, name: string, pattern: PatternDesign): Builder {
  switch (pattern.op) {
    case 'get':
      return getBuilder(plan, tableName, pattern);
    case 'query':
      return queryBuilder(plan, tableName, name, pattern);
    case 'batchGet':
      return batchGetBuilder(plan, tableName, name, pattern);
    case 'transaction':
      return transactionBuilder(plan, tableName, name, pattern);
    default:
      return writeBuilder(plan, tableName, name, pattern);
  }
}

function itemsIn(output: Item, tableName: string, name: string, { op }: PatternDesign): readonly Item[] {
  if (op === 'get') return output.Item === undefined ? [] : [output.Item as Item];
  if (op === 'batchGet') {
    const left = (output.UnprocessedKeys as Item | undefined)?.[tableName] as { Keys: readonly Item[] } | undefined;
    if (left !== undefined) throw new Error(`${name}: ${left.Keys.length} of its keys were not read; send it again`);
    return (output.Responses as Record<string, Item[]> | undefined)?.[tableName] ?? [];
  }
  return (output.Items as Item[] | undefined) ?? [];
}
