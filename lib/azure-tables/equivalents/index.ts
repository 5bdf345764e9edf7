// Each of these files is loaded on first use (build/lazy.mjs), so that using the keys does not load the check.
export type { KeyType, KeyValue } from './key-text';
export { decodeKey, encodeKey } from './key-text';
export type { Portability, PortabilityLine } from './portability';
export { portability } from './portability';
export type { AzureKeys, AzureTable } from './tables';
export { azureKeysOf, azureTables, itemKeysOf } from './tables';
