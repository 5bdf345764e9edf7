/**
 * Whether all values of one schema are values of another schema; `unknown` if the answer depends on code or a regular
 * expression.
 */
export interface Inclusion {
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** The first place in the schema where the inclusion fails. */
  readonly at?: readonly string[];
  readonly why?: string;
}

export const YES: Inclusion = { verdict: 'yes' };

export function no(why: string): Inclusion {
  return { verdict: 'no', why };
}

export function unknown(why: string): Inclusion {
  return { verdict: 'unknown', why };
}

export const BY_CODE = unknown('it is decided by code, which cannot be compared');

/** The verdict if every part must hold. */
export function all(parts: Iterable<Inclusion>): Inclusion {
  let result = YES;
  for (const part of parts) {
    if (part.verdict === 'no') return part;
    if (part.verdict === 'unknown' && result.verdict === 'yes') result = part;
  }
  return result;
}

/** The verdict if it is enough that one part holds. */
export function any(parts: Iterable<Inclusion>, none: string): Inclusion {
  let result: Inclusion | undefined;
  let count = 0;
  for (const part of parts) {
    if (part.verdict === 'yes') return YES;
    count++;
    if (result === undefined || part.verdict === 'unknown') result = part;
  }
  if (result === undefined || (count > 1 && result.verdict === 'no')) return no(none);
  return result;
}

/** Prefixes the place of an inclusion with the enclosing level. */
export function inside(step: string, inclusion: Inclusion): Inclusion {
  return inclusion.verdict === 'yes' ? inclusion : { ...inclusion, at: [step, ...(inclusion.at ?? [])] };
}
