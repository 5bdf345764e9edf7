/** A numeric property, or any other quoted text, which is skipped. */
const TOKENS = /"((?:[^"\\]|\\.)*)"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}\]])|"(?:[^"\\]|\\.)*"/g;

/**
 * Marks every number like 5.0 as a Double: that is how the service writes one, but JSON.parse makes it 5, which the SDK would
 * take for an Int32.
 */
export function withDoubles(json: string): string {
  return json.replace(TOKENS, (token, name: string | undefined, number: string | undefined) =>
    number === undefined || !/[.eE]/.test(number) ? token : `"${name}@odata.type":"Edm.Double","${name}":"${number}"`,
  );
}
