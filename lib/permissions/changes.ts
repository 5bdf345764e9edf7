import { namesIn } from '../blueprint/system';
import type { SystemDesign } from '../design/system';
import { GrantError, grantOf } from './grant';
import { partitionsText } from './statements';

/** What the grant of a pattern or procedure allows in only one of two designs. */
export interface GrantChange {
  readonly name: string;
  /** Such as `dynamodb:Query on blog/index/GSI1: POST#*`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How the grants of a system change, by pattern and procedure; unchanged ones are left out. */
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

/** What a name allows; nothing if the system does not have it, or it cannot be granted on its own. */
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
