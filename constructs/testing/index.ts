export type { Difference, ProvisionOptions } from './differences';
export { describeDifferences, differences } from './differences';
export { matchers } from './matchers';
