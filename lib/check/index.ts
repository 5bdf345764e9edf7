export type { Acknowledged, Review } from './acknowledgement';
export type { CheckOptions } from './check';
export { assertDesign, assertSound, check, DesignError, describe, review } from './check';
export type { Finding, FindingOf, Rule, RuleId, Severity, Subject } from './finding';
export { rules } from './rules';
export { describeLeaks, tenantLeaks } from './tenant-leak';
