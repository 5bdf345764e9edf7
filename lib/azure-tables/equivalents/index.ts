// Each of these files is loaded when something of it is first asked for (build/lazy.mjs): the keys without the check.
export type { KeyType, KeyValue } from './key-text';
export { decodeKey, encodeKey } from './key-text';
export type { Portability, PortabilityLine } from './portability';
export { portability } from './portability';
export type { AzureKeys, AzureTable } from './tables';
export { azureKeysOf, azureTables, itemKeysOf } from './tables';
