/**
 * Returns a line that reports whether a result is within its bound. A result outside its bound is never an error,
 * because the machine may be busy.
 */
export function verdict(isKept, text) {
  return `${isKept ? 'ok  ' : 'MISS'} ${text}`;
}
