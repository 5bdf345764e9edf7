import { type Access, isRead } from '../blueprint/accesses';
import { BATCH_ITEMS } from '../blueprint/clouds';
import {
  type EntityOutline,
  entityNamed,
  outline,
  outlineOfReads,
  type PatternBlueprint,
  type TableOutline,
} from '../blueprint/outline';
import type { EntityValues, PatternValues, ReadPatternName } from '../design/infer';
import type { PatternDesign, WritePattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { writeCursor } from '../items/cursor';
import { type Item, ItemError, makeItem, readItem } from '../items/item';
import { readItems } from '../items/read';
import type { PatternResult as ItemsResult, UnknownPolicy } from '../items/result';
import { batchWriteInput } from './batch-input';
import type { Inputs, PutInput, Values } from './inputs';
import { type Builder, batchGetBuilder, cursorKeys, getBuilder, queryBuilder, type ReadOptions } from './read';
import { type ScanOptions, scanBuilder } from './scan';
import { planner, putBuilder, transactionBuilder, writeBuilder } from './write';

/** The SDK command that sends a pattern. */
export type CommandName =
  | 'Get'
  | 'Query'
  | 'Scan'
  | 'BatchGet'
  | 'Put'
  | 'Update'
  | 'Delete'
  | 'TransactWrite'
  | 'BatchWrite'
  | 'TransactGet';

/** What a pattern returns; a batch of writes returns what is left of it. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'batchWrite';
}
  ? BatchWritten<PatternValues<D, P>>
  : ItemsResult<D, P>;

/** The result of a batch of writes. */
export interface BatchWritten<Values> {
  /** What the table was too busy to write, as values for the same pattern. @default - everything was written */
  readonly left?: Values;
}

/** One pattern: it turns values into the input of one SDK command, and the SDK's output into items. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: ReadOptionsOf<D['patterns'][P]>): InputOf<D['patterns'][P]>;
  readonly command: CommandName;
  /**
   * The page counts an item that the design does not know or that does not fit it; `onUnknown` gets it, or it is thrown. A
   * `get` always throws.
   */
  read(output: object, onUnknown?: UnknownPolicy): PatternResult<D, P>;
}

/** The options of one call: a scan has segments, and no order. */
export type ReadOptionsOf<P> = P extends { readonly op: 'scan' } ? ScanOptions : ReadOptions;

type InputOf<P> = P extends { readonly op: infer Op extends keyof Inputs } ? Inputs[Op] : never;

/** Every request of a design, for one deployed table. */
export interface Requests<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };
  /** An item of an entity, validated and with all its keys. */
  item<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): Values;
  /** The input of a put that never overwrites. */
  put<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): PutInput;
}

/** Only the requests of a design that read by a key. */
export interface Reads<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: {
    readonly [P in ReadPatternName<D> as D['patterns'][P] extends { readonly op: 'scan' } ? never : P]: PatternRequest<
      D,
      P
    >;
  };
}

/** The requests of a design, as plain inputs for the document client. */
export function requests<D extends TableDesign>(design: D, tableName: string): Requests<D> {
  assertNamed(design, tableName);
  const table = outline(design);
  const puts = new Map<string, (values: object, own: object) => Item>();
  const named = (name: string): EntityOutline => {
    const entity = entityNamed(table, name);
    if (entity === undefined) throw new Error(`'${name}' is not an entity of '${design.name}'`);
    return entity;
  };
  const patterns = table.patterns.map((pattern) => [
    pattern.name,
    request(table, tableName, pattern, builderOf, readWritten),
  ]);
  return {
    tableName,
    patterns: Object.fromEntries(patterns),
    item: (entity, values) => makeItem(table, named(entity), values as object) as Values,
    put: (entity, values) => {
      let build = puts.get(entity);
      if (build === undefined) {
        build = putBuilder(table, tableName, named(entity), {});
        puts.set(entity, build);
      }
      return build(values as object, values as object) as unknown as PutInput;
    },
  };
}

/**
 * The same for reads by a key only: bundlers leave out scans and everything that writes, a third of the whole. Nothing called
 * from here may lead to them.
 */
export function reads<D extends TableDesign>(design: D, tableName: string): Reads<D> {
  assertNamed(design, tableName);
  const table = outlineOfReads(design);
  const patterns = table.patterns
    .filter(({ design }) => isRead(design) && design.op !== 'scan')
    .map((pattern) => [pattern.name, request(table, tableName, pattern, readBuilder)]);
  return { tableName, patterns: Object.fromEntries(patterns) };
}

function assertNamed(design: TableDesign, tableName: string): void {
  if (typeof tableName !== 'string' || tableName === '') {
    const got = JSON.stringify(tableName) ?? 'undefined';
    throw new Error(`requests of '${design.name}': the name of the table must be a string, got: ${got}`);
  }
}

/** All commands but one have the name of the operation. */
function commandOf(op: PatternDesign['op']): CommandName {
  if (op === 'transaction') return 'TransactWrite';
  return `${op.charAt(0).toUpperCase()}${op.slice(1)}` as Capitalize<typeof op>;
}

type BuilderOf = (table: TableOutline, tableName: string, pattern: PatternBlueprint) => Builder | undefined;

type ReadWritten = (table: TableOutline, design: WritePattern, output: Item) => Item | undefined;

function request(
  table: TableOutline,
  tableName: string,
  pattern: PatternBlueprint,
  builderOf: BuilderOf,
  written?: ReadWritten,
): object {
  const { name, design } = pattern;
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    builder ??= bounded(pattern, tableName, builderOf(table, tableName, pattern) as Builder);
    return builder(values ?? {}, options);
  };
  return Object.assign(build, {
    command: commandOf(design.op),
    read: (output: Item, onUnknown?: UnknownPolicy) => {
      if (!isRead(design)) return written?.(table, design, output);
      const read = (entity: EntityOutline, item: Item, select?: readonly string[]) =>
        readItem(table, entity, item, select);
      const page = readItems(table, design, itemsIn(output, tableName, name, design), read, onUnknown);
      if (design.op === 'get') return page.items[0];
      const last = output.LastEvaluatedKey as Item | undefined;
      if (last === undefined) return page;
      return { ...page, cursor: writeCursor(name, cursorKeys(table, pattern.accesses[0] as Access), last) };
    },
  });
}

/** What a write returns, if its pattern says so. */
function readWritten(table: TableOutline, design: WritePattern, output: Item): Item | undefined {
  const { Attributes: item } = output as { readonly Attributes?: Item };
  if (!('returns' in design) || design.returns === undefined || item === undefined) return undefined;
  return readItem(table, entityNamed(table, design.entity) as EntityOutline, item);
}

/** Refuses more keys or writes than one request takes; a client sends several requests. */
function bounded({ name, design: { op } }: PatternBlueprint, tableName: string, build: Builder): Builder {
  if (op !== 'batchGet' && op !== 'batchWrite') return build;
  const most = BATCH_ITEMS[op];
  return (values, options) => {
    const input = build(values, options);
    const batch = (input.RequestItems as Record<string, readonly Item[] | { Keys: readonly Item[] }>)[tableName] ?? [];
    const { length } = 'Keys' in batch ? batch.Keys : batch;
    if (length > most)
      throw new ItemError(`${name}: ${length} items, but one request takes at most ${most}; a client sends several`);
    return input;
  };
}

/** The builder of a pattern that reads by a key; undefined for any other. */
function readBuilder(
  table: TableOutline,
  tableName: string,
  { name, design, accesses }: PatternBlueprint,
): Builder | undefined {
  switch (design.op) {
    case 'get':
      return getBuilder(table, tableName, design);
    case 'query':
      return queryBuilder(table, tableName, name, design, accesses[0] as Access);
    case 'batchGet':
      return batchGetBuilder(table, tableName, name, design);
    default:
      return undefined;
  }
}

export function builderOf(table: TableOutline, tableName: string, pattern: PatternBlueprint): Builder {
  const { name, design, accesses } = pattern;
  if (design.op === 'transaction') return transactionBuilder(table, tableName, pattern);
  if (design.op === 'batchWrite') {
    const plan = planner(table, tableName, pattern);
    return (values) => batchWriteInput(plan(values));
  }
  if (design.op === 'scan') return scanBuilder(table, tableName, name, design, accesses[0] as Access);
  return readBuilder(table, tableName, pattern) ?? writeBuilder(table, tableName, name, accesses);
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
