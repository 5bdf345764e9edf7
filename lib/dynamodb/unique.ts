import { type Access, isGuarded } from '../blueprint/accesses';
import { entityNamed, outline, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import type { PatternDesign } from '../design/pattern';
import { type Find, findOf } from './find';
import { withoutForeign } from './foreign';
import { guardWriter, holdsValue, releaseBuilder, releasing } from './guards';
import type { CommandName } from './requests';

/** The code for `unique`, needed only by designs that declare a unique value. */
export interface Unique {
  readonly outline: typeof outline;
  readonly guardWriter: typeof guardWriter;
  readonly releaseBuilder: typeof releaseBuilder;
  readonly findOf: typeof findOf;
  readonly nextOf: typeof nextOf;
  readonly holdsValue: typeof holdsValue;
  readonly releasing: typeof releasing;
  readonly isGuarded: typeof isGuarded;
  readonly ownOf: typeof ownOf;
  readonly commandOf: typeof commandOf;
  readonly withoutForeign: typeof withoutForeign;
}

/** The option `{ unique }` of `requests`, `client` and `system`, for designs that declare `unique`. */
export const unique: Unique = {
  outline,
  guardWriter,
  releaseBuilder,
  findOf,
  nextOf,
  holdsValue,
  releasing,
  isGuarded,
  ownOf,
  commandOf,
  withoutForeign,
};

/** Builds the second request of a `find` from the response to the first request; undefined for other operations. */
function nextOf(table: TableOutline, tableName: string, design: PatternDesign): Pick<Find, 'next'> | undefined {
  if (design.op !== 'find') return undefined;
  return { next: (found, request) => findOf(table, tableName, design).next(found, request) };
}

/** The command of a pattern that reads or writes guards; undefined if the pattern touches no guards. */
function commandOf(table: TableOutline, pattern: PatternBlueprint): CommandName | undefined {
  const { op, ...rest } = pattern.design;
  if (op === 'find') return 'Get';
  if (op === 'release') return 'Delete';
  // Checks for a unique value first, because `isGuarded` has to compute the accesses.
  const isUnique = 'entity' in rest && entityNamed(table, rest.entity)?.uniques !== undefined;
  return isUnique && isGuarded(pattern) ? 'TransactWrite' : undefined;
}

/** Returns the accesses that the pattern itself specifies. Leaves out accesses to guards, which the library adds. */
function ownOf(accesses: readonly Access[]): readonly Access[] {
  return accesses.filter(({ unique, released }) => unique === undefined || released !== undefined);
}
