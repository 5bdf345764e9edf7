/** Whether a text can keep the parts of a key apart: one character that no identifier, number or date holds. */
export function isSeparator(text: string): boolean {
  return /^[^\p{L}\p{N}<>?.\s-]$/u.test(text);
}
