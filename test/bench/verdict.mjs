/** A line that says whether a bound is kept. It is said, and never an error: a machine may have other things to do. */
export function verdict(isKept, text) {
  return `${isKept ? 'ok  ' : 'MISS'} ${text}`;
}
