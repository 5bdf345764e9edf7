import type { Assignment, UpdatePattern } from '../design/pattern';
import { loneHole, stepsOf, template } from '../design/template';
import { isOpen, kindOf, mayLack, schemaAt, shapeOf, takesNothing } from './attributes/schema';
import { isCopy, overlaps } from './index-keys';
import { type EntityOutline, type KeySource, keyOf, type TableOutline } from './outline';

/**
 * Why an update can never be right, whatever its values. It is only data: the check has the words, so that no Lambda
 * carries them.
 */
export interface UpdateFault {
  readonly cause: UpdateCause;
  /** Where in the update: `set.title`; empty if it is about the whole update. */
  readonly place: string;
  /** The attribute that is changed, or those that are missing. */
  readonly attributes: readonly string[];
  /** The key that is changed, or written only in part. */
  readonly key?: KeySource;
  /** The index that an item may be in or not. */
  readonly index?: string;
  /** What must not be changed together with the first attribute. */
  readonly other?: Touched;
}

export type UpdateCause =
  | 'nothing-changed'
  | 'primary-key'
  | 'written-by-table'
  | 'unknown-attribute'
  | 'required-removed'
  | 'not-a-number'
  | 'text-added'
  | 'changed-twice'
  | 'map-not-there'
  | 'map-may-lack'
  | 'incomplete-item'
  | 'half-key'
  | 'undecided';

/** An attribute that an update changes, and where. */
export interface Touched {
  readonly place: string;
  readonly field: 'set' | 'add' | 'subtract' | 'remove';
  readonly attribute: string;
}

/**
 * Faults that would silently break an item, or make one that no read accepts: not only the check but requests too refuse
 * such an update.
 */
export function changeFaults(table: TableOutline, entity: EntityOutline, step: UpdatePattern): readonly UpdateFault[] {
  const touched = touchedBy(step);
  return [
    ...touched.flatMap((change) => keyFault(table, entity, change) ?? valueFault(entity, change, step) ?? []),
    ...(step.upsert ? newItemFaults(table, entity, step, touched) : []),
  ];
}

/** Every attribute that an update changes. */
export function touchedBy({ set = {}, add = {}, subtract = {}, remove = [] }: UpdatePattern): readonly Touched[] {
  const named = (field: 'set' | 'add' | 'subtract', changes: object) =>
    Object.keys(changes).map((attribute): Touched => ({ place: `${field}.${attribute}`, field, attribute }));
  const removed = remove.map((attribute): Touched => ({ place: 'remove', field: 'remove', attribute }));
  return [...named('set', set), ...named('add', add), ...named('subtract', subtract), ...removed];
}

export function touches({ template }: KeySource, attribute: string): boolean {
  return template.holes.some((hole) => overlaps(attribute, hole.name));
}

function keyFault(
  table: TableOutline,
  { keys, schema }: EntityOutline,
  { place, attribute }: Touched,
): UpdateFault | undefined {
  const fault = { place, attributes: [attribute] };
  for (const { name } of keyOf(table.key)) {
    const key = keys.get(name);
    if (key !== undefined && touches(key, attribute)) return { cause: 'primary-key', ...fault, key };
  }
  const key = keys.get(attribute);
  const isOfTable = attribute === table.typeAttribute || table.keyAttributes.some(({ name }) => name === attribute);
  // An open entity accepts any name except those that the table writes.
  const isOpenTo = isOfTable && !Object.hasOwn(shapeOf(schema), attribute);
  if (!isOpenTo && schemaAt(schema, stepsOf(attribute)) !== undefined) return undefined;
  if (isOpenTo && isOpen(schema)) return { cause: 'written-by-table', ...fault, ...(key && { key }) };
  if (key !== undefined) return { cause: 'written-by-table', ...fault, key };
  return { cause: attribute === table.typeAttribute ? 'written-by-table' : 'unknown-attribute', ...fault };
}

function valueFault(
  { schema }: EntityOutline,
  { place, field, attribute }: Touched,
  { add = {}, subtract = {} }: UpdatePattern,
): UpdateFault | undefined {
  const at = schemaAt(schema, stepsOf(attribute));
  if (!at || field === 'set') return undefined;
  const fault = { place, attributes: [attribute] };
  if (field === 'remove') {
    const path = stepsOf(attribute);
    const holder = schemaAt(schema, path.slice(0, -1));
    const mayGo = takesNothing(at) || (holder && mayLack(holder, path.slice(-1)));
    return mayGo ? undefined : { cause: 'required-removed', ...fault };
  }
  if (!['number', 'other'].includes(kindOf(at))) return { cause: 'not-a-number', ...fault };
  const amount = field === 'add' ? add[attribute] : subtract[attribute];
  const isText = typeof amount === 'string' && loneHole(template(amount)) === undefined;
  return isText ? { cause: 'text-added', ...fault } : undefined;
}

/** An update that may create the item must create a whole one. */
function newItemFaults(
  table: TableOutline,
  { keys, schema, attributes }: EntityOutline,
  { set = {}, add = {}, subtract = {} }: UpdatePattern,
  touched: readonly Touched[],
): readonly UpdateFault[] {
  const nested = touched.filter(({ attribute }) => isInside(attribute));
  const isGiven = (attribute: string) =>
    Object.hasOwn(add, attribute) ||
    Object.hasOwn(subtract, attribute) ||
    (Object.hasOwn(set, attribute) && isAlwaysGiven(set[attribute]));
  const isInKey = (attribute: string) =>
    keyOf(table.key).some((key) => keys.get(key.name)?.template.holes.some((hole) => hole.name === attribute));
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

function isAlwaysGiven(assignment: Assignment | undefined): boolean {
  const operand = isCopy(assignment) && 'ifMissing' in assignment ? assignment.ifMissing : assignment;
  return typeof operand !== 'string' || !template(operand).holes.some(({ optional }) => optional);
}
