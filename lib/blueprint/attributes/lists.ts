import { bare, type Check, defOf, type Schema } from './schema';

/** A list as its schema has it: what is in it, and how many there may be. */
export interface ListForm {
  readonly element: Schema;
  readonly least: number;
  readonly most: number;
}

/** The form of a list of any number of the same; undefined for what is none, or is made by code of the user's own. */
export function listForm(schema: Schema): ListForm | undefined {
  const { type, element, checks = [] } = defOf(bare(schema));
  if (type !== 'array' || element === undefined) return undefined;
  const told = checks.map(({ _zod }) => _zod.def);
  const ends = (end: (check: Check) => number | undefined) => told.flatMap((check) => end(check) ?? check.length ?? []);
  return {
    element,
    least: Math.max(0, ...ends(({ minimum }) => minimum)),
    most: Math.min(Infinity, ...ends(({ maximum }) => maximum)),
  };
}
