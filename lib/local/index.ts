export type { Local, LocalOptions } from './local';
export { startLocal } from './local';
export type { StreamHandler } from './streams';
export type { Outcome } from './tables';
