export { designJsonSchema } from '../design/schema/design';
export type { CheckOptions } from './check';
export { assertSound, check, review } from './check';
export type { Acknowledged, Review } from './findings/acknowledgement';
export type { Edit, Finding, FindingOf, Rule, RuleId, Severity, Subject } from './findings/finding';
export { assertDesign, DesignError, describe } from './language/well-formed';
export { rules } from './rules';
export { describeLeaks, tenantLeaks } from './tenants/leaks';
