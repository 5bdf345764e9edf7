import type { Assignment, UpdatePattern } from '../design/pattern';
import { holdsWhole, lonePart, overlaps, stepsOf, template } from '../design/template';
import {
  bare,
  defOf,
  isOpen,
  kindOf,
  mayLack,
  type Schema,
  schemaAt,
  shapeOf,
  takesNothing,
} from './attributes/schema';
import { isCopy } from './index-keys';
import { type EntityOutline, isOfTable, type KeySource, keyOf, type TableOutline } from './outline';

/**
 * Why an update is wrong regardless of its values. A fault is plain data: its message is in the check, so that Lambdas
 * do not bundle it.
 */
export interface UpdateFault {
  readonly cause: UpdateCause;
  /** The path of the fault within the update, such as `set.title`; empty if the fault is about the whole update. */
  readonly place: string;
  /** The attribute that the update changes, or the attributes that are missing. */
  readonly attributes: readonly string[];
  /** The key that the update changes, or writes only in part. */
  readonly key?: KeySource;
  /** The index that may or may not contain the item. */
  readonly index?: string;
  /** The change that conflicts with the change to the first attribute. */
  readonly other?: Touched;
}

export type UpdateCause =
  | 'nothing-changed'
  | 'primary-key'
  | 'written-by-table'
  | 'unknown-attribute'
  | 'required-removed'
  | 'not-a-number'
  | 'not-a-list'
  | 'text-added'
  | 'changed-twice'
  | 'map-not-there'
  | 'map-may-lack'
  | 'incomplete-item'
  | 'half-key'
  | 'undecided'
  | 'may-lack'
  | 'optional-test'
  | 'member-unknown'
  | 'member-differs'
  | 'member-incomplete'
  | 'member-leftover';

/** An attribute that an update changes, and the place of the change. */
export interface Touched {
  readonly place: string;
  readonly field: 'set' | 'add' | 'subtract' | 'remove';
  readonly attribute: string;
}

/**
 * Returns the faults that would make an update silently break an item, or create an item that no read accepts. The
 * check reports such an update, and building its request throws.
 */
export function changeFaults(table: TableOutline, entity: Narrowed, step: UpdatePattern): readonly UpdateFault[] {
  const touched = touchedBy(step);
  return [
    ...(entity.faults ?? []),
    ...touched.flatMap((change) => faultOf(table, entity, change, step) ?? []),
    ...(step.upsert ? newItemFaults(table, entity, step, touched) : []),
  ];
}

/** An entity with its union narrowed to the members that an item may match before and after the update. */
export interface Narrowed extends EntityOutline {
  /** Why the update could leave an item that matches none of the members. */
  readonly faults?: readonly UpdateFault[];
}

/** Lists every attribute that an update changes. */
export function touchedBy({ set = {}, add = {}, subtract = {}, remove = [] }: UpdatePattern): readonly Touched[] {
  const named = Object.entries({ set, add, subtract }).flatMap(([field, changes]) =>
    Object.keys(changes).map((attribute) => ({ place: `${field}.${attribute}`, field, attribute }) as Touched),
  );
  return [...named, ...remove.map((attribute): Touched => ({ place: 'remove', field: 'remove', attribute }))];
}

export function touches({ template }: KeySource, attribute: string): boolean {
  return template.parts.some((part) => overlaps(attribute, part.name));
}

function faultOf(
  table: TableOutline,
  { keys, schema }: EntityOutline,
  { place, field, attribute }: Touched,
  step: UpdatePattern,
): UpdateFault | undefined {
  const fault = (cause: UpdateCause, key?: KeySource) => ({
    cause,
    place,
    attributes: [attribute],
    ...(key && { key }),
  });
  for (const { name } of keyOf(table.key)) {
    const key = keys.get(name);
    if (key !== undefined && touches(key, attribute)) return fault('primary-key', key);
  }
  const path = stepsOf(attribute);
  // An open entity accepts any attribute name, except the names of key attributes and of the type attribute.
  const isWritten = isOfTable(table, attribute) && !Object.hasOwn(shapeOf(schema), attribute);
  const at = isWritten ? undefined : schemaAt(schema, path);
  if (at === undefined) {
    const key = keys.get(attribute);
    const isKnown = key !== undefined || attribute === table.typeAttribute || (isWritten && isOpen(schema));
    return fault(isKnown ? 'written-by-table' : 'unknown-attribute', key);
  }
  if (at === null || field === 'set') return undefined;
  if (field === 'remove') {
    const holder = schemaAt(schema, path.slice(0, -1));
    const mayGo = takesNothing(at) || (holder && mayLack(holder, path.slice(-1)));
    return mayGo ? undefined : fault('required-removed');
  }
  const amount = step[field]?.[attribute];
  const isSet = isSetAt(at);
  // DynamoDB can change the elements of a set only if the set is not inside a map or a list.
  if (isSet ? isInside(attribute) : !['number', 'other'].includes(kindOf(at))) return fault('not-a-number');
  const isLone = typeof amount === 'string' && lonePart(template(amount)) !== undefined;
  if (isLone || typeof amount === (isSet ? 'object' : 'number')) return undefined;
  return fault(isSet ? 'not-a-number' : 'text-added');
}

function isSetAt(schema: Schema | undefined | null): boolean {
  return !!schema && defOf(bare(schema)).type === 'set';
}

/** An update that may create the item must supply every required attribute. */
function newItemFaults(
  table: TableOutline,
  { keys, schema, attributes }: EntityOutline,
  { set = {} }: UpdatePattern,
  touched: readonly Touched[],
): readonly UpdateFault[] {
  const nested = touched.filter(({ attribute }) => isInside(attribute));
  const isGiven = (name: string) =>
    touched.some(
      ({ field, attribute }) =>
        attribute === name && field !== 'remove' && (field !== 'set' || isAlwaysGiven(set[attribute])),
    );
  // A date in a key drops the time of day, so no read could recover the full timestamp.
  const isInKey = (attribute: string) =>
    keyOf(table.key).some((key) =>
      keys.get(key.name)?.template.parts.some((part) => part.name === attribute && holdsWhole(part)),
    );
  const missing = attributes.filter((attribute) => {
    const at = schemaAt(schema, [attribute]);
    return !isGiven(attribute) && !isInKey(attribute) && at && !takesNothing(at);
  });
  return [
    ...nested.map(({ place, attribute }) => ({ cause: 'map-not-there' as const, place, attributes: [attribute] })),
    ...(missing.length === 0 ? [] : [{ cause: 'incomplete-item' as const, place: 'upsert', attributes: missing }]),
  ];
}

/** Whether a path leads into a map or a list. */
export function isInside(path: string): boolean {
  return /[.[]/.test(path);
}

export function isAlwaysGiven(assignment: Assignment | undefined): boolean {
  const operand = isCopy(assignment) && 'ifMissing' in assignment ? assignment.ifMissing : assignment;
  return typeof operand !== 'string' || !template(operand).parts.some(({ optional }) => optional);
}
