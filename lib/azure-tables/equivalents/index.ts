// These files are loaded on first use (build/lazy.mjs): code that uses only the keys does not load the protocol.

export type { KeyType, KeyValue } from './key-text';
export { decodeKey, encodeKey } from './key-text';
export type { Portability, PortabilityLine } from './portability';
export { portability } from './portability';
export type { EquivalentsSend } from './protocol/equivalents';
export { equivalents } from './protocol/equivalents';
export type { EquivalentsOptions } from './protocol/store';
export type { SweepOptions, Swept } from './protocol/sweep';
export { sweep } from './protocol/sweep';
export type { AzureKeys, AzureTable } from './tables';
export { azureKeysOf, azureTableNames, azureTables, itemKeysOf, transactionsTable } from './tables';
