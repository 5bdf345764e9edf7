/** As many names as anybody reads: `a, b and 3 more`. The finding has all of them as data. */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}
