/** Describes a value so that the reader of a message recognizes it. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return `'${value.length > 60 ? `${value.slice(0, 57)}…` : value}'`;
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value !== 'object' || value === null) return String(value);
  const names = Object.keys(value);
  if (names.length === 0) return 'an empty object';
  return `an object with ${names.slice(0, 4).join(', ')}${names.length > 4 ? ', …' : ''}`;
}

/** A count with its noun: `1 table`, `2 tables`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A noun or a name with its indefinite article: `an Order`, `a User`. */
export function withArticle(noun: string): string {
  return `${/^([ai]|e(?!u)|o(?!ne)|u(?!s|ni|ti|u|rl|li))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** Cuts a list to a readable length: `a, b and 3 more`. The finding's data still contains all names. */
export function shortList(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
