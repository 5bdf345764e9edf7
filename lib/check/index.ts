export type { Acknowledged, Review } from './acknowledgement';
export type { CheckOptions } from './check';
export { assertSound, check, DesignError, describe, review } from './check';
export type { Finding, Severity } from './finding';
export { describeLeaks, tenantLeaks } from './tenant-leak';
