import { bare, type Check, defOf, type Schema } from './schema';

/** The schema of the elements in a list or a set, and the minimum and maximum number of elements. */
export interface ListForm {
  readonly element: Schema;
  readonly least: number;
  readonly most: number;
}

/** Returns the form of a list or a set; undefined for any other schema, including a transform that returns a list. */
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
