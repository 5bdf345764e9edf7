/** Escapes a property of a workflow command, including the characters that would end it. */
export function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Escapes a text for a workflow command. */
export function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
