import { listForm } from '../blueprint/attributes/lists';
import { schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition } from '../design/pattern';
import { stepsOf } from '../design/template';
import { ItemError, validBy, validValue } from './item';

/** What is added to a list, and the condition on which the list is then neither too short nor too long. */
export interface Appended {
  readonly value: unknown;
  readonly fits?: Condition;
}

/** Validates each element; how many there may be depends on the whole list, which only the table knows. */
export function appended(entity: EntityOutline, path: string, added: readonly unknown[]): Appended {
  const schema = schemaAt(entity.schema, stepsOf(path));
  const form = schema ? listForm(schema) : undefined;
  if (form === undefined) return { value: validValue(entity, path, added) };
  const { element, least, most } = form;
  if (added.length > most)
    throw new ItemError(`${entity.name}: ${path}: it has at most ${most} elements, and ${added.length} more are added`);
  const fits: Condition = {
    ...(most === Infinity ? {} : { none: [{ [path]: { size: { greaterThan: most - added.length } } }] }),
    // If there is no list yet, these elements would be all of it.
    ...(added.length < least ? { [path]: { exists: true } } : {}),
  };
  // Unlike `map`, this also visits the holes of a sparse list.
  const value = Array.from(added, (given, i) => validBy(element, entity, `${path}.${i}`, given));
  return Object.keys(fits).length === 0 ? { value } : { value, fits };
}
