import { type Access, isRead } from '../blueprint/accesses';
import { DYNAMODB_REQUEST } from '../blueprint/clouds';
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

/** The SDK command a pattern is sent with. */
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

/** What a pattern comes to; a batch of writes gives back what is left of it. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'batchWrite';
}
  ? BatchWritten<PatternValues<D, P>>
  : ItemsResult<D, P>;

/** What came of a batch of writes. */
export interface BatchWritten<Values> {
  /** What the table was too busy for, as the pattern takes it. @default - all was written */
  readonly left?: Values;
}

/** One pattern: values in, the input of one SDK command out; and the SDK's output in, items out. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: ReadOptionsOf<D['patterns'][P]>): InputOf<D['patterns'][P]>;
  readonly command: CommandName;
  /**
   * An item that is unknown or not as designed is counted in the page, and given to `onUnknown` or thrown; that of a `get`
   * is always thrown.
   */
  read(output: object, onUnknown?: UnknownPolicy): PatternResult<D, P>;
}

/** What one call says beside its values: a scan has segments, and no order. */
export type ReadOptionsOf<P> = P extends { readonly op: 'scan' } ? ScanOptions : ReadOptions;

type InputOf<P> = P extends { readonly op: infer Op extends keyof Inputs } ? Inputs[Op] : never;

/** Every request a design knows, for one physical table. */
export interface Requests<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };
  /** The item of an entity, validated and with all its keys. */
  item<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): Values;
  /** The input of a put that never overwrites. */
  put<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): PutInput;
}

/** The requests of a design that read by a key, and no others. */
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
 * The same for what only reads, by a key: bundlers leave out all that writes, which is a third of the whole, and scans.
 * Nothing that is called from here may lead to them.
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

/** All but one have the name of the operation. */
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

/** What a write gives back, if its pattern asks for it. */
function readWritten(table: TableOutline, design: WritePattern, output: Item): Item | undefined {
  const { Attributes: item } = output as { readonly Attributes?: Item };
  if (!('returns' in design) || design.returns === undefined || item === undefined) return undefined;
  return readItem(table, entityNamed(table, design.entity) as EntityOutline, item);
}

/** One request takes so many keys or writes; a client sends as many as it takes. */
function bounded({ name, design: { op } }: PatternBlueprint, tableName: string, build: Builder): Builder {
  if (op !== 'batchGet' && op !== 'batchWrite') return build;
  const most = DYNAMODB_REQUEST[`${op}Items`];
  return (values, options) => {
    const input = build(values, options);
    const asked = (input.RequestItems as Record<string, readonly Item[] | { Keys: readonly Item[] }>)[tableName] ?? [];
    const { length } = 'Keys' in asked ? asked.Keys : asked;
    if (length > most)
      throw new ItemError(`${name}: ${length} items, but one request takes at most ${most}; a client sends several`);
    return input;
  };
}

/** Makes the request of a pattern that reads. */
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
