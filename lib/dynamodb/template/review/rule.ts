import type { Severity } from '../../../check';
import type { LegibleTable } from './subject';

/** Something that a rule found, with its place in a template. */
export interface TemplateFinding {
  readonly rule: string;
  readonly severity: Severity;
  /** The stack and the resource in it. */
  readonly stack: string;
  readonly logicalId: string;
  /** The place in the resource: `Properties.KeySchema`. */
  readonly location: string;
  readonly message: string;
  readonly fix: string;
}

/** One reason for findings in a template. A rule never throws. */
export interface TemplateRule {
  readonly id: string;
  readonly severity: Severity;
  /** Why this matters, in a sentence a user can act on. */
  readonly why: string;
  check(table: LegibleTable): Iterable<FoundInTemplate>;
}

/** What a rule reports; without a resource, the finding is about the table itself. */
export type FoundInTemplate = Pick<TemplateFinding, 'location' | 'message' | 'fix'> &
  Partial<Pick<TemplateFinding, 'stack' | 'logicalId'>>;
