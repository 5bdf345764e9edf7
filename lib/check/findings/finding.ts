import type { CausesByRule } from '../rules';
import type { TableUnderCheck } from '../table-under-check';

/** A problem that a rule found, and its place in the design. */
export type Finding = { readonly [Id in RuleId]: FindingOf<Id> }[RuleId];

export type RuleId = keyof CausesByRule;

export interface FindingOf<Id extends RuleId> extends Place {
  readonly rule: Id;
  /** Identifies one of the rule's causes. Compare the cause rather than the message, which may be reworded. */
  readonly cause: CausesByRule[Id];
  readonly severity: Severity;
  /** What is wrong with the design, and why it matters. */
  readonly message: string;
  /** What to change in the design to resolve the finding. */
  readonly fix: string;
  /** The fix as data, if it needs no decision. @default - the fix needs a decision */
  readonly edits?: readonly Edit[];
  /** Whether the finding is a guess based on a name. A guess is always a note. @default - the design proves the finding */
  readonly guess?: true;
}

/** A change at one place in a design. */
export interface Edit {
  /** The path of the field to change, such as `patterns.latest.index`. The field need not exist yet. */
  readonly path: string;
  /** The new value of the field, as TypeScript. @default - the field is removed, unless `replace` or `rename` is given */
  readonly code?: string;
  /** A string within the value, and its replacement. */
  readonly replace?: readonly [from: string, to: string];
  /** A new name for the field itself. */
  readonly rename?: string;
}

/** An error prevents the creation of the table. A warning is only displayed. A note is informational and hidden by default. */
export type Severity = 'error' | 'warning' | 'note';

/** The place of a finding: a human-readable path, and a machine-readable subject. */
export interface Place {
  /** The path into the design, such as `entities.Post.keys.PK`. */
  readonly path: string;
  readonly subject: Subject;
}

/**
 * The part of the design that a finding is about. Programs use this instead of the path, which cannot be parsed,
 * because names may contain dots.
 */
export interface Subject {
  readonly kind: 'system' | 'table' | 'entity' | 'index' | 'pattern' | 'procedure' | 'acknowledgement';
  readonly name: string;
  /** The table that contains the subject, if the check ran on a system. */
  readonly table?: string;
  /** The step of a transaction. */
  readonly step?: string;
  /** The key of a batchGet. */
  readonly key?: string;
  /** The field of the design, such as `where`, `projection` or `keys`. */
  readonly field?: string;
  /** The attribute or key attribute. An attribute inside a map is written as a path. */
  readonly attribute?: string;
  /** The attributes, if the finding is about several attributes. */
  readonly attributes?: readonly string[];
  /** The part of a template: `postId` in 'POST#<postId>'. */
  readonly part?: string;
  /** The faulty value, string or character. */
  readonly value?: string | number | boolean | null;
  /** The actual count, if the finding is about a count that is too large or too small. */
  readonly count?: number;
  /** The other entities involved, besides the subject. */
  readonly entities?: readonly string[];
  /** The other index involved, besides the subject. */
  readonly index?: string;
  /** The replacement for the faulty text, if the rule knows one. */
  readonly proposed?: string;
  /** The index to query instead, if the rule knows one; null for the table itself. */
  readonly proposedIndex?: string | null;
}

/** One kind of fault, with all of its possible causes. */
export interface Rule<Id extends string = string, Cause extends string = string> {
  readonly id: Id;
  readonly severity: Severity;
  /** Why the fault matters, in a sentence that a user can act on. */
  readonly why: string;
  /** A one-line description of each cause. */
  readonly causes: Readonly<Record<Cause, string>>;
}

/** A rule that checks one table. */
export interface TableRule<Id extends string = string, Cause extends string = string> extends Rule<Id, Cause> {
  check(table: TableUnderCheck): Iterable<Found<Cause>>;
}

/** A fault and its place. The check adds the rule's id, and the rule's severity unless the fault has its own. */
export interface Found<Cause extends string = string> extends Place, Fault<Cause> {}

/** A finding without its place. */
export interface Fault<Cause extends string = string> {
  readonly cause: Cause;
  readonly message: string;
  readonly fix: string;
  readonly edits?: readonly Edit[];
  readonly guess?: true;
  readonly severity?: Severity;
}

/** The fields that mark a finding as a guess based on a name. */
export const GUESS = { severity: 'note', guess: true } as const;
