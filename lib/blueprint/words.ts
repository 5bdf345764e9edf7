/** The words in names: the single place that decides whether two names mean the same. */

/**
 * Where a name splits into words. The Unicode versions of these expressions take a millisecond to compile, and few
 * names need them.
 */
const ASCII = { hump: /([a-z\d])([A-Z])/g, acronym: /([A-Z])([A-Z][a-z])/g, gap: /[^a-zA-Z\d]+/ };
const unicode = () => ({
  hump: /(\p{Ll}|\p{N})(\p{Lu})/gu,
  acronym: /(\p{Lu})(\p{Lu}\p{Ll})/gu,
  gap: /[^\p{L}\p{N}]+/u,
});

const before = new Map<string, readonly string[]>();

/** The words of a name, however it is written: `sessionId`, `session_id`, `SESSION-ID` and `SessionID` are the same. */
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
  // A design has few names, and many rules ask for them; the limit is for programs that generate thousands of names.
  if (before.size > 100_000) before.clear();
  before.set(name, words);
  return words;
}

const wholes = new WeakMap<readonly string[], string>();

/** A name reduced to its words, for comparison: `idSession` and `sessionid` are `sessionId` too. */
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

/** Whether two names mean the same. */
export function isSameName(a: string, b: string): boolean {
  return a === b || inWords(a) === inWords(b);
}

/** Whether any of the words of a name is one of these. */
export function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}

/** Whether an attribute is the id of things with this name: `id`, or `orderId` of an Order. */
export function isIdOf(thing: string, attribute: string): boolean {
  const words = inWords(attribute);
  return words === 'id' || words === `${inWords(thing)}id`;
}
