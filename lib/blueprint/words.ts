/** Splits names into words. Only this file decides whether two names mean the same thing. */

/**
 * Regular expressions that match the word boundaries in a name. The Unicode versions take a millisecond to compile, and
 * few names need them.
 */
const ASCII = { hump: /([a-z\d])([A-Z])/g, acronym: /([A-Z])([A-Z][a-z])/g, gap: /[^a-zA-Z\d]+/ };
const unicode = () => ({
  hump: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  acronym: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  gap: /[^\p{L}\p{N}]+/u,
});

const before = new Map<string, readonly string[]>();

/**
 * Splits a name into words, whatever its naming convention: `sessionId`, `session_id`, `SESSION-ID` and `SessionID`
 * have the same words.
 */
export function wordsOf(name: string): readonly string[] {
  const known = before.get(name);
  if (known !== undefined) return known;
  const { hump, acronym, gap } = /^[\w$. -]*$/.test(name) ? ASCII : unicode();
  const words = name
    .replace(hump, '$1 $2')
    .replace(acronym, '$1 $2')
    .toLowerCase()
    .split(gap)
    .filter((word) => word !== '');
  // Many rules look up the same few names of a design, so their words are cached. The limit bounds the cache in
  // programs that generate names.
  if (before.size > 100_000) before.clear();
  before.set(name, words);
  return words;
}

const wholes = new WeakMap<readonly string[], string>();

/** Joins the words of a name for comparison: `idSession` and `sessionid` become the same string as `sessionId`. */
export function inWords(name: string): string {
  const words = wordsOf(name);
  let whole = wholes.get(words);
  if (whole === undefined) {
    const [first, ...rest] = words;
    whole = (first === 'id' && rest.length > 0 ? [...rest, first] : words).join('');
    wholes.set(words, whole);
  }
  return whole;
}

/** Whether two names consist of the same words. */
export function isSameName(a: string, b: string): boolean {
  return a === b || inWords(a) === inWords(b);
}

/** Whether any word of a name is in the given set. */
export function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

/** Whether an attribute is the id of a thing with the given name: `id`, or `orderId` for `Order`. */
export function isIdOf(thing: string, attribute: string): boolean {
  const words = inWords(attribute);
  return words === 'id' || words === `${inWords(thing)}id`;
}
