import type { TemplateFinding, TemplateRule } from './rule';
import { capacity } from './rules/capacity';
import { grants } from './rules/grants';
import { indexes } from './rules/indexes';
import { keys } from './rules/keys';
import { protection } from './rules/protection';
import { type ReviewedStack, type ReviewOptions, tablesUnderReview } from './subject';

/** All rules, in the order in which findings are shown. */
export const templateRules: readonly TemplateRule[] = [...protection, ...keys, ...indexes, ...capacity, ...grants];

/**
 * Finds every wrong or questionable setting of an app's tables, whichever construct created the tables. Never throws.
 */
export function reviewTables(app: readonly ReviewedStack[], options: ReviewOptions = {}): readonly TemplateFinding[] {
  const found = tablesUnderReview(app, options).flatMap(({ table, ...rest }) => {
    const place = { stack: rest.stack.path, logicalId: rest.logicalId };
    if (table === undefined) return [{ ...ILLEGIBLE, ...place }];
    return templateRules.flatMap(({ id, severity, check }) =>
      Array.from(check({ table, ...rest }), (found): TemplateFinding => ({ rule: id, severity, ...place, ...found })),
    );
  });
  // Reports a finding about a policy only once, even if the policy covers several tables.
  return [...new Map(found.map((finding) => [JSON.stringify(finding), finding])).values()];
}

const ILLEGIBLE = {
  rule: 'illegible',
  severity: 'warning',
  location: 'Properties',
  message: 'the review skips this table, because its keys, indexes or regions are known only at deployment',
  fix: 'write the keys, indexes and regions without conditions or parameters',
} as const;
