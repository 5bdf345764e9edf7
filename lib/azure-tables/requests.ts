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
import { stored, useStored } from '../blueprint/stored';
import { unions } from '../blueprint/unions';
import { formats } from '../design/formats';
import type { EntityValues, PatternValues, ReadPatternName } from '../design/infer';
import type { PatternDesign, ReadPattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { useFormats } from '../design/template';
import { placed } from '../items/calls';
import { assertTable } from '../items/given';
import { ItemError, makeItem } from '../items/item';
import type { Reader } from '../items/read';
import type { PatternResult as ItemsResult, UnknownPolicy } from '../items/result';
import type { Clock } from '../items/stamps';
import type { AzureCall, AzureCalls, AzureOutput, GetCall, ListCall } from './calls';
import { columnsOf, type Entity } from './edm';
import { entityOfItem } from './entity';
import { getBuilder, queryBuilder, readOutput, scanBuilder } from './read';
import { transactionBuilder, writeBuilder } from './write';

export interface ClockOptions {
  /** The current time, for `timestamps` and `unexpired`. @default Date.now */
  readonly clock?: Clock | undefined;
}

export interface RequestOptions {
  /** The cursor of the previous page. @default - the call reads the first page */
  readonly cursor?: string | undefined;
  /** The maximum number of entities to read for a page, up to 1,000. @default - the pattern's `pageSize` */
  readonly limit?: number | undefined;
  /**
   * The ETag that the item must still have: `etagOf` of the item that was read.
   * @default - any ETag, unless the pattern
   * has `unchanged`
   */
  readonly etag?: string | undefined;
  /** The ETags that the items of a transaction must still have, keyed by step. @default - any ETag */
  readonly etags?: Readonly<Record<string, string>>;
  /**
   * How to handle an item that does not fit the design: `'throw'`, or a function that receives the item.
   * @default - the
   * client's `onUnknown`
   */
  readonly onUnknown?: UnknownPolicy | undefined;
}

/** The result of a pattern: a read returns the same result as on DynamoDB, and a write returns the new ETag. */
export type PatternResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly returns: readonly unknown[];
}
  ? ItemsResult<D, P>
  : Written;

export interface Written {
  /** @default - a batch or a delete returns no ETag */
  readonly etag?: string | undefined;
}

/** Turns a pattern's values into one call to the SDK, and the result of the call into items. */
export interface PatternRequest<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: RequestOptions): CallOf<D['patterns'][P]>;
  /** The SDK method that the pattern calls; a put or an upsert with an ETag calls `updateEntity` instead. */
  readonly method: AzureCall['method'];
  /**
   * Reads the items in the result of a call. If an entity does not fit the design, `read` either throws, or passes the
   * entity to `onUnknown` and counts it in the page. For a `get`, such an entity always makes `read` throw.
   */
  read(call: AzureCall, output: AzureOutput, onUnknown?: UnknownPolicy): PatternResult<D, P>;
}

type CallOf<P> = P extends { readonly op: infer Op extends keyof AzureCalls } ? AzureCalls[Op] : never;

/** All calls of a design for one deployed table, keyed by pattern name. */
export type Requests<in out D extends TableDesign> = { readonly [P in keyof D['patterns']]: PatternRequest<D, P> };

/** The calls of a design's read patterns. */
export type Reads<in out D extends TableDesign> = { readonly [P in ReadPatternName<D>]: PatternRequest<D, P> };

/** Builds entities of a design in their stored form, for one deployed table. */
export interface Entities<D extends TableDesign> {
  /** Builds a validated entity, with its keys and types, from values. */
  entity<E extends keyof D['entities'] & string>(name: E, values: EntityValues<D, E>): Entity;
}

/** Creates the calls of a design, as plain data for `@azure/data-tables`. */
export function requests<D extends TableDesign>(
  design: D,
  tableName: string,
  { clock }: ClockOptions = {},
): Requests<D> {
  const table = outlineFor('requests', design, tableName, outline);
  const all = table.patterns.map((pattern) => [
    pattern.name,
    request(table, { tableName, name: pattern.name, clock }, pattern, (...of) => builderOf(...of, clock)),
  ]);
  return Object.fromEntries(all);
}

/**
 * Like `requests`, but only for patterns that read, so that bundlers drop the code for writes. The functions that
 * `reads` calls must not import the code for writes.
 */
export function reads<D extends TableDesign>(design: D, tableName: string, { clock }: ClockOptions = {}): Reads<D> {
  const table = outlineFor('reads', design, tableName, outlineOfReads);
  const all = table.patterns
    .filter(({ design }) => isRead(design))
    .map((pattern) => [pattern.name, request(table, { tableName, name: pattern.name, clock }, pattern, readBuilder)]);
  return Object.fromEntries(all);
}

/** Creates entities of a design, independently of the patterns. */
export function entities<D extends TableDesign>(design: D, tableName: string): Entities<D> {
  const table = outlineFor('entities', design, tableName, outline);
  return {
    entity: (name, values) => {
      const entity = entityNamed(table, name);
      if (entity === undefined) throw new ItemError(`'${name}' is not an entity of '${design.name}'`);
      return entityOfItem(entity, makeItem(table, entity, values as object));
    },
  };
}

function outlineFor(
  what: string,
  design: TableDesign,
  tableName: string,
  outlineOf: (design: TableDesign) => TableOutline,
): TableOutline {
  assertTable(design, what);
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(tableName)) throw new ItemError(`'${tableName}' is not a legal Azure table name; use ${words}`);
  const { partition, sort } = AZURE_TABLES.key;
  if (design.key.partition !== partition || design.key.sort !== sort) {
    throw new ItemError(
      `the keys of an Azure table are ${partition} and ${sort}; write key: { partition: '${partition}', sort: '${sort}' } in the design of '${design.name}'`,
    );
  }
  useFormats(formats);
  useStored(stored, unions);
  const table = outlineOf(design);
  for (const entity of table.entities) assertNames(entity);
  return table;
}

type Builder = (values: object, options?: RequestOptions) => AzureCall;

type BuilderOf = (table: TableOutline, pattern: PatternBlueprint) => Builder | undefined;

function request(table: TableOutline, place: Reader, pattern: PatternBlueprint, builderOf: BuilderOf): object {
  const { name, design } = pattern;
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    try {
      builder ??= builderOf(table, pattern) as Builder;
      return builder(values ?? {}, options);
    } catch (error) {
      throw placed(place.tableName, name, error);
    }
  };
  return Object.assign(build, {
    method: methodOf(design),
    isSieved: isRead(design) && (design.op === 'scan' || 'filter' in design || design.unexpired === true),
    read(call: AzureCall, output: AzureOutput, onUnknown?: UnknownPolicy) {
      if (isRead(design)) {
        return readOutput(
          table,
          place,
          design as Exclude<ReadPattern, { op: 'batchGet' | 'transactGet' | 'find' }>,
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
  find: 'getEntity',
  query: 'listEntities',
  scan: 'listEntities',
  batchGet: 'getEntity',
  transactGet: 'getEntity',
  delete: 'deleteEntity',
  release: 'deleteEntity',
  transaction: 'submitTransaction',
  batchWrite: 'submitTransaction',
} as const;

/** Returns the builder for a pattern that reads, or undefined for a pattern that writes. */
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

function builderOf(table: TableOutline, pattern: PatternBlueprint, clock?: Clock): Builder {
  const { name, design, accesses } = pattern;
  const writer = design.op === 'transaction' ? transactionBuilder : writeBuilder;
  return readBuilder(table, pattern) ?? writer(table, name, accesses, clock);
}

function assertAble(pattern: PatternBlueprint): void {
  const [fault] = faultsOnAzure(pattern);
  if (fault !== undefined) throw new ItemError(describe(pattern.name, fault));
}

function describe(pattern: string, { step, field, place, message, fix }: AbilityFault): string {
  return `${[pattern, step, field, place].filter((name) => name !== undefined).join('.')}: ${message}; ${fix}`;
}

/**
 * Refuses names that are illegal on Azure or reserved by Azure or its SDK: an attribute with a reserved name would be
 * lost or overwrite another value.
 */
function assertNames(entity: EntityOutline): void {
  for (const name of columnsOf(entity).keys()) {
    if (entity.design.keyOnly?.includes(name) || entity.keys.get(name)?.natural) continue;
    const isReserved = (AZURE_TABLES.reservedNames as readonly string[]).includes(name);
    if (isReserved || !AZURE_TABLES.propertyName.test(name)) {
      const why = isReserved ? 'is a reserved name on Azure' : 'is not a legal property name';
      throw new ItemError(`${entity.name}: '${name}' ${why}; use a different name of up to 255 letters, digits and _`);
    }
  }
}
