/** A property that is a number, or any other text in quotes, which is passed over. */
const TOKENS = /"((?:[^"\\]|\\.)*)"\s*:\s*(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?=\s*[,}\]])|"(?:[^"\\]|\\.)*"/g;

/**
 * Tells 5.0 from 5: the service writes a Double so, but JSON has one kind of number, and the SDK would take it for an
 * Int32. The type is written out instead.
 */
export function withDoubles(json: string): string {
  return json.replace(TOKENS, (token, name: string | undefined, number: string | undefined) =>
    number === undefined || !/[.eE]/.test(number) ? token : `"${name}@odata.type":"Edm.Double","${name}":"${number}"`,
  );
}
