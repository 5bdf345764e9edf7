import type { CausesByRule } from '../rules';
import type { TableUnderCheck } from '../table-under-check';

/** One objection of a rule, at its place in the design. */
export type Finding = { readonly [Id in RuleId]: FindingOf<Id> }[RuleId];

export type RuleId = keyof CausesByRule;

export interface FindingOf<Id extends RuleId> extends Place {
  readonly rule: Id;
  /** Identifies the cause among those of the rule, even after the message is reworded. */
  readonly cause: CausesByRule[Id];
  readonly severity: Severity;
  /** What is wrong, and why it matters. */
  readonly message: string;
  /** The edit that fixes it. */
  readonly fix: string;
  /** The fix as data, if it needs no decision. @default - the fix needs a decision */
  readonly edits?: readonly Edit[];
  /** Whether the finding is a guess from a name; a guess is never more than a note. @default - the design proves it */
  readonly guess?: true;
}

/** A change at one place in a design. */
export interface Edit {
  /** The path of what changes, which need not exist yet: `patterns.latest.index`. */
  readonly path: string;
  /** What to write there, as TypeScript. @default - the field is removed, unless `replace` or `rename` is given */
  readonly code?: string;
  /** A string within the value, and what to write instead. */
  readonly replace?: readonly [from: string, to: string];
  /** A new name for the field itself. */
  readonly rename?: string;
}

/** An error keeps the table from being created; a warning is shown; a note is only worth knowing. */
export type Severity = 'error' | 'warning' | 'note';

/** Where a finding is: the path for people, the subject for programs. */
export interface Place {
  /** The path into the design: `entities.Post.keys.PK`. */
  readonly path: string;
  readonly subject: Subject;
}

/** What a finding is about. Programs cannot read it from the path, since names may contain full stops. */
export interface Subject {
  readonly kind: 'system' | 'table' | 'entity' | 'index' | 'pattern' | 'procedure' | 'acknowledgement';
  readonly name: string;
  /** The table it is in, if a system was checked. */
  readonly table?: string;
  /** The step of a transaction. */
  readonly step?: string;
  /** The key of a batchGet. */
  readonly key?: string;
  /** The field of the design: `where`, `projection`, `keys`. */
  readonly field?: string;
  /** The attribute or key attribute; its path if it is inside a map. */
  readonly attribute?: string;
  /** The attributes, if the finding is about several. */
  readonly attributes?: readonly string[];
  /** The part of a template: `postId` in 'POST#<postId>'. */
  readonly part?: string;
  /** The faulty value, text or character. */
  readonly value?: string | number | boolean | null;
  /** The actual count, if there are too many or too few. */
  readonly count?: number;
  /** The other entities involved, besides the one it is about. */
  readonly entities?: readonly string[];
  /** The other index involved, besides the one it is about. */
  readonly index?: string;
  /** What to write there instead, if the rule can tell. */
  readonly proposed?: string;
  /** The index to query instead, if the rule can tell; null for the table itself. */
  readonly proposedIndex?: string | null;
}

/** One kind of fault, with every cause it can have. */
export interface Rule<Id extends string = string, Cause extends string = string> {
  readonly id: Id;
  readonly severity: Severity;
  /** Why this matters, in a sentence a user can act on. */
  readonly why: string;
  /** What each cause means, in a line. */
  readonly causes: Readonly<Record<Cause, string>>;
}

/** A rule that looks at one table. It never throws. */
export interface TableRule<Id extends string = string, Cause extends string = string> extends Rule<Id, Cause> {
  check(table: TableUnderCheck): Iterable<Found<Cause>>;
}

/** What a rule reports. The id and the severity of the finding are the rule's, unless the fault has a severity of its own. */
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

/** What a rule adds to a finding that is a guess from a name. */
export const GUESS = { severity: 'note', guess: true } as const;
