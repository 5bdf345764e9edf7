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
export type { AzureClient, AzureClientOptions, AzureObservation } from './client';
export { azureClient } from './client';
export type { EdmType, Entity, Property, TypedProperty } from './edm';
export { EntityChanged, EntityExists, EntityMissing } from './errors';
export { etagOf } from './etag';
export type { AzureOptions, AzurePattern, AzureRequests, AzureResult, Written } from './requests';
export { azureRequests } from './requests';
export type { AzureSend, TableClientLike } from './sender';
export { sender } from './sender';
