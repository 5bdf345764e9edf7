import { counterpartOf, type KeySource } from '../blueprint/keys';
import type {
  Condition,
  DeletePattern,
  PutPattern,
  RequireStep,
  TransactionPattern,
  TransactionStep,
  UpdatePattern,
} from '../design/pattern';
import { type KeyRules, render, template, valueAt } from '../design/template';
import { Expression, operandValue } from './expression';
import { assertValue, ItemError, makeItem } from './item';
import type { EntityPlan, Item, Plan } from './plan';
import { type Builder, keyBuilder } from './read';

export function writeBuilder(
  plan: Plan,
  tableName: string,
  name: string,
  step: Exclude<TransactionStep, RequireStep>,
): Builder {
  const build = stepBuilder(plan, tableName, name, step);
  return (values) => build(values, values);
}

const PARTS = { put: 'Put', update: 'Update', delete: 'Delete', require: 'ConditionCheck' } as const;

export function transactionBuilder(
  plan: Plan,
  tableName: string,
  name: string,
  { steps }: TransactionPattern,
): Builder {
  const builders = Object.entries(steps).map(([step, design]) => ({
    step,
    part: PARTS[design.op],
    build: stepBuilder(plan, tableName, `${name}.${step}`, design),
  }));
  return (values) => ({
    TransactItems: builders.map(({ step, part, build }) => ({
      [part]: build(values, (values as Item)[step] as object),
    })),
  });
}

/** Makes one write. `own` are the values that a put takes its item from, where the pattern does not spell it out. */
type StepBuilder = (values: object, own: object) => Item;

function stepBuilder(plan: Plan, tableName: string, name: string, step: TransactionStep): StepBuilder {
  const entity = plan.entities.get(step.entity);
  if (entity === undefined) throw new ItemError(`${name}: '${step.entity}' is no entity of '${plan.design.name}'`);
  if (step.op === 'put') return putBuilder(plan, tableName, entity, step);
  const key = keyBuilder(plan, step.where, [entity]);
  if (step.op === 'update') {
    const changes = changesOf(plan, entity, name, step);
    return (values) => ({
      TableName: tableName,
      Key: key(values),
      ...updateInput(plan, entity, step, changes, values),
    });
  }
  return (values) => ({ TableName: tableName, Key: key(values), ...conditionInput(step, values) });
}

export function putBuilder(
  plan: Plan,
  tableName: string,
  entity: EntityPlan,
  step: Omit<PutPattern, 'op' | 'entity'>,
): StepBuilder {
  const { item, replace, condition } = step;
  const [partition] = plan.primary as [string];
  // A new item alone is by far the most frequent write, and its condition is always the same.
  const plain = condition === undefined && !replace;
  const fresh = { ConditionExpression: 'attribute_not_exists(#0)', ExpressionAttributeNames: { '#0': partition } };
  return (values, own) => {
    const written = makeItem(plan, entity, item === undefined ? own : itemValues(item, values));
    if (plain) return { TableName: tableName, Item: written, ...fresh };
    const expression = new Expression();
    const tests = [
      ...(replace ? [] : [`attribute_not_exists(${expression.name(partition)})`]),
      ...expression.tests(condition ?? {}, values),
    ];
    return { TableName: tableName, Item: written, ...conditioned(tests), ...expression.input };
  };
}

function itemValues(item: NonNullable<PutPattern['item']>, values: object): Item {
  const entries = Object.entries(item).map(([name, operand]) => {
    if (typeof operand === 'object' && operand !== null)
      throw new ItemError(`${name}: a new item has no attribute to copy`);
    return [name, operandValue(operand, values)];
  });
  return Object.fromEntries(entries);
}

function conditionInput({ condition }: DeletePattern | RequireStep, values: object): Item {
  const expression = new Expression();
  return { ...conditioned(expression.tests(condition ?? {}, values)), ...expression.input };
}

function conditioned(tests: readonly string[]): Item {
  return tests.length === 0 ? {} : { ConditionExpression: tests.join(' AND ') };
}

/** What an update does to the keys of indexes, known before any value is. */
interface KeyChanges {
  /** Key attributes that are rendered anew. */
  readonly rewritten: readonly { readonly name: string; readonly source: KeySource }[];
  /** Key attributes that go, since an attribute they are made of goes. */
  readonly removed: readonly string[];
  /** For each attribute that the key condition tells, where it stands in the values. */
  readonly told: ReadonlyMap<string, readonly string[]>;
}

function changesOf(plan: Plan, entity: EntityPlan, name: string, step: UpdatePattern): KeyChanges {
  const set = Object.keys(step.set ?? {});
  const removed = new Set(step.remove);
  const touched = [...set, ...Object.keys(step.add ?? {}), ...removed];
  const told = toldBy(plan, entity, step);
  const touches = ({ template }: KeySource, paths: Iterable<string>) =>
    template.holes.some((hole) => [...paths].some((path) => overlaps(path, hole.name)));
  for (const key of plan.primary) {
    if (touches(entity.keys.get(key) as KeySource, touched)) {
      throw new ItemError(
        `${name}: it changes what '${key}' is made of, and a primary key cannot change; delete the item and put another`,
      );
    }
  }
  const leaving = new Set<string>();
  const rewritten = new Map<string, KeySource>();
  for (const index of entity.indexes) {
    const sources = index
      .map((key) => [key, entity.keys.get(key) as KeySource] as const)
      .filter(([key]) => !plan.primary.includes(key));
    if (sources.some(([, source]) => touches(source, removed))) {
      for (const [key, source] of sources) if (!source.natural) leaving.add(key);
      continue;
    }
    // An item that may have left the index needs both of its keys to be back in it.
    const whole = sources.some(([, source]) => touches(source, touched) && isSparse(entity, source));
    for (const [key, source] of sources) {
      if (source.natural || !(whole || touches(source, touched))) continue;
      const missing = source.template.holes.filter((hole) => !set.includes(hole.name) && !told.has(hole.name));
      if (missing.length > 0)
        throw halfKey(
          name,
          key,
          source,
          missing.map((hole) => hole.name),
        );
      rewritten.set(key, source);
    }
  }
  return { rewritten: Array.from(rewritten, ([key, source]) => ({ name: key, source })), removed: [...leaving], told };
}

function halfKey(name: string, key: string, { template }: KeySource, missing: readonly string[]): ItemError {
  const names = missing.map((attribute) => `<${attribute}>`).join(', ');
  return new ItemError(
    `${name}: it changes part of ${key} '${template.text}' and does not know ${names}; add ${missing.join(', ')} to 'set'`,
  );
}

/** Whether a change at one path can change what is at the other. */
function overlaps(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`) || other.startsWith(`${path}.`);
}

function isSparse(entity: EntityPlan, { template }: KeySource): boolean {
  return template.holes.some(({ path }) => {
    let shape: Readonly<Record<string, unknown>> | undefined = entity.design.attributes._zod.def.shape;
    return path.some((step) => {
      const schema = shape?.[step] as
        | { _zod: { optin?: string; def: { shape?: Record<string, unknown> } } }
        | undefined;
      shape = schema?._zod.def.shape;
      return schema?._zod.optin !== undefined;
    });
  });
}

/** The attributes whose values the key condition gives, by position. */
function toldBy(plan: Plan, entity: EntityPlan, step: UpdatePattern): ReadonlyMap<string, readonly string[]> {
  const told = new Map<string, readonly string[]>();
  for (const key of plan.primary) {
    const asked = template(step.where[key] ?? '');
    for (const hole of asked.holes) {
      const counterpart = counterpartOf(asked, hole, (entity.keys.get(key) as KeySource).template);
      if (counterpart !== undefined && counterpart.format === hole.format) told.set(counterpart.name, hole.path);
    }
  }
  return told;
}

function updateInput(plan: Plan, entity: EntityPlan, step: UpdatePattern, changes: KeyChanges, values: object): Item {
  const expression = new Expression();
  const known: Item = {};
  for (const [attribute, path] of changes.told) put(known, attribute, valueAt(values, path));
  const sets: string[] = [];
  for (const [path, operand] of Object.entries(step.set ?? {})) {
    if (typeof operand === 'object' && operand !== null) {
      sets.push(`${expression.name(path)} = ${expression.name(operand.attribute)}`);
      continue;
    }
    const value = operandValue(operand, values);
    if (value === undefined) continue;
    assertValue(entity, path.split('.'), value);
    put(known, path, value);
    sets.push(`${expression.name(path)} = ${expression.value(value)}`);
  }
  for (const { name, source } of changes.rewritten) {
    if (!source.template.holes.every(({ path }) => valueAt(known, path) !== undefined)) {
      if (
        source.template.holes.some(({ path, name }) => valueAt(known, path) !== undefined && !changes.told.has(name))
      ) {
        const missing = source.template.holes.filter(({ path }) => valueAt(known, path) === undefined);
        throw halfKey(
          step.op,
          name,
          source,
          missing.map((hole) => hole.name),
        );
      }
      continue;
    }
    sets.push(
      `${expression.name(name)} = ${expression.value(render(source.template, known, plan.rules.get(name) as KeyRules))}`,
    );
  }
  for (const [path, amount] of Object.entries(step.add ?? {})) {
    const name = expression.name(path);
    const value = expression.value(operandValue(amount, values));
    sets.push(`${name} = if_not_exists(${name}, ${expression.value(0)}) + ${value}`);
  }
  const { typeAttribute } = plan.design;
  if (step.upsert && typeAttribute !== undefined)
    sets.push(`${expression.name(typeAttribute)} = ${expression.value(entity.type)}`);
  const removes = [...(step.remove ?? []), ...changes.removed].map((path) => expression.name(path));
  const tests = expression.tests(existing(plan, step), values);
  return {
    UpdateExpression: [
      ...(sets.length === 0 ? [] : [`SET ${sets.join(', ')}`]),
      ...(removes.length === 0 ? [] : [`REMOVE ${removes.join(', ')}`]),
    ].join(' '),
    ...conditioned(tests),
    ...expression.input,
  };
}

/** Unless it may make the item, an update is of one that is there. */
function existing({ primary }: Plan, { upsert, condition = {} }: UpdatePattern): Condition {
  return upsert ? condition : { [primary[0] as string]: { exists: true }, ...condition };
}

function put(values: Item, path: string, value: unknown): void {
  const steps = path.split('.');
  const last = steps.pop() as string;
  let at = values;
  for (const step of steps) {
    at[step] ??= {};
    at = at[step] as Item;
  }
  at[last] = value;
}
