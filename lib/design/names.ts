/** Returns up to three existing names that the user may have meant, nearest first. */
export function nearNames(name: string, known: readonly string[]): readonly string[] {
  return near(name, known)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * Returns the name that the user probably meant, or undefined if no name is near enough or the nearest two are tied.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [first, second] = near(name, known);
  return first?.slips === second?.slips ? undefined : first?.candidate;
}

/**
 * Whether a name differs from a known name by a single typo inside the name. Variants such as `userIds`, `user2`,
 * `userB` or `aUser` are not typos.
 */
export function isTypoOf(name: string, known: string): boolean {
  const [a, b] = [name.toLowerCase(), known.toLowerCase()] as const;
  // Names that differ in the first or last letter, or only in digits, are deliberate variants.
  const isInside = a[0] === b[0] && a.at(-1) === b.at(-1) && a.replace(/\d/g, '') !== b.replace(/\d/g, '');
  return isInside && Math.min(a.length, b.length) > 4 && slipsBetween(a, b) === 1;
}

/** Returns the end of a message about an unknown name: the near names or, if there are none, all known names. */
export function suggestion(name: string, known: readonly string[]): string {
  const meant = nearNames(name, known);
  if (meant.length > 0) return `did you mean ${meant.join(' or ')}?`;
  return known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
}

/** Suggests a fix for an unknown name: the name that was probably meant or, if that is unclear, all existing names. */
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
 * Returns the number of typos to tolerate in a name of this length. Only one typo is tolerated in a short name, because
 * two typos can turn it into a different name. In a name of nine letters, at most two are tolerated, because
 * `createdAt` is three edits away from `updatedAt`.
 */
function allowed(length: number): number {
  return length < 4 ? 1 : Math.max(2, Math.floor(length / 4));
}

/**
 * Returns the edit distance between two names: how many times a letter must be changed, added, dropped, or swapped with
 * its neighbor.
 */
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
