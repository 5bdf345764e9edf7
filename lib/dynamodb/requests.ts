import type { Access } from '../blueprint/accesses';
import {
  type EntityOutline,
  entityNamed,
  isRead,
  outline,
  type PatternBlueprint,
  type TableOutline,
} from '../blueprint/outline';
import type { EntityValues, PatternValues, ReadPatternName } from '../design/infer';
import type { PatternDesign } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { writeCursor } from '../items/cursor';
import { type Item, makeItem, readItem } from '../items/item';
import { readItems } from '../items/read';
import type { OnUnknown, PatternResult } from '../items/result';
import type { Inputs, PutInput, Values } from './inputs';
import { type Builder, batchGetBuilder, cursorKeys, getBuilder, queryBuilder, type ReadOptions } from './read';
import { putBuilder, transactionBuilder, writeBuilder } from './write';

/** The SDK command a pattern is sent with. */
export type CommandName = 'Get' | 'Query' | 'BatchGet' | 'Put' | 'Update' | 'Delete' | 'TransactWrite';

/** One pattern: values in, the input of one SDK command out; and the SDK's output in, items out. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: ReadOptions): InputOf<D['patterns'][P]>;
  readonly command: CommandName;
  /** Throws for an item that is unknown or not as designed, unless `onUnknown` takes it. */
  read(output: object, onUnknown?: OnUnknown): PatternResult<D, P>;
}

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

/** The requests of a design that read, and no others. */
export interface Reads<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in ReadPatternName<D>]: PatternRequest<D, P> };
}

/** The requests of a design, as plain inputs for the document client. */
export function requests<D extends TableDesign>(design: D, tableName: string): Requests<D> {
  const table = outlineFor(design, tableName);
  const puts = new Map<string, (values: object, own: object) => Item>();
  const named = (name: string): EntityOutline => {
    const entity = entityNamed(table, name);
    if (entity === undefined) throw new Error(`'${name}' is not an entity of '${design.name}'`);
    return entity;
  };
  const patterns = table.patterns.map((pattern) => [pattern.name, request(table, tableName, pattern, builderOf)]);
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
 * The same for what only reads: bundlers leave out all that writes, which is a third of the whole. Nothing that is called
 * from here may lead to it.
 */
export function reads<D extends TableDesign>(design: D, tableName: string): Reads<D> {
  const table = outlineFor(design, tableName);
  const patterns = table.patterns
    .filter(isRead)
    .map((pattern) => [pattern.name, request(table, tableName, pattern, readBuilder)]);
  return { tableName, patterns: Object.fromEntries(patterns) };
}

function outlineFor(design: TableDesign, tableName: string): TableOutline {
  if (typeof tableName !== 'string' || tableName === '') {
    const got = JSON.stringify(tableName) ?? 'undefined';
    throw new Error(`requests of '${design.name}': the name of the table must be a string, got: ${got}`);
  }
  return outline(design);
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

type BuilderOf = (table: TableOutline, tableName: string, pattern: PatternBlueprint) => Builder | undefined;

function request(table: TableOutline, tableName: string, pattern: PatternBlueprint, builderOf: BuilderOf): object {
  const { name, design } = pattern;
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    builder ??= builderOf(table, tableName, pattern) as Builder;
    return builder(values ?? {}, options);
  };
  return Object.assign(build, {
    command: COMMANDS[design.op],
    read: (output: Item, onUnknown?: OnUnknown) => {
      if (!('returns' in design)) return undefined;
      const read = (entity: EntityOutline, item: Item, select?: readonly string[]) =>
        readItem(table, entity, item, select);
      const items = readItems(table, design, itemsIn(output, tableName, name, design), read, onUnknown);
      if (design.op === 'get') return items[0];
      const last = output.LastEvaluatedKey as Item | undefined;
      if (last === undefined) return { items };
      return { items, cursor: writeCursor(name, cursorKeys(table, pattern.accesses[0] as Access), last) };
    },
  });
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

function builderOf(table: TableOutline, tableName: string, pattern: PatternBlueprint): Builder {
  const { name, design, accesses } = pattern;
  const writer = design.op === 'transaction' ? transactionBuilder : writeBuilder;
  return readBuilder(table, tableName, pattern) ?? writer(table, tableName, name, accesses);
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
