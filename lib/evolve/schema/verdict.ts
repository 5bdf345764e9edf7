/**
 * Whether a schema accepts all values of another schema. `unknown` means that the answer depends on code or on a
 * regular expression.
 */
export interface Inclusion {
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** The first place where the values do not fit, as a path in the schema. */
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

export const BY_CODE = unknown('code decides whether it is accepted, and code cannot be compared');

/** Combines inclusions that must all hold. */
export function all(parts: Iterable<Inclusion>): Inclusion {
  let result = YES;
  for (const part of parts) {
    if (part.verdict === 'no') return part;
    if (part.verdict === 'unknown' && result.verdict === 'yes') result = part;
  }
  return result;
}

/** Combines inclusions of which at least one must hold. */
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

/** Prepends a step to the path of an inclusion. */
export function inside(step: string, inclusion: Inclusion): Inclusion {
  return inclusion.verdict === 'yes' ? inclusion : { ...inclusion, at: [step, ...(inclusion.at ?? [])] };
}
