import { nearest } from '../../design/names';
import type { Edit, Fault } from './finding';

/**
 * Returns the fix for a value that an attribute can never have. Suggests the value that was probably meant, or else the
 * values that the schema allows.
 */
export function valueMeant(path: string, value: unknown, known: readonly unknown[]): Pick<Fault, 'fix' | 'edits'> {
  const shown = JSON.stringify(value);
  const meant =
    typeof value === 'string'
      ? nearest(
          value,
          known.filter((one) => typeof one === 'string'),
        )
      : undefined;
  if (meant !== undefined) {
    const edits: readonly Edit[] = [{ path, replace: [`'${value}'`, `'${meant}'`] }];
    return { fix: `write '${meant}', or allow ${shown} in the schema`, edits };
  }
  const all = known.slice(0, 6).map((one) => JSON.stringify(one));
  return {
    fix: `${all.length === 0 ? 'write a value that the schema allows' : `write ${all.join(' or ')}`}, or allow ${shown} in the schema`,
  };
}

/** Formats a list of names as code for a design. */
export function listCode(names: Iterable<string>): string {
  return `[${Array.from(names, (name) => `'${name}'`).join(', ')}]`;
}
