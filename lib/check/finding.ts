import type { TableUnderCheck } from './subject';

/** Something a rule found, at its place in the user's own design. */
export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** The path into the design: `entities.Post.keys.PK`. */
  readonly path: string;
  /** What is there, and why it matters. */
  readonly message: string;
  /** The edit that mends it. */
  readonly fix: string;
}

/** An error keeps a table from being made; a warning is shown. */
export type Severity = 'error' | 'warning';

/** One reason for findings. A rule never throws. */
export interface Rule {
  readonly id: string;
  readonly severity: Severity;
  /** Why this matters, in a sentence a user can act on. */
  readonly why: string;
  check(table: TableUnderCheck): Iterable<Found>;
}

/** What a rule reports; the rest of a finding is the rule's own, unless this one weighs more or less than the others. */
export type Found = Pick<Finding, 'path' | 'message' | 'fix'> & { readonly severity?: Severity };
