import type { Described, KeyTemplates, ReleaseStep, Reserved, TransactionStep } from './pattern';

/**
 * A pattern that reaches several tables of a system in one request. Each step or read has the same fields as in a
 * pattern of one table, plus `table`.
 */
export type SystemPattern = SystemTransaction | SystemTransactGet | SystemBatchGet;

/** Writes to several tables: all writes succeed, or all fail. */
export interface SystemTransaction extends Described, Reserved {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: (TransactionStep | ReleaseStep) & InTable };
}

/** Reads items from several tables as one consistent snapshot. */
export interface SystemTransactGet extends Described {
  readonly op: 'transactGet';
  readonly reads: { readonly [name: string]: SystemRead };
}

/**
 * Reads items from several tables in one batch. Skips a read if the caller omits the value of a `<part?>` in the read's
 * key.
 */
export interface SystemBatchGet extends Described {
  readonly op: 'batchGet';
  /**
   * The name of the list parameter. Every read runs once for each element of the list.
   * @default - each read runs once
   */
  readonly each?: string;
  readonly reads: { readonly [name: string]: SystemRead };
  /**
   * Whether the reads are strongly consistent, so that they see every earlier write.
   * @default false
   */
  readonly consistent?: boolean;
}

/** Reads one item, identified by its whole key. */
export interface SystemRead extends InTable {
  readonly where: KeyTemplates;
  /** The names of the entities that the read may return. */
  readonly returns: readonly string[];
}

export interface InTable {
  /** The table's name in the system. */
  readonly table: string;
}
