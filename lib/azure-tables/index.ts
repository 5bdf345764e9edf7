export { CursorError } from '../items/cursor';
export type { Item } from '../items/item';
export { ItemError } from '../items/item';
export { type LogOptions, logged } from '../items/logged';
export type { Observation } from '../items/observe';
export type { OnUnknown, Page, UnknownPolicy } from '../items/result';
export type { CursorOptions } from '../items/sealed-cursor';
export type {
  AzureCall,
  AzureCalls,
  AzureOutput,
  BatchAction,
  BatchCall,
  CreateCall,
  DeleteCall,
  EtagOptions,
  GetCall,
  ListCall,
  QueryOptions,
  UpdateCall,
  UpdateMode,
  UpsertCall,
} from './calls';
export type { Calls, Client, ClientOptions, Evolving } from './client';
export { client } from './client';
export type { EdmType, Entity, Property, TypedProperty } from './edm';
export { EntityChanged, EntityExists, EntityMissing, TableMissing } from './errors';
export { etagOf } from './etag';
export type { Entities, PatternRequest, PatternResult, Reads, RequestOptions, Requests, Written } from './requests';
export { entities, reads, requests } from './requests';
export type { Send, TableClientLike } from './sender';
export { sender } from './sender';
export type { SystemClient, SystemOptions } from './system';
export { system } from './system';
