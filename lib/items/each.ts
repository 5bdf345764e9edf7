import { show, valueAt } from '../design/template';
import { ItemError } from './item';

/** The values for the templates, once for each element of a list that the caller gives. */
export function scopesOf(place: string, name: string, values: object): readonly object[] {
  const list = valueAt(values, [name]);
  if (Array.isArray(list)) {
    return list.map((element) => {
      // Overwriting the copy is several times as fast as a computed name in the literal.
      const scope: Record<string, unknown> = { ...values };
      scope[name] = element;
      return scope;
    });
  }
  throw new ItemError(
    `${place}: '${name}' must be a list, with one element for each write or read, got: ${show(list)}`,
  );
}
