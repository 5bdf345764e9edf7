import { type Access, hasSteps } from '../blueprint/accesses';
import { TRANSACTION_ITEMS } from '../blueprint/clouds';
import { optionalIn } from '../blueprint/keys';
import { type EntityOutline, entityNamed, keyOf, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import type { Condition, PutPattern, TransactionStep, Write } from '../design/pattern';
import { valueAt } from '../design/template';
import { inPattern } from '../items/calls';
import { keyText } from '../items/cursor';
import { scopesOf } from '../items/each';
import { type Item, ItemError, itemMaker } from '../items/item';
import { itemValues } from '../items/operands';
import { keyBuilder } from '../items/parameters';
import { conditioned, Expression } from './expression';
import { type Features, hasPositions } from './features';
import type { guardWriter } from './guards';
import type { Unique } from './unique';
import { updateBuilder } from './update';

/** A write that is ready to send, with the details that its error messages need. */
export interface PreparedWrite {
  /** The pattern, the step and the position in its list: `placeOrder.lines[2]`. */
  readonly name: string;
  readonly part: (typeof PARTS)[keyof typeof PARTS];
  readonly input: Item;
  readonly step: Write;
  readonly table: TableOutline;
  /** The values for the write's templates. */
  readonly values: object;
  /**
   * If the write changes a guard: the name of the unique value, and the entity whose item has the value.
   * @default - the write does not change a guard
   */
  readonly unique?: (Pick<Unique, 'withoutForeign'> & { readonly name: string; readonly entity: string }) | undefined;
}

/** Prepares all writes of a pattern with the given values. */
export type Prepare = (values: object) => readonly PreparedWrite[];

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck' } as const;

/** Prepares the writes of a pattern: repeats steps over lists, and drops optional steps that have no values. */
export function preparer(
  table: TableOutline,
  tableName: string,
  { name, design, accesses }: PatternBlueprint,
  features: Features,
): Prepare {
  const { unique, lists, written, clock } = features;
  const isBatch = design.op === 'batchWrite';
  const prepared = (access: Access): PreparedStep => {
    const place = access.part === undefined ? name : `${name}.${access.part}`;
    if (access.released !== undefined && unique) return unique.releasing(table, tableName, place, access);
    const step = access.step as TransactionStep;
    const build = stepBuilder(table, tableName, place, access, features);
    const named = entityNamed(table, step.entity) as EntityOutline;
    const entity = hasPositions(step) ? named : undefined;
    const guards = unique?.guardWriter(table, tableName, place, named, step, isBatch);
    const each = step.each;
    return { place, step, each, build, own: access.part, part: PARTS[step.op], isGiven: givenTo(step), entity, guards };
  };
  const steps = (unique?.ownOf(accesses) ?? accesses).map((access) =>
    written ? written.stamped(table, access, prepared, clock, isBatch) : prepared(access),
  );
  const isSingle = !hasSteps(design);
  return (values) => {
    const writes: PreparedWrite[] = [];
    for (const one of steps) {
      const { place, each, own, isGiven, stamp } = one;
      const add = (at: string, given: object, element: unknown) => {
        if (!isGiven(given, element)) return;
        const [{ step, build, part, entity, guards, released }, scope, item] = stamp
          ? inPlace(at, place, () => stamp(given, element))
          : [one, given, element];
        const input = inPlace(at, place, () => build(scope, item as object));
        const placed = entity && lists ? lists.located(entity, step, scope) : step;
        writes.push({ name: at, part, input, step: placed, table, values: scope, unique: released });
        if (guards) writes.push(...guards(at, input, scope));
      };
      if (isSingle) add(place, values, values);
      else if (each === undefined) add(place, values, (values as Item)[own as string]);
      else {
        for (const [i, scope] of scopesOf(place, each, values).entries())
          add(`${place}[${i}]`, scope, (scope as Item)[each]);
      }
    }
    refuseTwice(name, writes);
    return writes;
  };
}

/** A prepared step of a pattern. */
export interface PreparedStep {
  readonly place: string;
  readonly step: TransactionStep;
  /** The list that the step runs over, once per element. @default - the step runs once */
  readonly each?: string | undefined;
  readonly build: StepBuilder;
  /** The step's name, if the pattern has several steps. */
  readonly own?: string | undefined;
  readonly part: PreparedWrite['part'];
  isGiven(scope: object, item: unknown): boolean;
  /** The entity, if the step changes list elements at positions that the caller passes. */
  readonly entity?: EntityOutline | undefined;
  readonly guards?: ReturnType<typeof guardWriter>;
  /** For a `release`: the unique value that it frees. */
  readonly released?: PreparedWrite['unique'];
  /**
   * Adds the values that the library writes; returns the step to run, and the completed values and item.
   * @default - the library writes nothing
   */
  stamp?(values: object, item: unknown): readonly [PreparedStep, object, unknown];
}

/** Whether a step runs; a step is skipped if the caller leaves out its optional item or an optional part of its key. */
function givenTo(step: TransactionStep): (scope: object, item: unknown) => boolean {
  if (step.op === 'put') return (_, item) => !step.optional || item !== undefined;
  const optional = optionalIn(step.where);
  return (scope) => optional.every(({ path }) => (valueAt(scope, path) ?? undefined) !== undefined);
}

/** Runs `work`; if it fails, the error names the list element at fault. */
function inPlace<T>(at: string, place: string, work: () => T): T {
  return at === place ? work() : inPattern(at, '', work);
}

/** Refuses a request that writes the same item twice, as DynamoDB does. */
export function refuseTwice(name: string, writes: readonly PreparedWrite[]): void {
  const seen = new Map<string, string>();
  for (const write of writes.length < 2 ? [] : writes) {
    const key = `${write.input.TableName} ${keyText(keyOfWrite(write))}`;
    const before = seen.get(key);
    if (before !== undefined)
      throw new ItemError(`${name}: ${before} and ${write.name} write the same item (${key}); combine them`);
    seen.set(key, write.name);
  }
}

/** Returns the key of the item that a write changes. */
export function keyOfWrite({ table, input }: PreparedWrite): Item {
  const written = (input.Key ?? input.Item) as Item | undefined;
  return Object.fromEntries(keyOf(table.key).map(({ name }) => [name, written?.[name]]));
}

/** Returns the input of a transaction that consists of these writes. */
export function transactInput(name: string, writes: readonly PreparedWrite[]): Item {
  if (writes.length === 0) throw new ItemError(`${name}: nothing to write; give at least one step`);
  if (writes.length > TRANSACTION_ITEMS)
    throw new ItemError(`${name}: ${writes.length} writes, but at most ${TRANSACTION_ITEMS} are allowed`);
  return { TransactItems: writes.map(({ part, input }) => ({ [part]: input })) };
}

/** Builds the input of one write. A put takes the item from `own`, unless the pattern spells out the item. */
type StepBuilder = (values: object, own: object) => Item;

function stepBuilder(
  table: TableOutline,
  tableName: string,
  name: string,
  access: Access,
  { lists }: Features,
  isLocated = false,
): StepBuilder {
  const step = access.step as Write;
  const entity = entityNamed(table, step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is not an entity of '${table.name}'`);
  if ((step as PutPattern).unchanged)
    throw new ItemError(`${name}: DynamoDB has no ETag for 'unchanged'; write a condition`);
  if (lists && !isLocated && hasPositions(step))
    return (values, own) => {
      const placed = { ...access, step: lists.located(entity, step, values) };
      return stepBuilder(table, tableName, name, placed, { lists }, true)(values, own);
    };
  if (step.op === 'put') return putBuilder(table, tableName, entity, step);
  const key = keyBuilder(table, step.where, [entity]);
  const rest =
    step.op === 'update'
      ? updateBuilder(table, entity, name, step, lists)
      : (values: object) => conditionInput(step.condition, entity, values);
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
    // A fast path for a plain put of a new item, which is by far the most common write and always has the same
    // condition.
    const ExpressionAttributeNames = Object.freeze({ '#0': partition });
    return (values, own) => ({
      TableName: tableName,
      Item: itemOf(values, own),
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames,
    });
  }
  const tests = replace ? condition : { [partition]: { exists: false }, ...condition };
  return (values, own) => ({
    TableName: tableName,
    Item: itemOf(values, own),
    ...conditionInput(tests, entity, values),
    ...returning({ returns }),
  });
}

function conditionInput(condition: Condition = {}, entity: EntityOutline, values: object): Item {
  const expression = new Expression([entity]);
  return conditioned(expression.tests(condition, values), expression);
}
