import { attributeAt, attributeNames, intakeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed, keyOf, type TableBlueprint } from '../../blueprint/table';
import { overlaps } from '../../blueprint/updates';
import type { Operand, PutPattern, UpdatePattern } from '../../design/pattern';
import { template } from '../../design/template';
import type { Fault, Found, Place, TableRule } from '../finding';
import { atAccess } from '../places';
import { stepOf } from '../step';
import type { PatternAccess, TableUnderCheck } from '../subject';

const causes = {
  'put-without': 'a put leaves out what every item of the entity has',
  'nothing-to-copy': 'a put copies an attribute of an item that does not exist yet',
  'changes-nothing': 'an update changes nothing',
  'changes-primary-key': 'an update changes what the primary key is made of',
  'writes-primary-key': 'an update writes an attribute of the primary key, which the table writes itself',
  'writes-index-key': 'an update writes a key of an index, which the table writes itself',
  'writes-type': 'an update writes the type attribute, which the table writes itself',
  'removes-required': 'an update removes what every item of the entity has',
  'adds-to-no-number': 'an update adds to something that is not a number',
  'adds-text': 'an update adds something that is not a number',
  'changed-twice': 'an update changes one attribute in two ways',
  'one-in-the-other': 'an update changes a map and something in it',
  'upserts-into-map': 'an update that may make the item changes something in a map, which a new item lacks',
  'upsert-without': 'an update that may make the item leaves out what every item of the entity has',
} as const;

type Cause = keyof typeof causes;

export const unwritable: TableRule<'unwritable', Cause> = {
  id: 'unwritable',
  severity: 'error',
  why: 'A write that can never be right is refused every time, and only when it is made.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      if (access.action !== 'update' && access.action !== 'put') continue;
      const step = stepOf(access);
      const entity = entityNamed(table.plan, access.entities[0] as string);
      if (entity === undefined) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(access, entity, step.item);
      if (step.op === 'update') yield* inUpdate(table, access, entity, step);
    }
  },
};

/** A new item has all that its entity must have; an optional parameter may fail to give it, and is the caller's affair. */
function* inItem(
  access: PatternAccess,
  { name, design }: EntityBlueprint,
  item: NonNullable<PutPattern['item']>,
): Iterable<Found<Cause>> {
  const missing = attributeNames(design.attributes).filter(
    (attribute) => !Object.hasOwn(item, attribute) && intakeAt(design.attributes, [attribute])?.required,
  );
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    const message = `every ${name} has ${missing.join(', ')}, and this one is written without`;
    const place = atAccess(access, 'item', undefined, { attributes: missing });
    yield { ...place, cause: 'put-without', message, fix: `add ${given}, or make it optional` };
  }
  for (const [attribute, operand] of Object.entries(item)) {
    if (!isCopy(operand)) continue;
    const message = 'a new item has no attribute to copy';
    const fix = `give the value: '<${attribute}>'`;
    yield { ...atAccess(access, 'item', attribute), cause: 'nothing-to-copy', message, fix };
  }
}

function* inUpdate(
  { design, plan }: TableUnderCheck,
  access: PatternAccess,
  entity: EntityBlueprint,
  step: UpdatePattern,
): Iterable<Found<Cause>> {
  const touched = touchedBy(step);
  if (touched.length === 0) {
    const message = 'it changes nothing, and such an update is refused';
    const fix = `say what it changes: set: { … }, add: { … } or remove: [ … ]`;
    if (!step.upsert) yield { ...atAccess(access), cause: 'changes-nothing', message, fix };
    return;
  }
  for (const one of touched) {
    const fault = keyFault(plan, design.typeAttribute, entity, one) ?? valueFault(entity, one, step);
    if (fault !== undefined) yield { ...atTouched(access, one), ...fault };
  }
  yield* twice(access, touched);
  if (step.upsert) yield* inNew(access, entity, step, touched);
}

/** An attribute that an update changes, and where it says so. */
interface Touched {
  readonly field: 'set' | 'add' | 'remove';
  readonly attribute: string;
}

function touchedBy({ set = {}, add = {}, remove = [] }: UpdatePattern): readonly Touched[] {
  return [
    ...Object.keys(set).map((attribute) => ({ field: 'set', attribute }) as const),
    ...Object.keys(add).map((attribute) => ({ field: 'add', attribute }) as const),
    ...remove.map((attribute) => ({ field: 'remove', attribute }) as const),
  ];
}

/** What is removed is one list, and one place. */
function atTouched(access: PatternAccess, { field, attribute }: Touched): Place {
  return field === 'remove' ? atAccess(access, field, undefined, { attribute }) : atAccess(access, field, attribute);
}

function keyFault(
  plan: TableBlueprint,
  type: string | undefined,
  { name, keys, design }: EntityBlueprint,
  { attribute }: Touched,
): Fault<Cause> | undefined {
  const primary = keyOf(plan.key).find(({ name: key }) =>
    keys.get(key)?.template.holes.some((hole) => overlaps(attribute, hole.name)),
  );
  if (primary !== undefined) {
    const message = `${attribute} is part of ${primary.name} ('${keys.get(primary.name)?.template.text}'), and the primary key of an item cannot change`;
    return {
      cause: 'changes-primary-key',
      message,
      fix: `leave ${attribute} out, or delete the ${name} and put another`,
    };
  }
  if (attributeAt(design.attributes, attribute.split('.')) !== undefined) return undefined;
  if (attribute === type) {
    const message = `'${attribute}' is written by the table itself, as the type`;
    return { cause: 'writes-type', message, fix: `leave it out` };
  }
  const own = keys.get(attribute);
  if (own === undefined) return undefined;
  const parts = own.template.holes.map((hole) => hole.name).join(', ');
  const message = `'${attribute}' is written by the table itself, as '${own.template.text}'`;
  const isPrimary = keyOf(plan.key).some((key) => key.name === attribute);
  if (isPrimary) {
    return { cause: 'writes-primary-key', message, fix: `leave it out, or delete the ${name} and put another` };
  }
  return {
    cause: 'writes-index-key',
    message,
    fix: parts === '' ? 'leave it out' : `leave it out, and change what it is made of: ${parts}`,
  };
}

function valueFault(
  { name, design }: EntityBlueprint,
  { field, attribute }: Touched,
  { add = {} }: UpdatePattern,
): Fault<Cause> | undefined {
  const at = attribute.split('.');
  if (field === 'remove') {
    if (!intakeAt(design.attributes, at)?.required) return undefined;
    const message = `every ${name} has '${attribute}', and cannot be without`;
    return { cause: 'removes-required', message, fix: `make ${attribute} optional, or do not remove it` };
  }
  if (field === 'set') return undefined;
  const kind = attributeAt(design.attributes, at)?.kind;
  if (kind !== undefined && kind !== 'number' && kind !== 'other') {
    const message = `'${attribute}' is a ${kind}, and only to a number can be added`;
    return { cause: 'adds-to-no-number', message, fix: `set it: set: { ${attribute}: … }, or make it a number` };
  }
  const amount = add[attribute];
  if (typeof amount !== 'string' || /^<[^<>:]*>$/.test(amount)) return undefined;
  const message = `'${amount}' is a text, and only a number can be added`;
  return { cause: 'adds-text', message, fix: `write a number, or a parameter alone: '<by>'` };
}

/** DynamoDB refuses to do two things to one attribute, or to a map and to what is in it. */
function* twice(access: PatternAccess, touched: readonly Touched[]): Iterable<Found<Cause>> {
  for (const [i, one] of touched.entries()) {
    const other = touched.slice(0, i).find(({ attribute }) => overlaps(attribute, one.attribute));
    if (other === undefined) continue;
    const message =
      other.attribute === one.attribute
        ? `'${one.attribute}' is changed by ${other.field} and by ${one.field}, and DynamoDB refuses to do both`
        : `'${other.attribute}' and '${one.attribute}' are one inside the other, and DynamoDB refuses to change both`;
    const cause = other.attribute === one.attribute ? 'changed-twice' : 'one-in-the-other';
    yield { ...atTouched(access, one), cause, message, fix: 'keep one of the two' };
  }
}

/** An update that may make the item makes a whole one. */
function* inNew(
  access: PatternAccess,
  { name, keys, design }: EntityBlueprint,
  { set = {}, add = {}, where = {} }: UpdatePattern,
  touched: readonly Touched[],
): Iterable<Found<Cause>> {
  for (const one of touched.filter(({ attribute }) => attribute.includes('.'))) {
    const message = `an item that it makes has nothing to hold '${one.attribute}'`;
    const fix = 'set the whole map, or leave upsert out';
    yield { ...atTouched(access, one), cause: 'upserts-into-map', message, fix };
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
  const fix = `add ${missing.join(', ')} to set, or leave upsert out`;
  yield {
    ...atAccess(access, 'upsert', undefined, { attributes: missing }),
    cause: 'upsert-without',
    message,
    fix,
  };
}

function isCopy(operand: Operand | undefined): operand is { readonly attribute: string } {
  return typeof operand === 'object' && operand !== null;
}

function isAlways(operand: Operand | undefined): boolean {
  return typeof operand !== 'string' || !template(operand).holes.some(({ optional }) => optional);
}
