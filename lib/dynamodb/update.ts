import { schemaAt } from '../blueprint/attributes/schema';
import { isWithin, overlaps } from '../blueprint/updates';
import type { Condition, Operand, UpdatePattern } from '../design/pattern';
import { type Hole, template, valueAt } from '../design/template';
import { ItemError, schemaOf, unknownAttribute, validValue } from '../items/item';
import { type EntityPlan, type Item, naturalKey, type Plan } from '../items/plan';
import { conditioned, Expression, operandValue } from './expression';
import { indexKeys, settle, toldBy } from './index-keys';

/** Makes what an update says beside its key. Index keys go with the attributes that they are made of. */
export function updateBuilder(
  plan: Plan,
  entity: EntityPlan,
  name: string,
  step: UpdatePattern,
): (values: object) => Item {
  assertPossible(entity, name, step);
  const { add = {}, remove = [], upsert = false } = step;
  const set = Object.entries(step.set ?? {});
  const copies = set.flatMap(([path, operand]) => (isCopy(operand) ? [path] : []));
  const told = toldBy(entity, step.where);
  const indexes = indexKeys(plan, entity);
  // As if all that can be given were: what is missing even then is always missing.
  const most = set.map(([path]) => path).filter((path) => !copies.includes(path));
  const isIn = (paths: readonly string[]) => (hole: Hole) => paths.some((path) => isWithin(hole.name, path));
  settle(
    name,
    indexes,
    {
      touched: [...most, ...copies, ...Object.keys(add), ...remove],
      isKnown: (hole) => told.has(hole.name) || isIn(most)(hole),
      isGone: isIn(remove),
    },
    upsert,
  );
  const condition = existing(plan, step);
  const { typeAttribute } = plan.design;
  return (values) => {
    const expression = new Expression();
    const sets: string[] = [];
    const removes = [...remove];
    const known: Item = {};
    const assign = (path: string, value: string) => sets.push(`${expression.name(path)} = ${value}`);
    for (const [attribute, path] of told) put(known, attribute, valueAt(values, path));
    const changed = [...remove];
    for (const [path, operand] of set) {
      if (isCopy(operand)) {
        assign(path, expression.name(operand.attribute));
        continue;
      }
      const given = operandValue(operand, values);
      if (given === undefined) continue;
      const value = validValue(entity, path, given);
      changed.push(path);
      put(known, path, value);
      const isKey = entity.keys.has(path);
      // A key cannot be null: an item without it is not in the index.
      if (isKey && value === null) removes.push(path);
      else assign(path, expression.value(isKey ? naturalKey(path, value) : value));
    }
    const added = Object.keys(add).filter((path) => {
      const amount = operandValue(add[path] as string | number, values);
      if (amount === undefined) return false;
      if (typeof amount !== 'number' && typeof amount !== 'bigint')
        throw new ItemError(`${entity.name}: ${path}: expected a number to add, got: ${JSON.stringify(amount)}`);
      const current = expression.name(path);
      assign(path, `if_not_exists(${current}, ${expression.value(0)}) + ${expression.value(amount)}`);
      return true;
    });
    const isKnown = ({ path }: Hole) => (valueAt(known, path) ?? undefined) !== undefined;
    const { rewritten, removed } = settle(
      name,
      indexes,
      {
        touched: [...changed, ...copies, ...added],
        isKnown,
        isGone: (hole) => isIn(changed)(hole) && !isKnown(hole),
      },
      upsert,
    );
    for (const key of rewritten) assign(key.name, expression.value(key.write(known)));
    if (upsert && typeAttribute !== undefined) assign(typeAttribute, expression.value(entity.type));
    const gone = [...removes, ...removed].map((path) => expression.name(path));
    if (sets.length + gone.length === 0) throw nothingToChange(name, step);
    return {
      UpdateExpression: [
        ...(sets.length === 0 ? [] : [`SET ${sets.join(', ')}`]),
        ...(gone.length === 0 ? [] : [`REMOVE ${gone.join(', ')}`]),
      ].join(' '),
      ...conditioned(expression.tests(condition, values)),
      ...expression.input,
    };
  };
}

/** Refuses an update that could never be right, whatever its values. */
export function assertPossible(entity: EntityPlan, name: string, step: UpdatePattern): void {
  const { set = {}, add = {}, remove = [], upsert } = step;
  const schema = schemaOf(entity);
  const touched = [...Object.keys(set), ...Object.keys(add), ...remove];
  for (const path of touched) {
    const key = entity.primary.find(({ template }) => template.holes.some((hole) => overlaps(path, hole.name)));
    if (key !== undefined) {
      throw new ItemError(
        `${name}: it changes what '${key.name}' is made of, and a primary key cannot change; delete the item and put another`,
      );
    }
    if (schemaAt(schema, path.split('.')) === undefined) throw unknownAttribute(entity, path);
    if (upsert && path.includes('.')) {
      throw new ItemError(`${name}: an item that it makes has nothing to hold '${path}'; set the whole map`);
    }
  }
  for (const path of remove) {
    if (schemaAt(schema, path.split('.'))?.safeParse(undefined).success === false)
      throw new ItemError(`${name}: every ${entity.name} has '${path}'; make it optional, or do not remove it`);
  }
  if (!upsert) return;
  const always = (path: string) => Object.hasOwn(add, path) || (Object.hasOwn(set, path) && isRequired(set[path]));
  const missing = entity.attributes.filter(
    (attribute) =>
      !always(attribute) &&
      !entity.primary.some(({ template }) => template.holes.some((hole) => hole.name === attribute)) &&
      schemaAt(schema, [attribute])?.safeParse(undefined).success === false,
  );
  if (missing.length > 0)
    throw new ItemError(`${name}: a ${entity.name} that it makes has no ${missing.join(', ')}; add it to 'set'`);
}

/** Unless it may make the item, an update is of one that is there. */
function existing({ primary }: Plan, { upsert, condition = {} }: UpdatePattern): Condition {
  return upsert ? condition : { [primary[0] as string]: { exists: true }, ...condition };
}

function nothingToChange(name: string, { set = {}, add = {} }: UpdatePattern): ItemError {
  const paths = [...Object.keys(set), ...Object.keys(add)].join(', ');
  return new ItemError(`${name}: there is nothing to change; give at least one of ${paths}`);
}

export function isCopy(operand: Operand | undefined): operand is { readonly attribute: string } {
  return typeof operand === 'object' && operand !== null;
}

function isRequired(operand: Operand | undefined): boolean {
  return typeof operand !== 'string' || !template(operand).holes.some(({ optional }) => optional);
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
