import { attributeAt, attributeNames, intakeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, keyOf, type TableBlueprint } from '../../blueprint/table';
import { overlaps } from '../../blueprint/updates';
import type { Operand, PutPattern, UpdatePattern } from '../../design/pattern';
import { template } from '../../design/template';
import type { Found, Rule } from '../finding';
import { stepOf } from '../step';
import type { TableUnderCheck } from '../subject';

export const unwritable: Rule = {
  id: 'unwritable',
  severity: 'error',
  why: 'A write that can never be right is refused every time, and only when it is made.',
  *check(table) {
    for (const access of table.accesses) {
      if (access.action !== 'update' && access.action !== 'put') continue;
      const step = stepOf(access);
      const entity = entityNamed(table.plan, access.entities[0] as string);
      if (entity === undefined) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(access.path, entity, step.item);
      if (step.op === 'update') yield* inUpdate(table, access.path, entity, step);
    }
  },
};

/** A new item has all that its entity must have; an optional parameter may fail to give it, and is the caller's affair. */
function* inItem(path: string, { name, design }: EntityBlueprint, item: NonNullable<PutPattern['item']>) {
  const missing = attributeNames(design.attributes).filter(
    (attribute) => !Object.hasOwn(item, attribute) && intakeAt(design.attributes, [attribute])?.required,
  );
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    const message = `every ${name} has ${missing.join(', ')}, and this one is written without`;
    yield { path: `${path}.item`, message, fix: `add ${given}, or make it optional` };
  }
  for (const [attribute, operand] of Object.entries(item)) {
    if (!isCopy(operand)) continue;
    const message = 'a new item has no attribute to copy';
    yield { path: `${path}.item.${attribute}`, message, fix: `give the value: '<${attribute}>'` };
  }
}

function* inUpdate(
  { design, plan }: TableUnderCheck,
  path: string,
  entity: EntityBlueprint,
  step: UpdatePattern,
): Iterable<Found> {
  const touched = touchedBy(step);
  if (touched.length === 0) {
    const message = 'it changes nothing, and such an update is refused';
    if (!step.upsert) yield { path, message, fix: `say what it changes: set: { … }, add: { … } or remove: [ … ]` };
    return;
  }
  const refused = touched.flatMap(
    (one) => keyFault(plan, design.typeAttribute, entity, one) ?? valueFault(entity, one, step) ?? [],
  );
  yield* refused.map(({ place, ...fault }) => ({ path: `${path}.${place}`, ...fault }));
  yield* twice(path, touched);
  if (step.upsert) yield* inNew(path, entity, step, touched);
}

/** An attribute that an update changes, and where it says so. */
interface Touched {
  readonly place: string;
  readonly field: 'set' | 'add' | 'remove';
  readonly attribute: string;
}

function touchedBy({ set = {}, add = {}, remove = [] }: UpdatePattern): readonly Touched[] {
  return [
    ...Object.keys(set).map((attribute) => ({ place: `set.${attribute}`, field: 'set', attribute }) as const),
    ...Object.keys(add).map((attribute) => ({ place: `add.${attribute}`, field: 'add', attribute }) as const),
    ...remove.map((attribute) => ({ place: 'remove', field: 'remove', attribute }) as const),
  ];
}

type Fault = Pick<Found, 'message' | 'fix'> & { readonly place: string };

function keyFault(
  plan: TableBlueprint,
  type: string | undefined,
  { name, keys, design }: EntityBlueprint,
  { place, attribute }: Touched,
): Fault | undefined {
  const primary = keyOf(plan.key).find(({ name: key }) =>
    keys.get(key)?.template.holes.some((hole) => overlaps(attribute, hole.name)),
  );
  if (primary !== undefined) {
    const message = `${attribute} is part of ${primary.name} ('${keys.get(primary.name)?.template.text}'), and the primary key of an item cannot change`;
    return { place, message, fix: `leave ${attribute} out, or delete the ${name} and put another` };
  }
  if (attributeAt(design.attributes, attribute.split('.')) !== undefined) return undefined;
  if (attribute === type) {
    return { place, message: `'${attribute}' is written by the table itself, as the type`, fix: `leave it out` };
  }
  const own = keys.get(attribute);
  if (own === undefined) return undefined;
  const parts = own.template.holes.map((hole) => hole.name).join(', ');
  const message = `'${attribute}' is written by the table itself, as '${own.template.text}'`;
  const isPrimary = keyOf(plan.key).some((key) => key.name === attribute);
  if (isPrimary) return { place, message, fix: `leave it out, or delete the ${name} and put another` };
  return {
    place,
    message,
    fix: parts === '' ? 'leave it out' : `leave it out, and change what it is made of: ${parts}`,
  };
}

function valueFault(
  { name, design }: EntityBlueprint,
  { place, field, attribute }: Touched,
  { add = {} }: UpdatePattern,
): Fault | undefined {
  const at = attribute.split('.');
  if (field === 'remove') {
    if (!intakeAt(design.attributes, at)?.required) return undefined;
    const message = `every ${name} has '${attribute}', and cannot be without`;
    return { place, message, fix: `make ${attribute} optional, or do not remove it` };
  }
  if (field === 'set') return undefined;
  const kind = attributeAt(design.attributes, at)?.kind;
  if (kind !== undefined && kind !== 'number' && kind !== 'other') {
    const message = `'${attribute}' is a ${kind}, and only to a number can be added`;
    return { place, message, fix: `set it: set: { ${attribute}: … }, or make it a number` };
  }
  const amount = add[attribute];
  if (typeof amount !== 'string' || /^<[^<>:]*>$/.test(amount)) return undefined;
  const message = `'${amount}' is a text, and only a number can be added`;
  return { place, message, fix: `write a number, or a parameter alone: '<by>'` };
}

/** DynamoDB refuses to do two things to one attribute, or to a map and to what is in it. */
function* twice(path: string, touched: readonly Touched[]): Iterable<Found> {
  for (const [i, one] of touched.entries()) {
    const other = touched.slice(0, i).find(({ attribute }) => overlaps(attribute, one.attribute));
    if (other === undefined) continue;
    const message =
      other.attribute === one.attribute
        ? `'${one.attribute}' is changed by ${other.field} and by ${one.field}, and DynamoDB refuses to do both`
        : `'${other.attribute}' and '${one.attribute}' are one inside the other, and DynamoDB refuses to change both`;
    yield { path: `${path}.${one.place}`, message, fix: 'keep one of the two' };
  }
}

/** An update that may make the item makes a whole one. */
function* inNew(
  path: string,
  { name, keys, design }: EntityBlueprint,
  { set = {}, add = {}, where = {} }: UpdatePattern,
  touched: readonly Touched[],
): Iterable<Found> {
  for (const { place, attribute } of touched.filter(({ attribute }) => attribute.includes('.'))) {
    const message = `an item that it makes has nothing to hold '${attribute}'`;
    yield { path: `${path}.${place}`, message, fix: `set the whole map, or leave upsert out` };
  }
  const always = (attribute: string) =>
    Object.hasOwn(add, attribute) || (Object.hasOwn(set, attribute) && isAlways(set[attribute]));
  const inKey = (attribute: string) =>
    Object.keys(where).some((key) => keys.get(key)?.template.holes.some((hole) => hole.name === attribute));
  const missing = attributeNames(design.attributes).filter(
    (attribute) => !always(attribute) && !inKey(attribute) && intakeAt(design.attributes, [attribute])?.required,
  );
  if (missing.length === 0) return;
  const message = `a ${name} that it makes has no ${missing.join(', ')}`;
  yield { path: `${path}.upsert`, message, fix: `add ${missing.join(', ')} to set, or leave upsert out` };
}

function isCopy(operand: Operand | undefined): operand is { readonly attribute: string } {
  return typeof operand === 'object' && operand !== null;
}

function isAlways(operand: Operand | undefined): boolean {
  return typeof operand !== 'string' || !template(operand).holes.some(({ optional }) => optional);
}
