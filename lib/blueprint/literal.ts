/** Text that holds what IAM would take for a wildcard or a variable. */
export function literally(text: string): string {
  return text.replace(/[*?$]/g, (character) => `\${${character}}`);
}
