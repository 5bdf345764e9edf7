import { type Access, isRead } from '../blueprint/accesses';
import { BATCH_ITEMS } from '../blueprint/clouds';
import {
  type EntityOutline,
  entityNamed,
  outlineOfReads,
  type PatternBlueprint,
  plainOutline,
  type TableOutline,
} from '../blueprint/outline';
import type { EntityInput, EntityValues, PatternValues, ReadPatternName } from '../design/infer';
import type { PatternDesign, WritePattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { shownValue } from '../design/template';
import { inPattern } from '../items/calls';
import { writeCursor } from '../items/cursor';
import { scopesOf } from '../items/each';
import { assertTable } from '../items/given';
import { type Item, ItemError, makeItem, readItem } from '../items/item';
import { readItems } from '../items/read';
import type { PatternResult as ItemsResult, UnknownPolicy } from '../items/result';
import { batchWriteInput } from './batch-input';
import { type Features, needCode, outlineWith } from './features';
import type { DeleteInput, GetInput, Inputs, PutInput, TransactWriteInput, UpdateInput, Values } from './inputs';
import { type Builder, cursorKeys, getBuilder, keysBuilder, queryBuilder, type ReadOptions } from './read';
import type { ScanOptions } from './scan';
import { preparer, putBuilder, transactInput } from './write';

/** The name of the SDK command that sends a pattern's request. */
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

/** The result type of a pattern; a batch of writes returns the writes that DynamoDB did not accept. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly op: 'batchWrite';
}
  ? BatchWritten<PatternValues<D, P>>
  : D['patterns'][P] extends { readonly atomic: false }
    ? ChunksWritten
    : ItemsResult<D, P>;

/** The result of a transaction that was sent in parts, if all parts succeeded. */
export interface ChunksWritten {
  /** The number of list elements that were written. */
  readonly done: number;
}

/** The result of a batch of writes. */
export interface BatchWritten<Values> {
  /**
   * The writes that DynamoDB rejected because it throttled the table, as values that you can pass to the same pattern
   * again.
   * @default - DynamoDB accepted all writes
   */
  readonly left?: Values;
}

/**
 * A pattern's request: call it to turn values into the input of one SDK command; `read` turns the SDK's output into
 * items.
 */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: ReadOptionsOf<D['patterns'][P]>): InputOf<D, D['patterns'][P]>;
  readonly command: CommandName;
  /**
   * Reads the items in the SDK's output. An item that does not fit the design is counted in the page's `unknown`,
   * and passed to `onUnknown`. If `onUnknown` is `'throw'`, or if the pattern is a `get`, `read` throws instead.
   */
  read(output: object, onUnknown?: UnknownPolicy): PatternResult<D, P>;
  /**
   * For a `find` only. Given the output and the input of the request that read the guard, builds the request that reads
   * the item, or returns undefined if no item has the value. Pass the output of that second request to `read`.
   */
  readonly next: D['patterns'][P] extends { readonly op: 'find' }
    ? (output: object, input: GetInput) => GetInput | undefined
    : undefined;
}

/** The options of one call; a scan has segments but no order. */
export type ReadOptionsOf<P> = P extends { readonly op: 'scan' } ? ScanOptions : ReadOptions;

/**
 * The input type of a pattern. A write of an entity with a unique value is a transaction, because it also writes
 * guards.
 */
type InputOf<D extends TableDesign, P> = P extends { readonly op: infer Op extends keyof Inputs }
  ? P extends { readonly entity: infer E extends keyof D['entities'] }
    ? D['entities'][E] extends { readonly unique: object }
      ? GuardedInputs[Op & keyof GuardedInputs]
      : Inputs[Op]
    : Inputs[Op]
  : never;

interface GuardedInputs {
  readonly put: TransactWriteInput;
  /** An update that does not change the unique value is a single write. */
  readonly update: UpdateInput | TransactWriteInput;
  /**
   * If several items of one owner can share the value, a delete is a single write: the owner keeps the value, so the
   * guard stays.
   */
  readonly delete: DeleteInput | TransactWriteInput;
}

/**
 * All requests of a design for one deployed table, keyed by pattern name. `in out` makes the compiler compare the
 * designs of two `Requests` by name; comparing all patterns would take minutes.
 */
export type Requests<in out D extends TableDesign> = { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };

/** A design's requests, limited to reads by key. */
export type Reads<in out D extends TableDesign> = {
  readonly [P in ReadPatternName<D> as D['patterns'][P] extends { readonly op: 'scan' | 'find' }
    ? never
    : P]: PatternRequest<D, P>;
};

/** Builds items of a design's entities, and inputs that put such items into one deployed table. */
export interface Entities<D extends TableDesign> {
  /**
   * Validates an item and adds all its keys. The caller must also pass the values that a pattern would add, such as
   * timestamps.
   */
  item<E extends keyof D['entities'] & string>(entity: E, values: EntityInput<D, E>): Values;
  /** Builds the input of a put that never overwrites an item. */
  put<E extends keyof D['entities'] & string>(entity: E, values: EntityValues<D, E>): PutInput;
}

/** Creates the requests of a design. Each request builds a plain input for the document client. */
export function requests<D extends TableDesign>(design: D, tableName: string, features: Features = {}): Requests<D> {
  assertGiven('requests', design, tableName);
  const table = outlineWith('requests', design, features);
  const { unique } = features;
  const build: BuilderOf = (...of) => builderOf(...of, features);
  const all = table.patterns.map((pattern) => {
    const { name, design: own } = pattern;
    const command = own.op === 'transaction' ? 'TransactWrite' : unique?.commandOf(table, pattern);
    const made = request(table, tableName, pattern, features, build, readWritten, command);
    return [name, Object.assign(made, unique?.nextOf(table, tableName, own))];
  });
  return Object.fromEntries(all);
}

/**
 * Like `requests`, but only for reads by key. Code called from here must not import the scan and write code, so that
 * bundlers can leave out that code, a third of the total.
 */
export function reads<D extends TableDesign>(
  design: D,
  tableName: string,
  features: Pick<Features, 'formats' | 'stored' | 'unions' | 'clock'> = {},
): Reads<D> {
  assertNamed('reads', design, tableName);
  needCode('reads', design, features);
  const table = outlineOfReads(design);
  const all = table.patterns
    .filter(({ design }) => isRead(design) && design.op !== 'scan' && design.op !== 'find')
    .map((pattern) => [pattern.name, request(table, tableName, pattern, features, readBuilder)]);
  return Object.fromEntries(all);
}

/** Creates items of a design's entities, independently of the patterns. */
export function entities<D extends TableDesign>(
  design: D,
  tableName: string,
  features: Pick<Features, 'formats' | 'stored' | 'unions'> = {},
): Entities<D> {
  assertGiven('entities', design, tableName);
  needCode('entities', design, features);
  const table = plainOutline(design);
  const puts = new Map<string, (values: object, own: object) => Item>();
  const named = (name: string): EntityOutline => {
    const entity = entityNamed(table, name);
    if (entity === undefined) throw new Error(`'${name}' is not an entity of '${design.name}'`);
    return entity;
  };
  return {
    item: (entity, values) => makeItem(table, named(entity), values as object) as Values,
    put: (entity, values) => {
      let build = puts.get(entity);
      if (build === undefined) {
        refuseUnwritten('put', named(entity));
        build = putBuilder(table, tableName, named(entity), {});
        puts.set(entity, build);
      }
      return build(values as object, values as object) as unknown as PutInput;
    },
  };
}

/**
 * Refuses a write outside a pattern if a pattern with the same write would also write guards, a version, timestamps or
 * computed attributes.
 */
export function refuseUnwritten(op: 'put' | 'update' | 'delete', { name, uniques, design }: EntityOutline): void {
  const stamps = op === 'delete' ? undefined : (design.version ?? design.timestamps ?? design.computed);
  if (uniques ?? stamps)
    throw new ItemError(
      `${op} of ${name} also writes derived values; write a pattern: { op: '${op}', entity: '${name}' }`,
    );
}

function assertGiven(what: string, design: TableDesign, tableName: string): void {
  assertTable(design, what);
  assertNamed(what, design, tableName);
}

function assertNamed(what: string, design: TableDesign, tableName: string): void {
  if (typeof tableName !== 'string' || tableName === '') {
    throw new Error(`${what} of '${design.name}': the table name must be a string, got: ${shownValue(tableName)}`);
  }
}

type BuilderOf = (table: TableOutline, tableName: string, pattern: PatternBlueprint) => Builder | undefined;

type ReadWritten = (
  table: TableOutline,
  tableName: string,
  pattern: PatternBlueprint,
  output: Item,
) => Item | undefined;

function request(
  table: TableOutline,
  tableName: string,
  pattern: PatternBlueprint,
  { clock }: Features,
  builderOf: BuilderOf,
  written?: ReadWritten,
  command?: CommandName,
): object {
  const { name, design } = pattern;
  const { op } = design;
  let builder: Builder | undefined;
  const build: Builder = (values, options) =>
    inPattern(tableName, name, () => {
      builder ??= bounded(pattern, tableName, builderOf(table, tableName, pattern) as Builder);
      return builder(values ?? {}, options);
    });
  return Object.assign(build, {
    // Most commands are named after the pattern's `op`.
    command: command ?? op.charAt(0).toUpperCase() + op.slice(1),
    read: (output: Item, onUnknown?: UnknownPolicy) => {
      if (!isRead(design)) return written?.(table, tableName, pattern, output);
      const items = itemsIn(output, tableName, name, design);
      const page = readItems(table, { tableName, name, clock }, design, items, readItem, onUnknown);
      if (op === 'get' || op === 'find') return page.items[0];
      const last = output.LastEvaluatedKey as Item | undefined;
      if (last === undefined) return page;
      return { ...page, cursor: writeCursor(name, cursorKeys(table, pattern.accesses[0] as Access), last) };
    },
  });
}

/** If the pattern has `returns`, reads the item that the write returned. */
function readWritten(
  table: TableOutline,
  tableName: string,
  { name, design: written }: PatternBlueprint,
  output: Item,
): Item | undefined {
  const design = written as WritePattern;
  const { Attributes: item } = output as { readonly Attributes?: Item };
  if (!('returns' in design) || design.returns === undefined || item === undefined) return undefined;
  const entity = entityNamed(table, design.entity) as EntityOutline;
  return inPattern(tableName, name, () => readItem(table, entity, item));
}

/** Refuses more keys or writes than fit in one request; only a client splits them into several requests. */
function bounded({ name, design }: PatternBlueprint, tableName: string, build: Builder): Builder {
  const { op } = design;
  if (op === 'query' && design.each !== undefined) return oneOf(name, design.each, build);
  if (op !== 'batchGet' && op !== 'batchWrite') return build;
  const most = BATCH_ITEMS[op];
  return (values, options) => {
    const input = build(values, options);
    const batch = (input.RequestItems as Record<string, readonly Item[] | { Keys: readonly Item[] }>)[tableName] ?? [];
    const { length } = 'Keys' in batch ? batch.Keys : batch;
    if (length > most)
      throw new ItemError(`${name}: ${length} items, but at most ${most} are allowed; a client splits them`);
    return input;
  };
}

/** Builds the query for a list that must have exactly one element. */
function oneOf(name: string, each: string, build: Builder): Builder {
  return (values, options) => {
    const [only, other] = scopesOf(name, each, values);
    if (only === undefined || other !== undefined)
      throw new ItemError(`${name}: '${each}' must have one element; for more, use a client`);
    return build(only, options);
  };
}

/** Returns the builder for a pattern that reads by key, or undefined for any other pattern. */
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
    case 'transactGet':
      return keysBuilder(table, tableName, name, design);
    default:
      return undefined;
  }
}

export function builderOf(
  table: TableOutline,
  tableName: string,
  pattern: PatternBlueprint,
  features: Features,
): Builder {
  const { name, design, accesses } = pattern;
  const { unique, scans } = features;
  if (design.op === 'find' && unique) return unique.findOf(table, tableName, design).build;
  if (design.op === 'scan' && scans) return scans.scanBuilder(table, tableName, name, design, accesses[0] as Access);
  const read = readBuilder(table, tableName, pattern);
  if (read !== undefined) return read;
  const prepare = preparer(table, tableName, pattern, features);
  if (design.op === 'transaction' || unique?.isGuarded(pattern))
    return (values) => transactInput(name, prepare(values));
  if (design.op === 'batchWrite') return (values) => batchWriteInput(prepare(values));
  return (values) => prepare(values)[0]?.input as Item;
}

function itemsIn(output: Item, tableName: string, name: string, { op }: PatternDesign): readonly Item[] {
  if (op === 'get' || op === 'find') return output.Item === undefined ? [] : [output.Item as Item];
  if (op === 'transactGet')
    return ((output.Responses ?? []) as Item[]).map(({ Item: own }) => own as Item).filter((own) => own !== undefined);
  if (op === 'batchGet') {
    const left = (output.UnprocessedKeys as Item | undefined)?.[tableName] as { Keys: readonly Item[] } | undefined;
    if (left !== undefined)
      throw new Error(`${tableName}: ${name}: keys not read: ${left.Keys.length}; retry the call`);
    return (output.Responses as Record<string, Item[]> | undefined)?.[tableName] ?? [];
  }
  return (output.Items as Item[] | undefined) ?? [];
}
