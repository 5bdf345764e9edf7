/**
 * Finds the first character of a string that IAM does not accept in a policy, and returns its code point, such as
 * 'U+2605'. Returns undefined if IAM accepts every character.
 */
export function strangeIn(text: string): string | undefined {
  const [strange] = /[^\u0020-\u00ff]/u.exec(text) ?? [];
  return strange && `U+${(strange.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')}`;
}
