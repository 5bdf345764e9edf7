/** A line, and where it occurs: in both sources, only in the first, or only in the second. */
export interface Line {
  readonly in: 'both' | 'before' | 'after';
  readonly text: string;
}

/** Compares two sources line by line. Keeps as many common lines as possible. */
export function changes(before: readonly string[], after: readonly string[]): readonly Line[] {
  const kept = keptFrom(before, after);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push({ in: 'both', text: before[i] as string });
      i++;
      j++;
    } else if (j === after.length || (i < before.length && at(kept, i + 1, j) >= at(kept, i, j + 1))) {
      lines.push({ in: 'before', text: before[i++] as string });
    } else lines.push({ in: 'after', text: after[j++] as string });
  }
  return lines;
}

/** For each pair of positions, returns the largest number of lines that the rest of both sources can have in common. */
function keptFrom(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const kept: number[][] = Array.from({ length: before.length + 1 }, () => Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = kept[i] as number[];
      row[j] = before[i] === after[j] ? at(kept, i + 1, j + 1) + 1 : Math.max(at(kept, i + 1, j), at(kept, i, j + 1));
    }
  }
  return kept;
}

function at(kept: readonly (readonly number[])[], i: number, j: number): number {
  return kept[i]?.[j] ?? 0;
}
