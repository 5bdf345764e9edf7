/** A line that says whether a bound is kept. Exceeding it is never an error, because the machine may be busy. */
export function verdict(isKept, text) {
  return `${isKept ? 'ok  ' : 'MISS'} ${text}`;
}
