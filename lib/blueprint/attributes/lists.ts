import { bare, type Check, defOf, type Schema } from './schema';

/** What a schema allows in a list or a set: the elements, and how many of them. */
export interface ListForm {
  readonly element: Schema;
  readonly least: number;
  readonly most: number;
}

/**
 * What the schema of a list or a set allows; undefined for any other schema, and for a list that the user's own code
 * produces.
 */
export function listForm(schema: Schema, of: 'array' | 'set' = 'array'): ListForm | undefined {
  const { type, element: listed, valueType, checks = [] } = defOf(bare(schema));
  const element = listed ?? valueType;
  if (type !== of || element === undefined) return undefined;
  const defs = checks.map(({ _zod }) => _zod.def);
  const ends = (end: (check: Check) => number | undefined) =>
    defs.flatMap((check) => end(check) ?? check.length ?? check.size ?? []);
  return {
    element,
    least: Math.max(0, ...ends(({ minimum }) => minimum)),
    most: Math.min(Infinity, ...ends(({ maximum }) => maximum)),
  };
}
