import { type AbilityFault, faultsOnAzure } from '../blueprint/abilities';
import { type Access, isRead } from '../blueprint/accesses';
import { AZURE_TABLES } from '../blueprint/clouds';
import {
  type EntityOutline,
  entityNamed,
  outline,
  outlineOfReads,
  type PatternBlueprint,
  type TableOutline,
} from '../blueprint/outline';
import type { EntityValues, PatternValues, ReadPatternName } from '../design/infer';
import type { PatternDesign, ReadPattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { ItemError, makeItem } from '../items/item';
import type { PatternResult as ItemsResult, UnknownPolicy } from '../items/result';
import type { AzureCall, AzureCalls, AzureOutput, GetCall, ListCall } from './calls';
import { columnsOf, type Entity } from './edm';
import { entityOfItem } from './entity';
import { getBuilder, queryBuilder, readOutput, scanBuilder } from './read';
import { transactionBuilder, writeBuilder } from './write';

export interface RequestOptions {
  /** Where the last page ended. @default - the first page */
  readonly cursor?: string | undefined;
  /** How many entities to read for a page, at most; up to 1,000. @default - the pattern's `pageSize` */
  readonly limit?: number | undefined;
  /**
   * The ETag that the item must still have: `etagOf` of the item that was read.
   * @default - any, unless the pattern says `unchanged`
   */
  readonly etag?: string;
  /** The same for the steps of a transaction, by step. @default - any */
  readonly etags?: Readonly<Record<string, string>>;
}

/** What a pattern returns: the same as on DynamoDB for a read, and the new ETag for a write. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly returns: readonly unknown[];
}
  ? ItemsResult<D, P>
  : Written;

export interface Written {
  /** @default - none, after a batch or a delete */
  readonly etag?: string;
}

/** One pattern: it turns values into one call of the SDK, and the result of the call into items. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: RequestOptions): CallOf<D['patterns'][P]>;
  /** The SDK's method that sends it, unless an ETag makes it an update. */
  readonly method: AzureCall['method'];
  /**
   * The page counts an entity that the design does not know or that does not fit it; `onUnknown` gets it, or it is thrown. A
   * `get` always throws.
   */
  read(call: AzureCall, output: AzureOutput, onUnknown?: UnknownPolicy): PatternResult<D, P>;
}

type CallOf<P> = P extends { readonly op: infer Op extends keyof AzureCalls } ? AzureCalls[Op] : never;

/** Every call of a design, for one deployed table. */
export interface Requests<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };
  /** An entity made from values: validated, with its keys and types. */
  entity<E extends keyof D['entities'] & string>(name: E, values: EntityValues<D, E>): Entity;
}

/** Only the calls of a design that read. */
export interface Reads<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in ReadPatternName<D>]: PatternRequest<D, P> };
}

/** The calls of a design as plain data, for `@azure/data-tables`. */
export function requests<D extends TableDesign>(design: D, tableName: string): Requests<D> {
  const table = outlineFor(design, tableName, outline);
  const patterns = table.patterns.map((pattern) => [pattern.name, request(table, pattern, builderOf)]);
  return {
    tableName,
    patterns: Object.fromEntries(patterns),
    entity: (name, values) => {
      const entity = entityNamed(table, name);
      if (entity === undefined) throw new ItemError(`'${name}' is not an entity of '${design.name}'`);
      return entityOfItem(entity, makeItem(table, entity, values as object));
    },
  };
}

/** The same for reads only: bundlers leave out everything that writes. Nothing called from here may lead to it. */
export function reads<D extends TableDesign>(design: D, tableName: string): Reads<D> {
  const table = outlineFor(design, tableName, outlineOfReads);
  const patterns = table.patterns
    .filter(({ design }) => isRead(design))
    .map((pattern) => [pattern.name, request(table, pattern, readBuilder)]);
  return { tableName, patterns: Object.fromEntries(patterns) };
}

function outlineFor(
  design: TableDesign,
  tableName: string,
  outlineOf: (design: TableDesign) => TableOutline,
): TableOutline {
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(tableName)) throw new ItemError(`'${tableName}' is not a legal name of an Azure table; use ${words}`);
  const { partition, sort } = AZURE_TABLES.key;
  if (design.key.partition !== partition || design.key.sort !== sort) {
    throw new ItemError(
      `the keys of an Azure table are ${partition} and ${sort}; write key: { partition: '${partition}', sort: '${sort}' } in the design of '${design.name}'`,
    );
  }
  const table = outlineOf(design);
  for (const entity of table.entities) assertNames(entity);
  return table;
}

type Builder = (values: object, options?: RequestOptions) => AzureCall;

type BuilderOf = (table: TableOutline, pattern: PatternBlueprint) => Builder | undefined;

function request(table: TableOutline, pattern: PatternBlueprint, builderOf: BuilderOf): object {
  const { name, design } = pattern;
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    builder ??= builderOf(table, pattern) as Builder;
    return builder(values, options);
  };
  return Object.assign(build, {
    method: methodOf(design),
    isSieved: isRead(design) && (design.op === 'scan' || 'filter' in design || design.unexpired === true),
    read(call: AzureCall, output: AzureOutput, onUnknown?: UnknownPolicy) {
      if (isRead(design)) {
        return readOutput(
          table,
          name,
          design as Exclude<ReadPattern, { op: 'batchGet' }>,
          call as GetCall | ListCall,
          output,
          onUnknown,
        );
      }
      return output.etag === undefined ? {} : { etag: output.etag };
    },
  });
}

function methodOf(design: PatternDesign): AzureCall['method'] {
  if (design.op === 'put') return design.replace ? 'upsertEntity' : 'createEntity';
  if (design.op === 'update') return design.upsert ? 'upsertEntity' : 'updateEntity';
  return METHODS[design.op];
}

const METHODS = {
  get: 'getEntity',
  query: 'listEntities',
  scan: 'listEntities',
  batchGet: 'getEntity',
  delete: 'deleteEntity',
  transaction: 'submitTransaction',
  batchWrite: 'submitTransaction',
} as const;

/** The builder of a pattern that reads; undefined for any other. */
function readBuilder(table: TableOutline, pattern: PatternBlueprint): Builder | undefined {
  const { name, design, accesses } = pattern;
  assertAble(pattern);
  switch (design.op) {
    case 'get':
      return getBuilder(table, design);
    case 'query':
      return queryBuilder(table, name, design, accesses[0] as Access);
    case 'scan':
      return scanBuilder(table, name, design);
    default:
      return undefined;
  }
}

function builderOf(table: TableOutline, pattern: PatternBlueprint): Builder {
  const { name, design, accesses } = pattern;
  const writer = design.op === 'transaction' ? transactionBuilder : writeBuilder;
  return readBuilder(table, pattern) ?? writer(table, name, accesses);
}

function assertAble(pattern: PatternBlueprint): void {
  const [fault] = faultsOnAzure(pattern);
  if (fault !== undefined) throw new ItemError(describe(pattern.name, fault));
}

function describe(pattern: string, { step, field, place, message, fix }: AbilityFault): string {
  return `${[pattern, step, field, place].filter((name) => name !== undefined).join('.')}: ${message}; ${fix}`;
}

/** Refuses names with a meaning to Azure or its SDK: such an attribute would be lost, or overwrite another value. */
function assertNames(entity: EntityOutline): void {
  for (const name of columnsOf(entity).keys()) {
    if (entity.design.keyOnly?.includes(name) || entity.keys.get(name)?.natural) continue;
    const isReserved = (AZURE_TABLES.reservedNames as readonly string[]).includes(name);
    if (isReserved || !AZURE_TABLES.propertyName.test(name)) {
      const why = isReserved ? 'has a meaning of its own on Azure' : 'is not a legal property name';
      throw new ItemError(`${entity.name}: '${name}' ${why}; use up to 255 letters, digits and _, and another name`);
    }
  }
}
