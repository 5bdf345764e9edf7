/**
 * Makes a string from a design safe for CloudFormation. CloudFormation resolves `{{resolve:ssm:…}}` in every string, so
 * text in a design could reveal a secret. A space between the braces prevents that.
 */
export function freeText(text: string): string {
  return text.replaceAll(/\{(?=\{)/g, '{ ');
}
