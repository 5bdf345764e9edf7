import { AZURE_TABLES } from '../blueprint/clouds';
import type { DeletePattern, PutPattern, TransactionPattern, TransactionStep, UpdatePattern } from '../design/pattern';
import { operandValue } from '../dynamodb/expression';
import { keyBuilder } from '../dynamodb/read';
import { assertPossible, isCopy } from '../dynamodb/update';
import { itemValues } from '../dynamodb/write';
import { ItemError, validValue } from '../items/item';
import type { EntityPlan, Plan } from '../items/plan';
import {
  ANY,
  type BatchAction,
  type BatchCall,
  type CreateCall,
  type DeleteCall,
  type UpdateCall,
  type UpsertCall,
} from './calls';
import { type Column, columnsOf, type Entity, toProperty } from './edm';
import { keysOf, makeEntity, sizeOf } from './entity';
import { givenEtag } from './etag';
import type { AzureOptions } from './requests';

type WriteCall = CreateCall | UpdateCall | UpsertCall | DeleteCall;

/** Makes one write. `own` are the values that a put takes its item from, where the pattern does not spell it out. */
type StepBuilder = (values: object, own: object, etag: string | undefined) => WriteCall;

export function writeBuilder(plan: Plan, name: string, pattern: PutPattern | UpdatePattern | DeletePattern) {
  const build = stepBuilder(plan, name, pattern);
  return (values: object, { etag }: AzureOptions = {}): WriteCall => build(values, values, etag);
}

/** A batch: one partition, no entity twice, and as many and as much as the service takes. */
export function transactionBuilder(plan: Plan, name: string, { steps }: TransactionPattern) {
  const builders = Object.entries(steps).map(([step, design]) => {
    const place = `${name}.${step}`;
    if (design.op === 'delete' && design.unchanged)
      throw new ItemError(`${place}: a batch deletes without an ETag; delete it in a request of its own`);
    return { step, build: stepBuilder(plan, place, design) };
  });
  if (builders.length > AZURE_TABLES.batchItems)
    throw new ItemError(
      `${name}: ${builders.length} entities in one batch, and at most ${AZURE_TABLES.batchItems} are allowed`,
    );
  return (values: object, { etags = {} }: AzureOptions = {}): BatchCall => {
    const own = values as Readonly<Record<string, object>>;
    const actions = builders.map(({ step, build }) => actionOf(build(values, own[step] as object, etags[step])));
    refuseBatch(name, actions);
    return { method: 'submitTransaction', args: [actions] };
  };
}

function stepBuilder(plan: Plan, name: string, step: TransactionStep): StepBuilder {
  const entity = plan.entities.get(step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is no entity of '${plan.design.name}'`);
  if (step.op === 'require' || step.condition !== undefined) {
    throw new ItemError(
      `${name}: Azure Tables test nothing but the ETag; read the item, test it, and write with unchanged: true`,
    );
  }
  switch (step.op) {
    case 'put':
      return putBuilder(plan, entity, name, step);
    case 'update':
      return updateBuilder(plan, entity, name, step);
    default: {
      const key = keyBuilder(plan, step.where, [entity]);
      return (values, _, given) => {
        const { partitionKey, rowKey } = keysOf(key(values));
        const etag = givenEtag(name, given, step.unchanged === true) ?? ANY;
        return { method: 'deleteEntity', args: [partitionKey, rowKey, { etag }] };
      };
    }
  }
}

function putBuilder(
  plan: Plan,
  entity: EntityPlan,
  name: string,
  { item, replace, unchanged }: PutPattern,
): StepBuilder {
  if (unchanged && !replace)
    throw new ItemError(`${name}: a new item has not been read before; add replace: true, or drop unchanged`);
  const entityOf = (values: object, own: object) =>
    makeEntity(plan, entity, item === undefined ? own : itemValues(item, values));
  return (values, own, given) => {
    const made = entityOf(values, own);
    const etag = givenEtag(name, given, unchanged === true);
    if (!replace) {
      if (etag !== undefined) throw new ItemError(`${name}: it makes a new item, which has no ETag yet; drop it`);
      return { method: 'createEntity', args: [made] };
    }
    return etag === undefined
      ? { method: 'upsertEntity', args: [made, 'Replace'] }
      : { method: 'updateEntity', args: [made, 'Replace', { etag }] };
  };
}

function updateBuilder(plan: Plan, entity: EntityPlan, name: string, step: UpdatePattern): StepBuilder {
  assertPossible(entity, name, step);
  const { set = {}, add = {}, remove = [], upsert = false, unchanged } = step;
  const whole = 'read the item, change it, and put it with replace: true and unchanged: true';
  if (Object.keys(add).length > 0) throw new ItemError(`${name}: Azure Tables cannot add to a number; ${whole}`);
  if (remove.length > 0) throw new ItemError(`${name}: an Azure merge removes no property; ${whole}`);
  const inner = Object.keys(set).find((path) => path.includes('.'));
  if (inner !== undefined)
    throw new ItemError(`${name}: '${inner}' is inside of a map, which is one property; set all of it`);
  const key = keyBuilder(plan, step.where, [entity]);
  const columns = columnsOf(entity);
  return (values, _, given) => {
    const made = keysOf(key(values)) as Entity;
    for (const [path, operand] of Object.entries(set)) {
      if (isCopy(operand)) throw new ItemError(`${name}: Azure Tables cannot copy a property; ${whole}`);
      const value = operandValue(operand, values);
      if (value === undefined) continue;
      const property = toProperty(columns.get(path) as Column, validValue(entity, path, value));
      if (property === undefined)
        throw new ItemError(`${name}: ${path} is null, and an Azure merge removes nothing; ${whole}`);
      made[path] = property;
    }
    if (Object.keys(made).length === 2)
      throw new ItemError(`${name}: there is nothing to change; give at least one of ${Object.keys(set).join(', ')}`);
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
      `${name}: it writes to the partitions ${partitions.map((key) => `'${key}'`).join(', ')}, and an Azure batch to one; write in an order that can be repaired`,
    );
  }
  const rows = entities.map(({ rowKey }) => rowKey);
  const twice = rows.find((row, i) => rows.indexOf(row) !== i);
  if (twice !== undefined) throw new ItemError(`${name}: RowKey '${twice}' is in the batch twice; write it once`);
  const bytes = entities.reduce((sum, entity) => sum + sizeOf(entity), 0);
  if (bytes > AZURE_TABLES.batchBytes)
    throw new ItemError(
      `${name}: the batch takes ${bytes} bytes, and at most ${AZURE_TABLES.batchBytes} are allowed; write less at once`,
    );
}
