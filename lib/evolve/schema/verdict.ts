/** Whether all values of one schema are values of another; `unknown` where code or a regular expression would have to tell. */
export interface Inclusion {
  readonly verdict: 'yes' | 'no' | 'unknown';
  /** Where it fails first, within the schema. */
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

/** All must hold: one that fails decides. */
export function all(parts: Iterable<Inclusion>): Inclusion {
  let result = YES;
  for (const part of parts) {
    if (part.verdict === 'no') return part;
    if (part.verdict === 'unknown' && result.verdict === 'yes') result = part;
  }
  return result;
}

/** One is enough. */
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

/** The same, seen from further out. */
export function inside(step: string, inclusion: Inclusion): Inclusion {
  return inclusion.verdict === 'yes' ? inclusion : { ...inclusion, at: [step, ...(inclusion.at ?? [])] };
}
