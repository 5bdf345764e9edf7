import { namesIn } from '../blueprint/system';
import type { SystemDesign } from '../design/system';
import { GrantError, grantOf } from './grant';
import { partitionsText } from './statements';

/** How the permissions of a pattern or procedure differ between two designs. */
export interface GrantChange {
  readonly name: string;
  /** Permissions that only the new design grants, such as `dynamodb:Query on blog/index/GSI1: POST#*`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Returns the patterns and procedures whose permissions differ between two designs. */
export function grantChanges(before: SystemDesign, after: SystemDesign): readonly GrantChange[] {
  const names = [...new Set([...namesIn(before), ...namesIn(after)])];
  return names.flatMap((name) => {
    const [old, now] = [before, after].map((system) => allowedBy(system, name)) as [
      readonly string[],
      readonly string[],
    ];
    const added = now.filter((line) => !old.includes(line));
    const removed = old.filter((line) => !now.includes(line));
    return added.length + removed.length === 0 ? [] : [{ name, added, removed }];
  });
}

/**
 * Returns the permissions of a pattern or procedure. The list is empty if the name is not in the system, or if it
 * cannot be granted separately.
 */
function allowedBy(system: SystemDesign, name: string): readonly string[] {
  if (!namesIn(system).includes(name)) return [];
  try {
    return grantOf({ of: system, names: [name] }).flatMap(({ table, statements }) =>
      statements.flatMap((statement) =>
        statement.actions.map((action) => `${action} on ${placeOf(table, statement)}: ${partitionsText(statement)}`),
      ),
    );
  } catch (error) {
    if (error instanceof GrantError) return [];
    throw error;
  }
}

function placeOf(table: string, { index }: { readonly index?: string | undefined }): string {
  return index === undefined ? table : `${table}/index/${index}`;
}
