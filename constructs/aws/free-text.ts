/**
 * Makes a string of a design safe for CloudFormation, which resolves `{{resolve:ssm:…}}` wherever it occurs, so that a string could
 * reveal a secret. A space between the braces prevents that.
 */
export function freeText(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ');
}
