export type {
  SystemBatchGet,
  SystemPattern,
  SystemRead,
  SystemTransactGet,
  SystemTransaction,
} from './design/across';
export type { Config } from './design/config';
export { defineConfig } from './design/config';
export type { EntityValues, Item, PatternItem, PatternValues } from './design/infer';
export type { SystemResult, SystemValues } from './design/infer-across';
export { match, render } from './design/keys';
export type {
  BatchGetPattern,
  Condition,
  DeletePattern,
  GetPattern,
  KeyCondition,
  Operand,
  PatternDesign,
  PutPattern,
  QueryPattern,
  RequireStep,
  Test,
  TransactGetPattern,
  TransactionPattern,
  TransactionStep,
  UpdatePattern,
} from './design/pattern';
export type { PatternName, ProcedureDesign, SystemDesign } from './design/system';
export { defineSystem } from './design/system';
export type { EntityDesign, IndexDesign, KeyDesign, MembershipDesign, TableDesign } from './design/table';
export { defineTable } from './design/table';
export type { KeyRules, Part, Template } from './design/template';
export { KeyError, template } from './design/template';
