import { shownValue, valueAt } from '../design/template';
import { ItemError } from './item';

/** Returns the template values for each element of the caller's list; in them, the element replaces the list. */
export function scopesOf(place: string, name: string, values: object): readonly object[] {
  const list = valueAt(values, [name]);
  if (Array.isArray(list)) {
    // Unlike `map`, `Array.from` also visits the holes in a sparse array.
    return Array.from(list, (element, i) => {
      if (element === undefined)
        throw new ItemError(`${place}: ${name}[${i}] is missing; give every element of '${name}' a value`);
      // Copying first and then assigning is several times as fast as a computed property name in the literal.
      const scope: Record<string, unknown> = { ...values };
      scope[name] = element;
      return scope;
    });
  }
  throw new ItemError(`${place}: '${name}' must be a list, got: ${shownValue(list)}`);
}
