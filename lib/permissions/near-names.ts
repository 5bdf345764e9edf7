/** Of the names that exist, those that whoever wrote another may have meant: the nearest first, three at most. */
export function nearNames(name: string, known: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase();
  return known
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase()) }))
    .filter(
      ({ candidate, distance }) => distance <= Math.max(2, Math.floor(Math.min(name.length, candidate.length) / 3)),
    )
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** What to say after 'there is no such name': the near ones, or else all. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = nearNames(name, known);
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  return known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
}

/** How many characters have to be put in, taken out or changed to come from one to the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const changed = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[to.length] as number;
}
