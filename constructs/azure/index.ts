export type { AzureEnvironment, Environment, EnvironmentName } from '../environment';
export { environments } from '../environment';
export { accountNameOf } from './account-name';
export type { GrantName } from './designed-storage';
export { DesignedStorage } from './designed-storage';
export { AzapiProvider, AzurermProvider } from './resources';
export type { DesignedStorageProps, EncryptionKey, PrivateAccess } from './storage-props';
export type { SystemStackProps } from './system-stack';
export { SystemStack } from './system-stack';
