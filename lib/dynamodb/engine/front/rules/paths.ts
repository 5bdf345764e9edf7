import { invalid, misfit } from '../refusal';
import type { Path, Update } from '../syntax';
import type { Field } from '../tokens';
import { step } from './operands';

export function targetsOf({ set, remove, add, delete: deleted }: Update): readonly Path[] {
  return [...set.map(([path]) => path), ...remove, ...add.map(([path]) => path), ...deleted.map(([path]) => path)];
}

/** Refuses paths that overlap, and paths that treat the same parent as both a list and a map. */
export function checkPaths(field: Field, paths: readonly Path[]): void {
  for (const [i, one] of paths.entries()) {
    for (const two of paths.slice(i + 1)) {
      const same = one.findIndex((part, at) => part !== two[at]);
      const at = same === -1 ? one.length : same;
      const pair = `must remove or rewrite one of these paths; path one: ${shown(one)}, path two: ${shown(two)}`;
      if (at === one.length || at === two.length)
        throw invalid(`Invalid ${field}: Two document paths overlap with each other; ${pair}`);
      if (typeof one[at] !== typeof two[at])
        throw invalid(`Invalid ${field}: Two document paths conflict with each other; ${pair}`);
    }
  }
}

/** Refuses an update that changes an attribute of the table's key. */
export function checkKeyTargets(targets: readonly Path[], key: readonly string[]): void {
  const target = targets.find(([name]) => key.includes(name as string));
  if (target !== undefined)
    throw misfit(
      `One or more parameter values were invalid: Cannot update attribute ${target[0]}. This attribute is part of the key`,
    );
}

function shown(path: Path): string {
  return `[${path.map(step).join(', ')}]`;
}
