/** Escapes the characters that IAM would interpret as a wildcard or a variable. */
export function literally(text: string): string {
  return text.replace(/[*?$]/g, (character) => `\${${character}}`);
}
