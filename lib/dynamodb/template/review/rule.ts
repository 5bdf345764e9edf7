import type { Severity } from '../../../check';
import type { LegibleTable } from './subject';

/** A finding of a rule, with its place in a template. */
export interface TemplateFinding {
  readonly rule: string;
  readonly severity: Severity;
  /** The path of the stack that contains the resource. */
  readonly stack: string;
  readonly logicalId: string;
  /** The place within the resource: `Properties.KeySchema`. */
  readonly location: string;
  readonly message: string;
  readonly fix: string;
}

/** A rule that reports one kind of problem in a template. A rule never throws. */
export interface TemplateRule {
  readonly id: string;
  readonly severity: Severity;
  /** Why the problem matters, in a sentence that a user can act on. */
  readonly why: string;
  check(table: LegibleTable): Iterable<FoundInTemplate>;
}

/** What a rule's `check` yields; a finding without `stack` and `logicalId` concerns the table itself. */
export type FoundInTemplate = Pick<TemplateFinding, 'location' | 'message' | 'fix'> &
  Partial<Pick<TemplateFinding, 'stack' | 'logicalId'>>;
