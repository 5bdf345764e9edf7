import type { Described, KeyTemplates, ReleaseStep, Reserved, TransactionStep } from './pattern';

/**
 * A pattern that reaches several tables of a system in one request. Each step or read names its table; apart from that,
 * it is written like a step or read in a pattern of that table.
 */
export type SystemPattern = SystemTransaction | SystemTransactGet | SystemBatchGet;

/** Writes to several tables; either all writes happen, or none does. */
export interface SystemTransaction extends Described, Reserved {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: (TransactionStep | ReleaseStep) & InTable };
}

/** Reads items from several tables as one consistent snapshot. */
export interface SystemTransactGet extends Described {
  readonly op: 'transactGet';
  readonly reads: { readonly [name: string]: SystemRead };
}

/** Reads items from several tables in one batch. Skips each read with a `<part?>` that the caller omits. */
export interface SystemBatchGet extends Described {
  readonly op: 'batchGet';
  /**
   * The name of the list parameter. Every read runs once for each element of the list.
   * @default - each read runs once
   */
  readonly each?: string;
  readonly reads: { readonly [name: string]: SystemRead };
  /**
   * Whether the batch sees every earlier write.
   * @default false
   */
  readonly consistent?: boolean;
}

/** Reads one item by its whole key. */
export interface SystemRead extends InTable {
  readonly where: KeyTemplates;
  /** The names of the entities that the read may find. */
  readonly returns: readonly string[];
}

export interface InTable {
  /** The table's name in the system. */
  readonly table: string;
}
