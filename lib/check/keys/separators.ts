/** Whether a string can separate the parts of a key: one character that no identifier, number or date contains. */
export function isSeparator(text: string): boolean {
  return /^[^\p{L}\p{N}<>?.\s-]$/u.test(text);
}

/** Proposes an alternative to a separator. */
export function otherSeparator(separator: string): string {
  return separator === '#' ? '|' : '#';
}
