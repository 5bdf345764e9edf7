import { show, valueAt } from '../design/template';
import { ItemError } from './item';

/** What the templates take their values from, once for each element of a list that the caller gives. */
export function scopesOf(place: string, name: string, values: object): readonly object[] {
  const list = valueAt(values, [name]);
  if (Array.isArray(list)) {
    return list.map((element) => {
      // To write over a copy is several times as fast as to name it in the literal.
      const scope: Record<string, unknown> = { ...values };
      scope[name] = element;
      return scope;
    });
  }
  throw new ItemError(
    `${place}: '${name}' must be a list, with one element for each write or read, got: ${show(list)}`,
  );
}
