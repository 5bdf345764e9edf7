import { listForm } from '../blueprint/attributes/lists';
import { schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline } from '../blueprint/outline';
import type { Condition } from '../design/pattern';
import { stepsOf } from '../design/template';
import { ItemError, validBy, validValue } from './item';

/** What is added to a list, and what must hold for the list to have as many elements then as it may. */
export interface Appended {
  readonly value: unknown;
  readonly fits?: Condition;
}

/** Each element passes the schema of one; how many there may be is about the whole list, which only the table knows. */
export function appended(entity: EntityOutline, path: string, added: readonly unknown[]): Appended {
  const schema = schemaAt(entity.schema, stepsOf(path));
  const form = schema ? listForm(schema) : undefined;
  if (form === undefined) return { value: validValue(entity, path, added) };
  const { element, least, most } = form;
  if (added.length > most)
    throw new ItemError(`${entity.name}: ${path}: it has at most ${most} elements, and ${added.length} more are added`);
  const fits: Condition = {
    ...(most === Infinity ? {} : { none: [{ [path]: { size: { greaterThan: most - added.length } } }] }),
    // Where there is no list yet, these would be all of it.
    ...(added.length < least ? { [path]: { exists: true } } : {}),
  };
  const value = added.map((one, i) => validBy(element, entity, `${path}.${i}`, one));
  return Object.keys(fits).length === 0 ? { value } : { value, fits };
}
