import { type Schema, schemaAt, show, unknownIn } from '../blueprint/attributes/schema';
import { KeyError, type KeyRules, match } from '../design/template';
import type { EntityPlan, Item, KeyPlan, Plan } from './plan';

/** Raised when values are not those of an entity, or an item is none that the design knows. */
export class ItemError extends Error {
  public override readonly name = 'ItemError';
}

/** The item of an entity: its validated attributes, its type and all its keys. */
export function makeItem({ design }: Plan, entity: EntityPlan, values: object): Item {
  const attributes = validated(entity, values);
  // What zod gives is a copy of its own: it becomes the item, which is much faster than to copy it once more.
  const item = isWhole(entity, attributes) ? attributes : whole(entity, attributes);
  try {
    for (const key of entity.primary) writeKey(item, key, attributes);
    for (const { keys, holds } of entity.indexes) {
      if (holds(attributes)) for (const key of keys) writeKey(item, key, attributes);
    }
  } catch (error) {
    if (error instanceof KeyError) throw new KeyError(error.attribute, `${entity.name}: ${error.message}`);
    throw error;
  }
  if (design.typeAttribute !== undefined) item[design.typeAttribute] = entity.type;
  return item;
}

/** Several keys are often made by one template: then it is rendered once. */
function writeKey(item: Item, { name, write, twin, maxBytes }: KeyPlan, attributes: Item): void {
  const written = twin === undefined ? undefined : item[twin];
  // What may be too long for this key, though not for the other, takes the usual way.
  item[name] = typeof written === 'string' && written.length * 3 <= maxBytes ? written : write(attributes);
}

/** The entity's values of a stored item, with those that only its keys hold. */
export function readItem(plan: Plan, entity: EntityPlan, item: Item, selected?: readonly string[]): Item {
  const schema = schemaOf(entity);
  const values: Item = {};
  for (const name of entity.attributes) {
    if (selected?.includes(name) === false) continue;
    const value = Object.hasOwn(item, name) ? item[name] : fromKeys(plan, entity, item, name);
    if (value !== undefined) values[name] = value;
  }
  const read = selected === undefined ? parse(schema, values) : parseSome(schema, values, selected);
  if (typeof read === 'string') throw new ItemError(`${entity.name} ${showKey(plan, item)}: ${read}`);
  const { typeAttribute } = plan.design;
  if (typeAttribute !== undefined) read[typeAttribute] = entity.type;
  return read;
}

/** Which of these entities an item is, by its type attribute or else by its keys. */
export function entityOf({ design, rules }: Plan, item: Item, entities: Iterable<EntityPlan>): EntityPlan | undefined {
  const type = design.typeAttribute === undefined ? undefined : item[design.typeAttribute];
  for (const entity of entities) {
    const fits =
      type === undefined
        ? entity.primary.every(({ name, template, natural }) => {
            const key = item[name];
            if (natural) return key !== undefined;
            return (
              typeof key === 'string' && match(template, key, (rules.get(name) as KeyRules).separator) !== undefined
            );
          })
        : type === entity.type;
    if (fits) return entity;
  }
  return undefined;
}

export function showKey({ primary }: Plan, item: Item): string {
  return primary.map((name) => `${name} ${JSON.stringify(item[name])}`).join(', ');
}

/** The value of the attribute at a path, as zod gives it; says why it is none. */
export function validValue(entity: EntityPlan, path: string, value: unknown): unknown {
  const schema = schemaAt(schemaOf(entity), path.split('.'));
  if (!schema) return value;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new ItemError(`${entity.name}: ${path}: ${show(parsed.error)}`);
  const unknown = unknownIn(schema, value, path);
  if (unknown !== undefined) throw unknownAttribute(entity, unknown);
  return parsed.data;
}

export function schemaOf({ design }: EntityPlan): Schema {
  return design.attributes as unknown as Schema;
}

/** A text as the type that an attribute has: a number, where it takes no such text. */
export function typed(schema: Schema | undefined | null, text: string): unknown {
  const isNumber = schema?.safeParse(text).success === false && schema.safeParse(Number(text)).success;
  return isNumber ? Number(text) : text;
}

function validated(entity: EntityPlan, values: object): Item {
  const parsed = entity.design.attributes.safeParse(values);
  if (!parsed.success) throw new ItemError(`${entity.name}: ${show(parsed.error)}`);
  let i = 0;
  // Mostly they come in the order of the design, and need not be looked up.
  for (const name in values) {
    if (name !== entity.attributes[i++] && !entity.attributes.includes(name)) throw unknownAttribute(entity, name);
  }
  for (const [name, schema] of entity.maps) {
    const unknown = unknownIn(schema, (values as Item)[name], name);
    if (unknown !== undefined) throw unknownAttribute(entity, unknown);
  }
  return parsed.data;
}

export function unknownAttribute(entity: EntityPlan, name: string): ItemError {
  return new ItemError(
    `${entity.name}: '${name}' is no attribute of it; its attributes are ${entity.attributes.join(', ')}`,
  );
}

/** Whether all that is there is stored. */
function isWhole({ keyOnly, keys }: EntityPlan, attributes: Item): boolean {
  if (keyOnly.size > 0) return false;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined || (value === null && keys.has(name))) return false;
  }
  return true;
}

/** What is stored: a key cannot be null, and an index is not told of an item without it. */
function whole({ keyOnly, keys }: EntityPlan, attributes: Item): Item {
  const item: Item = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined && !(value === null && keys.has(name)) && !keyOnly.has(name)) item[name] = value;
  }
  return item;
}

/** What the keys tell of an attribute that is not stored under its own name. */
function fromKeys({ rules }: Plan, entity: EntityPlan, item: Item, attribute: string): unknown {
  const schema = schemaAt(schemaOf(entity), [attribute]);
  for (const { name, template, natural } of entity.keys.values()) {
    const key = item[name];
    if (natural || typeof key !== 'string' || !template.holes.some((hole) => hole.name === attribute)) continue;
    const values = match(template, key, (rules.get(name) as KeyRules).separator);
    if (values === undefined || !Object.hasOwn(values, attribute)) continue;
    const value = values[attribute];
    return typeof value === 'string' ? typed(schema, value) : value;
  }
  // A key that is null is not stored.
  const isNull = entity.keys.has(attribute) && schema?.safeParse(null).success && !schema.safeParse(undefined).success;
  return isNull ? null : undefined;
}

/** The values, or what is wrong with them. */
function parse(schema: Schema, values: Item): Item | string {
  const parsed = schema.safeParse(values);
  return parsed.success ? (parsed.data as Item) : show(parsed.error);
}

/** The same of some attributes alone: what holds between all of them cannot be told. */
function parseSome(schema: Schema, values: Item, selected: readonly string[]): Item | string {
  const read: Item = {};
  const faults: string[] = [];
  for (const name of selected) {
    const parsed = schemaAt(schema, [name])?.safeParse(values[name]);
    if (parsed?.success === false) faults.push(`${name}: ${show(parsed.error)}`);
    else if (parsed?.data !== undefined) read[name] = parsed.data;
  }
  return faults.length === 0 ? read : faults.join('; ');
}
