import { isObject } from '../../../design/show';

/** Anything may be anywhere in a template: these functions read what is expected, or nothing. */

export type Loose = Readonly<Record<string, unknown>>;

export function record(value: unknown): Loose {
  return isObject(value) ? value : {};
}

/** The objects in a list, or the only one, which stands for a list of one. */
export function records(value: unknown): readonly Loose[] {
  return [value].flat().filter(isObject);
}

/** The strings in a list, or the only one, which stands for a list of one. */
export function texts(value: unknown): readonly string[] {
  return [value].flat().filter((element) => typeof element === 'string');
}
