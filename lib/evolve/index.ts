export type { PhysicalTable } from '../blueprint/physical-table';
export { readAnswers } from './diff/answers';
export type { Answers, Broken, Change, ChangeRule, ChangeSubject, Party, Verdict } from './diff/change';
export { diff, verdictOf } from './diff/diff';
export { designOf } from './lock/design';
export type {
  Lock,
  LockedDesign,
  LockedEntity,
  LockedTable,
  Progress,
} from './lock/lock';
export type { LockOptions } from './lock/make';
export { lockOf, systemOf } from './lock/make';
export { EvolutionError, readLock, readPlan } from './lock/read';
export type { Before, DefinedMigration, Up, Ups } from './migration/define';
export { defineMigration } from './migration/define';
export type { Migration, PhaseOfItems, Sides } from './migration/migration';
export { migrationFor } from './migration/of-plan';
export type { Deletion, Failed, Made, Move, Outcome, Unchanged, Unknown, Update } from './migration/outcome';
export { itemAfter } from './migration/outcome';
export { withEdits } from './plan/edits';
export { planFor } from './plan/make';
export type {
  Action,
  CodeForm,
  Edit,
  EntityName,
  ItemChange,
  Phase,
  PhaseKind,
  Plan,
  Rollback,
  SplitChange,
} from './plan/plan';
export { lockAfter, nextStep, originOf, phaseAt } from './plan/progress';
export type { Evolution, Stage, StagedTable } from './plan/stage';
export { asDeployed, describeChange, describeEdit, stageOf } from './plan/stage';
