import { type Access, hasSteps } from '../blueprint/accesses';
import { DYNAMODB_REQUEST } from '../blueprint/clouds';
import { optionalIn } from '../blueprint/keys';
import {
  type EntityOutline,
  entityNamed,
  type KeyAttribute,
  keyOf,
  type PatternBlueprint,
  type TableOutline,
} from '../blueprint/outline';
import type { DeletePattern, PutPattern, RequireStep, TransactionStep, Write } from '../design/pattern';
import { KeyError, valueAt } from '../design/template';
import { keyText } from '../items/cursor';
import { scopesOf } from '../items/each';
import { type Item, ItemError, itemMaker, showKey } from '../items/item';
import { itemValues } from '../items/operands';
import { keyBuilder } from '../items/parameters';
import { hasPositions, located } from '../items/positions';
import { conditioned, Expression } from './expression';
import type { Builder } from './read';
import { updateBuilder } from './update';

/** One write that is ready to be sent, with what an error message about it needs. */
export interface PlannedWrite {
  /** The pattern, the step and the position in its list: `placeOrder.lines[2]`. */
  readonly name: string;
  readonly part: (typeof PARTS)[keyof typeof PARTS];
  readonly input: Item;
  readonly step: Write;
  readonly table: TableOutline;
  /** The values for its templates. */
  readonly values: object;
}

/** Everything that a pattern writes with the given values. */
export type Plan = (values: object) => readonly PlannedWrite[];

export function writeBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  [access]: readonly Access[],
): Builder {
  const build = stepBuilder(table, tableName, name, access as Access);
  return (values) => build(values, values);
}

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck' } as const;

/** Plans the writes of a pattern: steps over lists are repeated, and steps without values left out. */
export function planner(table: TableOutline, tableName: string, { name, design, accesses }: PatternBlueprint): Plan {
  const steps = accesses.map((access) => {
    const step = access.step as TransactionStep;
    const place = access.part === undefined ? name : `${name}.${access.part}`;
    const build = stepBuilder(table, tableName, place, access);
    const entity = hasPositions(step) ? entityNamed(table, step.entity) : undefined;
    return { place, step, build, own: access.part, part: PARTS[step.op], isGiven: givenTo(step), entity };
  });
  const isSingle = !hasSteps(design);
  return (values) => {
    const writes: PlannedWrite[] = [];
    for (const { place, step, build, own, part, isGiven, entity } of steps) {
      const plan = (at: string, scope: object, item: unknown) => {
        if (!isGiven(scope, item)) return;
        const input = inPlace(at, place, () => build(scope, item as object));
        const placed = entity === undefined ? step : located(entity, step, scope);
        writes.push({ name: at, part, input, step: placed, table, values: scope });
      };
      if (isSingle) plan(place, values, values);
      else if (step.each === undefined) plan(place, values, (values as Item)[own as string]);
      else {
        for (const [i, scope] of scopesOf(place, step.each, values).entries())
          plan(`${place}[${i}]`, scope, (scope as Item)[step.each]);
      }
    }
    refuseTwice(name, writes);
    return writes;
  };
}

/** Whether to do a step: not if the caller leaves out its optional item, or an optional part of its key. */
function givenTo(step: TransactionStep): (scope: object, item: unknown) => boolean {
  if (step.op === 'put') return (_, item) => !step.optional || item !== undefined;
  const optional = optionalIn(step.where);
  return (scope) => optional.every(({ path }) => (valueAt(scope, path) ?? undefined) !== undefined);
}

/** Adds to an error which element of a list it is about. */
function inPlace<T>(at: string, place: string, work: () => T): T {
  if (at === place) return work();
  try {
    return work();
  } catch (error) {
    if (error instanceof KeyError) throw new KeyError(error.attribute, `${at}: ${error.message}`);
    if (error instanceof ItemError) throw new ItemError(`${at}: ${error.message}`);
    throw error;
  }
}

/** Refuses two writes of one item in one request, as DynamoDB does. */
export function refuseTwice(name: string, writes: readonly PlannedWrite[]): void {
  const seen = new Map<string, string>();
  for (const write of writes.length < 2 ? [] : writes) {
    const key = `${write.input.TableName} ${keyText(keyOfWrite(write))}`;
    const before = seen.get(key);
    if (before !== undefined)
      throw new ItemError(
        `${name}: ${before} and ${write.name} write the same item (${showKey(write.table, keyOfWrite(write))}); combine the two`,
      );
    seen.set(key, write.name);
  }
}

/** The key of the item that is written. */
export function keyOfWrite({ table, input }: PlannedWrite): Item {
  const [partition, sort] = keyOf(table.key) as [KeyAttribute, KeyAttribute?];
  const written = (input.Key ?? input.Item) as Item | undefined;
  const key: Item = {};
  key[partition.name] = written?.[partition.name];
  if (sort !== undefined) key[sort.name] = written?.[sort.name];
  return key;
}

export function transactionBuilder(table: TableOutline, tableName: string, pattern: PatternBlueprint): Builder {
  const plan = planner(table, tableName, pattern);
  return (values) => transactInput(pattern.name, plan(values));
}

/** The input for writes that happen together or not at all. */
export function transactInput(name: string, writes: readonly PlannedWrite[]): Item {
  const most = DYNAMODB_REQUEST.transactionItems;
  if (writes.length === 0) throw new ItemError(`${name}: there is nothing to write; give at least one step its values`);
  if (writes.length > most)
    throw new ItemError(`${name}: it has ${writes.length} writes, but a transaction takes at most ${most}`);
  return { TransactItems: writes.map(({ part, input }) => ({ [part]: input })) };
}

/** Makes one write. A put takes its item from `own`, unless the pattern spells the item out. */
type StepBuilder = (values: object, own: object) => Item;

function stepBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  access: Access,
  isLocated = false,
): StepBuilder {
  const step = access.step as Write;
  const entity = entityNamed(table, step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is not an entity of '${table.name}'`);
  if ('unchanged' in step && step.unchanged)
    throw new ItemError(
      `${name}: DynamoDB has no ETag for 'unchanged'; keep a version, and write condition: { version: '<version>' }`,
    );
  if (hasPositions(step) && !isLocated)
    return (values, own) => {
      const placed = { ...access, step: located(entity, step, values) };
      return stepBuilder(table, tableName, name, placed, true)(values, own);
    };
  if (step.op === 'put') return putBuilder(table, tableName, entity, step);
  const key = keyBuilder(table, step.where, [entity]);
  const rest =
    step.op === 'update'
      ? updateBuilder(table, entity, name, step)
      : (values: object) => conditionInput(step, entity, values);
  const returned = returning(step);
  return (values) => ({ TableName: tableName, Key: key(values), ...rest(values), ...returned });
}

const RETURNED = { new: 'ALL_NEW', old: 'ALL_OLD' } as const;

function returning(step: object): { ReturnValues?: string } {
  const { returns } = step as { readonly returns?: 'new' | 'old' };
  return returns === undefined ? {} : { ReturnValues: RETURNED[returns] };
}

export function putBuilder(
  table: TableOutline,
  tableName: string,
  entity: EntityOutline,
  { item, replace, condition, returns }: Omit<PutPattern, 'op' | 'entity'>,
): StepBuilder {
  const partition = table.key.partitionBy[0].name;
  const make = itemMaker(table, entity);
  const itemOf = (values: object, own: object) => make(item === undefined ? own : itemValues(item, values));
  if (condition === undefined && !replace && returns === undefined) {
    // A plain put of a new item is by far the most common write, and its condition is always the same.
    const ExpressionAttributeNames = Object.freeze({ '#0': partition });
    return (values, own) => ({
      TableName: tableName,
      Item: itemOf(values, own),
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames,
    });
  }
  return (values, own) => {
    const expression = new Expression();
    const tests = [
      ...(replace ? [] : [`attribute_not_exists(${expression.name(partition)})`]),
      ...expression.tests(condition ?? {}, [entity], values),
    ];
    return {
      TableName: tableName,
      Item: itemOf(values, own),
      ...conditioned(tests, expression),
      ...returning({ returns }),
    };
  };
}

function conditionInput({ condition }: DeletePattern | RequireStep, entity: EntityOutline, values: object): Item {
  const expression = new Expression();
  return conditioned(expression.tests(condition ?? {}, [entity], values), expression);
}
