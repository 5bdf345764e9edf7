export type { Naming } from '../blueprint/stored';
export { stored } from '../blueprint/stored';
export { formats } from '../design/formats';
export { CursorError } from '../items/cursor';
export type { Item } from '../items/item';
export { ItemError } from '../items/item';
export { type LogOptions, logged } from '../items/logged';
export type { Observation } from '../items/observe';
export type { OnUnknown, Page, UnknownPolicy } from '../items/result';
export type { CursorOptions } from '../items/sealed-cursor';
export type {
  Change,
  ChangeHandlers,
  ChangeOptions,
  EntityChanges,
  StreamRecord,
  StreamResponse,
} from './changes';
export { changes } from './changes';
export type { Calls, Client, ClientOptions, Evolving } from './client';
export { client } from './client';
export type { FailedWrite, FailureKind } from './errors';
export { RequestError } from './errors';
export type { Features, Lists } from './features';
export { lists, scans, unions } from './features';
export type * from './inputs';
export type { Raw } from './raw';
export { raw } from './raw';
export type { RawReadOptions } from './raw-request';
export type { ReadOptions } from './read';
export type {
  BatchWritten,
  ChunksWritten,
  CommandName,
  Entities,
  PatternRequest,
  PatternResult,
  Reads,
  Requests,
} from './requests';
export { entities, reads, requests } from './requests';
export type { RetryOptions } from './retry';
export { retry } from './retry';
export type { ScanOptions } from './scan';
export type { Send } from './sending';
export { sessionPolicy } from './session-policy';
export type { ReadStep, TransactionOptions, WriteStep } from './step';
export type { SystemClient, SystemOptions, TableNames } from './system';
export { system } from './system';
export { transact, transactGet } from './transact';
export { UnfinishedBatch } from './unfinished';
export type { Unique } from './unique';
export { unique } from './unique';
export type { Written } from './written';
export { written } from './written';
