/**
 * A text of a design as CloudFormation shows it. CloudFormation resolves `{{resolve:ssm:…}}` wherever it occurs, so that a text could
 * reveal a secret; with a space between the braces, it is only text.
 */
export function freeText(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ');
}
