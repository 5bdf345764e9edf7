import { bare, type Check, defOf, type Schema } from './schema';

/** A list by its schema: its elements, and how many of them it may have. */
export interface ListForm {
  readonly element: Schema;
  readonly least: number;
  readonly most: number;
}

/** The bounds of a list; undefined for anything else, and for a list that the user's own code makes. */
export function listForm(schema: Schema): ListForm | undefined {
  const { type, element, checks = [] } = defOf(bare(schema));
  if (type !== 'array' || element === undefined) return undefined;
  const defs = checks.map(({ _zod }) => _zod.def);
  const ends = (end: (check: Check) => number | undefined) => defs.flatMap((check) => end(check) ?? check.length ?? []);
  return {
    element,
    least: Math.max(0, ...ends(({ minimum }) => minimum)),
    most: Math.min(Infinity, ...ends(({ maximum }) => maximum)),
  };
}
