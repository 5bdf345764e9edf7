import type { Access } from '../blueprint/accesses';
import { AZURE_TABLES } from '../blueprint/clouds';
import { type EntityOutline, entityNamed, type TableOutline } from '../blueprint/outline';
import { storedChange } from '../blueprint/stored';
import type { PutPattern, TransactionStep, UpdatePattern, Write } from '../design/pattern';
import { ItemError, makeItem } from '../items/item';
import { itemValues } from '../items/operands';
import { keyBuilder } from '../items/parameters';
import { type Clock, stamper } from '../items/stamps';
import { changeMaker } from '../items/update';
import {
  ANY,
  type BatchAction,
  type BatchCall,
  type CreateCall,
  type DeleteCall,
  type UpdateCall,
  type UpsertCall,
} from './calls';
import { type Column, columnsOf, type Entity, type Property, toProperty } from './edm';
import { entityOfItem, keysOf, sizeOf } from './entity';
import { givenEtag } from './etag';
import type { RequestOptions } from './requests';

type WriteCall = CreateCall | UpdateCall | UpsertCall | DeleteCall;

/** Builds the call for one write. A put takes its item from `own`, unless the pattern spells the item out. */
type StepBuilder = (values: object, own: object, etag: string | undefined) => WriteCall;

export function writeBuilder(table: TableOutline, name: string, [access]: readonly Access[], clock?: Clock) {
  const build = stampingBuilder(table, name, access as Access, clock);
  return (values: object, { etag }: RequestOptions = {}): WriteCall => build(values, values, etag);
}

/** Builds a batch; refuses a batch with several partitions, duplicate entities or more data than the service allows. */
export function transactionBuilder(table: TableOutline, name: string, accesses: readonly Access[], clock?: Clock) {
  const builders = accesses.map((access) => ({
    step: access.part as string,
    build: stampingBuilder(table, `${name}.${access.part}`, access, clock),
  }));
  return (values: object, { etags = {} }: RequestOptions = {}): BatchCall => {
    const own = values as Readonly<Record<string, object>>;
    const actions = builders.map(({ step, build }) => actionOf(build(values, own[step] as object, etags[step])));
    refuseBatch(name, actions);
    return { method: 'submitTransaction', args: [actions] };
  };
}

/** Builds a write, including the attributes that the library sets. */
function stampingBuilder(table: TableOutline, name: string, access: Access, clock: Clock | undefined): StepBuilder {
  const build = stepBuilder(table, name, access);
  const step = access.step as Write;
  const entity = entityNamed(table, step.entity) as EntityOutline;
  if (entity.design.version !== undefined)
    throw new ItemError(
      `${name}: Azure Tables gives '${entity.name}' an ETag instead of a version; remove 'version', and write unchanged: true`,
    );
  const stamp = stamper(table, entity, name, step, clock);
  if (stamp === undefined) return build;
  return (values, own, etag) => {
    const stamped = stamp(values, own);
    return build(stamped.values, stamped.item, etag);
  };
}

function stepBuilder(table: TableOutline, name: string, access: Access): StepBuilder {
  const step = access.step as Exclude<TransactionStep, { op: 'require' }>;
  const entity = entityNamed(table, step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is not an entity of '${table.name}'`);
  switch (step.op) {
    case 'put':
      return putBuilder(table, entity, name, step);
    case 'update':
      return updateBuilder(table, entity, name, step);
    default: {
      const key = keyBuilder(table, step.where, [entity]);
      return (values, _, given) => {
        const { partitionKey, rowKey } = keysOf(key(values));
        const etag = givenEtag(name, given, step.unchanged === true) ?? ANY;
        return { method: 'deleteEntity', args: [partitionKey, rowKey, { etag }] };
      };
    }
  }
}

function putBuilder(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  { item, replace, unchanged }: PutPattern,
): StepBuilder {
  return (values, own, given) => {
    const made = entityOfItem(entity, makeItem(table, entity, item === undefined ? own : itemValues(item, values)));
    const etag = givenEtag(name, given, unchanged === true);
    if (!replace) {
      if (etag !== undefined)
        throw new ItemError(`${name}: the put creates a new item, which has no ETag yet; leave out the ETag`);
      return { method: 'createEntity', args: [made] };
    }
    return etag === undefined
      ? { method: 'upsertEntity', args: [made, 'Replace'] }
      : { method: 'updateEntity', args: [made, 'Replace', { etag }] };
  };
}

function updateBuilder(table: TableOutline, entity: EntityOutline, name: string, step: UpdatePattern): StepBuilder {
  const change = changeMaker(table, entity, name, step);
  const key = keyBuilder(table, step.where, [entity]);
  const columns = columnsOf(entity);
  const { upsert = false, unchanged } = step;
  return (values, _, given) => {
    const made = keysOf(key(values)) as Entity;
    for (const [path, value] of storedChange(entity, change(values)).set) {
      const column = columns.get(path);
      const property = column === undefined ? (value as Property) : toProperty(column as Column, value);
      if (property === undefined) {
        const whole = 'read the item, change it, and put it with replace: true and unchanged: true';
        throw new ItemError(`${name}: ${path} is null, but an Azure merge cannot remove a property; ${whole}`);
      }
      made[path] = property;
    }
    const etag = givenEtag(name, given, unchanged === true);
    if (upsert && etag === undefined) return { method: 'upsertEntity', args: [made, 'Merge'] };
    return { method: 'updateEntity', args: [made, 'Merge', { etag: etag ?? ANY }] };
  };
}

function actionOf({ method, args }: WriteCall): BatchAction {
  switch (method) {
    case 'createEntity':
      return ['create', args[0]];
    case 'updateEntity':
      return ['update', args[0], args[1], args[2]];
    case 'upsertEntity':
      return ['upsert', args[0], args[1]];
    default:
      return ['delete', { partitionKey: args[0], rowKey: args[1] } as Entity];
  }
}

function refuseBatch(name: string, actions: readonly BatchAction[]): void {
  const entities = actions.map(([, entity]) => entity);
  const partitions = [...new Set(entities.map(({ partitionKey }) => partitionKey))];
  if (partitions.length > 1) {
    throw new ItemError(
      `${name}: the batch writes to the partitions ${partitions.map((key) => `'${key}'`).join(', ')}, but an Azure batch is limited to one partition; send separate writes, ordered so that a retry can complete them`,
    );
  }
  const rows = entities.map(({ rowKey }) => rowKey);
  const twice = rows.find((row, i) => rows.indexOf(row) !== i);
  if (twice !== undefined)
    throw new ItemError(`${name}: RowKey '${twice}' occurs twice in the batch; combine the two writes`);
  const bytes = entities.reduce((sum, entity) => sum + sizeOf(entity), 0);
  if (bytes > AZURE_TABLES.batchBytes)
    throw new ItemError(
      `${name}: the batch takes ${bytes} bytes, but Azure allows at most ${AZURE_TABLES.batchBytes}; write fewer or smaller items at once`,
    );
}
