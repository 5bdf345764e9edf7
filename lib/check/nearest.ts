/** The name that was probably meant, if one is but a slip or two away. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const allowed = name.length < 4 ? 1 : 2;
  let best: string | undefined;
  let least = allowed + 1;
  for (const one of known) {
    const slips = isSameWord(one, name) ? 0 : slipsBetween(name, one, least + 1);
    // Of two that are as near, either may be meant.
    if (slips === least) best = undefined;
    if (slips < least) [best, least] = [one, slips];
  }
  return best;
}

/** How to name one of these instead: the one that was probably meant, or any. */
export function oneOf(name: string, known: readonly string[], otherwise = 'add it to the design'): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `write ${meant}, or ${otherwise}`;
  return known.length === 0 ? otherwise : `use one of ${known.join(', ')}, or ${otherwise}`;
}

function isSameWord(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

/** The letters to change, add, drop or swap with the next one; `most` where it takes as many or more. */
function slipsBetween(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) >= most) return most;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? most) + 1 : most;
      row.push(Math.min(changed, swapped, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    [before, last] = [last, row];
  }
  return Math.min(last[b.length] as number, most);
}
