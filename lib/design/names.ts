/** The existing names that a misspelt name may mean: the nearest first, at most three. */
export function nearNames(name: string, known: readonly string[]): readonly string[] {
  return near(name, known)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** The name that was probably meant; undefined if two names are equally near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [first, second] = near(name, known);
  return first?.slips === second?.slips ? undefined : first?.candidate;
}

/** Whether a name is another one with a single typo inside, unlike a variant such as `userIds`, `user2`, `userB` or `aUser`. */
export function isTypoOf(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()] as const;
  // The first letter, the last letter and digits tell names of a kind apart.
  const isInside = a[0] === b[0] && a.at(-1) === b.at(-1) && a.replace(/\d/g, '') !== b.replace(/\d/g, '');
  return isInside && Math.min(a.length, b.length) > 4 && slipsBetween(a, b) === 1;
}

/** The end of a message about an unknown name: the near names, or else all names. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearNames(name, known);
  if (meant.length > 0) return `did you mean ${meant.join(' or ')}?`;
  return known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
}

/** A fix for a wrong name: write the name that was probably meant, or use one of the existing names. */
export function oneOf(name: string, known: readonly string[], otherwise = 'add it to the design'): string {
  const meant = nearest(name, known);
  if (meant !== undefined) return `write ${meant}, or ${otherwise}`;
  return known.length === 0 ? otherwise : `use one of ${known.join(', ')}, or ${otherwise}`;
}

function near(name: string, known: readonly string[]) {
  return [...new Set(known)]
    .map((candidate) => ({ candidate, slips: slipsBetween(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, slips }) => slips <= allowed(Math.min(name.length, candidate.length)))
    .sort((a, b) => a.slips - b.slips);
}

/**
 * How many typos to tolerate: two would turn a short name into a different one, and `createdAt` is three edits from
 * `updatedAt`.
 */
function allowed(length: number): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 4));
}

/** The edit distance: how many letters to change, add, drop or swap with the next letter. */
function slipsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] as number) + 1 : Infinity;
      row.push(Math.min(changed, swapped, (last[j] as number) + 1, (row[j - 1] as number) + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length] as number;
}
