/** Escapes the characters that IAM would read as a wildcard or a variable. */
export function literally(text: string): string {
  return text.replace(/[*?$]/g, (character) => `\${${character}}`);
}
