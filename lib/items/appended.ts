import { listForm } from '../blueprint/attributes/lists';
import { schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition } from '../design/pattern';
import { stepsOf } from '../design/template';
import { ItemError, validBy, validValue } from './item';

/** The elements to add to a list, and the condition under which the list then has an allowed length. */
export interface Appended {
  readonly value: unknown;
  readonly fits?: Condition;
}

/** Validates each element; the allowed number depends on the whole list, which only the table knows. */
export function appended(entity: EntityOutline, path: string, added: readonly unknown[]): Appended {
  const schema = schemaAt(entity.schema, stepsOf(path));
  const form = schema ? listForm(schema) : undefined;
  if (form === undefined) return { value: validValue(entity, path, added) };
  const { element, least, most } = form;
  if (added.length > most)
    throw new ItemError(`${entity.name}: ${path}: it has at most ${most} elements, and ${added.length} more are added`);
  const fits: Condition = {
    ...(most === Infinity ? {} : { none: [{ [path]: { size: { greaterThan: most - added.length } } }] }),
    // If the item has no list yet, these elements become the whole list.
    ...(added.length < least ? { [path]: { exists: true } } : {}),
  };
  // Unlike `map`, this also visits the holes of a sparse list.
  const value = Array.from(added, (given, i) => validBy(element, entity, `${path}.${i}`, given));
  return Object.keys(fits).length === 0 ? { value } : { value, fits };
}
