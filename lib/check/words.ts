/** The words of a name, however it is written: `sessionId`, `session_id`, `SESSION-ID` and `SessionID` are the same. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** A name as its words alone, to be compared with another. */
export function inWords(name: string): string {
  return wordsOf(name).join(' ');
}

/** Whether any of the words of a name is one of these. */
export function hasWord(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).some((word) => words.has(word));
}
