/**
 * Makes a string from a design safe for CloudFormation. CloudFormation resolves `{{resolve:ssm:…}}` in every string, so a string could reveal a
 * secret. A space between the braces prevents this resolution.
 */
export function freeText(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ');
}
