import { isObject } from '../../../design/show';

/**
 * A template may contain any value anywhere. These functions return a value of the expected type, or an empty value.
 */

export type Loose = Readonly<Record<string, unknown>>;

export function record(value: unknown): Loose {
  return isObject(value) ? value : {};
}

/** Returns the objects in a list; a lone object is treated as a list of one. */
export function records(value: unknown): readonly Loose[] {
  return [value].flat().filter(isObject);
}

/** Returns the strings in a list; a lone string is treated as a list of one. */
export function texts(value: unknown): readonly string[] {
  return [value].flat().filter((element) => typeof element === 'string');
}
