import { stored } from '../blueprint/stored';
import { formats } from '../design/formats';
import type { EntityInput, Item as EntityItem, EntityValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { SharedClientOptions } from '../items/client';
import { assertTable } from '../items/given';
import type { Page } from '../items/result';
import { needCode } from './features';
import type { DeleteInput, PutInput, QueryInput, ScanInput, UpdateInput, Values } from './inputs';
import {
  deleteRaw,
  keyIn,
  putRaw,
  type RawReadOptions,
  type RawTable,
  rawTable,
  readRaw,
  updateRaw,
} from './raw-request';
import type { CommandName } from './requests';
import type { Send } from './sending';

type Named<D extends TableDesign> = keyof D['entities'] & string;

/** The fields that `raw` sets: the table, the key or item, the start of the page, and the returned attributes. */
type Own = 'TableName' | 'Key' | 'Item' | 'ExclusiveStartKey' | 'ProjectionExpression' | 'ReturnValues';

/**
 * Requests with the caller's own expressions. Each request has a name, by which errors and the observer identify it.
 */
export interface Raw<D extends TableDesign> {
  /**
   * Validates the values and renders the entity's key in the table or in an index. Leaves out the sort key if its
   * values are missing.
   */
  key<E extends Named<D>>(entity: E, values: Partial<EntityInput<D, E>>, index?: keyof D['indexes'] & string): Values;
  /** Reads one page of a query; converts and validates the items as a pattern with the same `returns` would. */
  query<const E extends Named<D>>(
    name: string,
    returns: readonly E[],
    input: Omit<QueryInput, Own>,
    options?: RawReadOptions,
  ): Promise<Page<EntityItem<D, E>>>;
  /** Reads one page of a scan, and leaves out items of other entities. */
  scan<const E extends Named<D>>(
    name: string,
    returns: readonly E[],
    input?: Omit<ScanInput, Own>,
    options?: RawReadOptions,
  ): Promise<Page<EntityItem<D, E>>>;
  /** Validates an item and puts it with all its keys. If the input has no condition, `put` never overwrites an item. */
  put<E extends Named<D>>(
    name: string,
    entity: E,
    values: EntityValues<D, E>,
    input?: Omit<PutInput, Own>,
  ): Promise<void>;
  /** Updates an existing item and returns the new item; throws if the new item does not fit the design. */
  update<E extends Named<D>>(
    name: string,
    entity: E,
    values: Partial<EntityInput<D, E>>,
    input: Omit<UpdateInput, Own>,
  ): Promise<EntityItem<D, E>>;
  /** Deletes an item; a missing item is not an error unless the caller's condition fails. */
  delete<E extends Named<D>>(
    name: string,
    entity: E,
    values: Partial<EntityInput<D, E>>,
    input?: Omit<DeleteInput, Own>,
  ): Promise<void>;
}

/**
 * An escape hatch: requests that combine your own expressions with the keys, validation, observer and errors of the
 * design.
 */
export function raw<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  options: SharedClientOptions<CommandName> = {},
): Raw<D> {
  assertTable(design, 'raw');
  needCode('raw', design, { formats, stored });
  const table: RawTable = rawTable(design, tableName, send, options);
  const requests = {
    key: (entity: string, values: object, index?: string) => keyIn(table, entity, values, index),
    query: (name: string, returns: readonly string[], input: object, own?: RawReadOptions) =>
      readRaw(table, name, { op: 'query', where: {}, returns }, { ...input }, own),
    scan: (name: string, returns: readonly string[], input?: object, own?: RawReadOptions) =>
      readRaw(table, name, { op: 'scan', returns }, { ...input }, own),
    put: (name: string, entity: string, values: object, input?: object) =>
      putRaw(table, name, entity, values, { ...input }),
    update: (name: string, entity: string, values: object, input: object) =>
      updateRaw(table, name, entity, values, { ...input }),
    delete: (name: string, entity: string, values: object, input?: object) =>
      deleteRaw(table, name, entity, values, { ...input }),
  };
  return requests as Raw<D>;
}
