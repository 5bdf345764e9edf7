import { AZURE_TABLES } from '../blueprint/clouds';
import type { EntityValues, PatternValues } from '../design/infer';
import type { PatternDesign, ReadPattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import type { PatternResult } from '../dynamodb/requests';
import { ItemError } from '../items/item';
import { type EntityPlan, type Item, type Plan, planOf } from '../items/plan';
import type { AzureCall, AzureCalls, AzureOutput, GetCall, ListCall } from './calls';
import { columnsOf, type Entity } from './edm';
import { makeEntity } from './entity';
import { getBuilder, queryBuilder, readOutput } from './read';
import { transactionBuilder, writeBuilder } from './write';

export interface AzureOptions {
  /** Where the last page ended. @default - the first page */
  readonly cursor?: string;
  /**
   * The ETag that the item must still have: `etagOf` of the item that was read.
   * @default - any, unless the pattern says `unchanged`
   */
  readonly etag?: string;
  /** The same for the steps of a transaction, by step. @default - any */
  readonly etags?: Readonly<Record<string, string>>;
}

/** What a pattern comes to: as on DynamoDB for reads, and for a write the ETag of what was written. */
export type AzureResult<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly returns: unknown;
}
  ? PatternResult<D, P>
  : Written;

export interface Written {
  /** @default - none: a batch, or what is gone */
  readonly etag?: string;
}

/** One pattern: values in, one call of the SDK out; and what the call came to in, items out. */
export interface AzurePattern<D extends TableDesign, P extends keyof D['patterns']> {
  (values: PatternValues<D, P>, options?: AzureOptions): CallOf<D['patterns'][P]>;
  /** Throws for an entity that is unknown or not as designed, unless `onUnknown` takes it. */
  read(call: AzureCall, output: AzureOutput, onUnknown?: (item: Item, reason: ItemError) => void): AzureResult<D, P>;
}

type CallOf<P> = P extends { readonly op: infer Op extends keyof AzureCalls } ? AzureCalls[Op] : never;

/** Every call that a design knows, for one table. */
export interface AzureRequests<D extends TableDesign> {
  readonly tableName: string;
  readonly patterns: { readonly [P in keyof D['patterns']]: AzurePattern<D, P> };
  /** The entity of values, validated, with its keys and types. */
  entity<E extends keyof D['entities'] & string>(name: E, values: EntityValues<D, E>): Entity;
}

/** The calls of a design as plain data, for `@azure/data-tables`. */
export function azureRequests<D extends TableDesign>(design: D, tableName: string): AzureRequests<D> {
  const { form, words } = AZURE_TABLES.name;
  if (!form.test(tableName)) throw new ItemError(`'${tableName}' is no legal name of an Azure table; use ${words}`);
  const { partition, sort } = AZURE_TABLES.key;
  if (design.key.partition !== partition || design.key.sort !== sort) {
    throw new ItemError(
      `the keys of an Azure table are ${partition} and ${sort}; write key: { partition: '${partition}', sort: '${sort}' } in the design of '${design.name}'`,
    );
  }
  const plan = planOf(design);
  for (const entity of plan.entities.values()) assertNames(entity);
  const patterns = Object.entries(design.patterns ?? {}).map(([name, one]) => [name, request(plan, name, one)]);
  return {
    tableName,
    patterns: Object.fromEntries(patterns),
    entity: (name, values) => {
      const entity = plan.entities.get(name);
      if (entity === undefined) throw new ItemError(`'${name}' is no entity of '${design.name}'`);
      return makeEntity(plan, entity, values as object);
    },
  };
}

type Builder = (values: object, options?: AzureOptions) => AzureCall;

function request(plan: Plan, name: string, pattern: PatternDesign): object {
  let builder: Builder | undefined;
  const build: Builder = (values, options) => {
    builder ??= builderOf(plan, name, pattern);
    return builder(values, options);
  };
  return Object.assign(build, {
    read(call: AzureCall, output: AzureOutput, onUnknown?: (item: Item, reason: ItemError) => void) {
      if ('returns' in pattern) {
        const read = pattern as Exclude<ReadPattern, { op: 'batchGet' }>;
        return readOutput(plan, name, read, call as GetCall | ListCall, output, onUnknown);
      }
      return output.etag === undefined ? {} : { etag: output.etag };
    },
  });
}

function builderOf(plan: Plan, name: string, pattern: PatternDesign): Builder {
  switch (pattern.op) {
    case 'get':
      return getBuilder(plan, pattern);
    case 'query':
      return queryBuilder(plan, name, pattern);
    case 'batchGet':
      throw new ItemError(`${name}: Azure Tables get one entity at a time; write a get for each`);
    case 'transaction':
      return transactionBuilder(plan, name, pattern);
    default:
      return writeBuilder(plan, name, pattern);
  }
}

/** A name that Azure or its SDK takes for something else would be lost, or take another's place. */
function assertNames(entity: EntityPlan): void {
  for (const name of columnsOf(entity).keys()) {
    if (entity.keyOnly.has(name) || entity.keys.get(name)?.natural) continue;
    const isReserved = (AZURE_TABLES.reservedNames as readonly string[]).includes(name);
    if (isReserved || !AZURE_TABLES.propertyName.test(name)) {
      const why = isReserved ? 'has a meaning of its own there' : 'is no legal name of a property';
      throw new ItemError(`${entity.name}: '${name}' ${why}; use up to 255 letters, digits and _, and another name`);
    }
  }
}
