import type { Described, KeyTemplates, ReleaseStep, Reserved, TransactionStep } from './pattern';

/**
 * Patterns of a system, which reach several of its tables in one request. Each step or read names its table, and is otherwise
 * written as in a pattern of that table.
 */
export type SystemPattern = SystemTransaction | SystemTransactGet | SystemBatchGet;

/** Writes to several tables that happen together or not at all. */
export interface SystemTransaction extends Described, Reserved {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: (TransactionStep | ReleaseStep) & InTable };
}

/** Items of several tables, as one consistent snapshot. */
export interface SystemTransactGet extends Described {
  readonly op: 'transactGet';
  readonly reads: { readonly [name: string]: SystemRead };
}

/** Items of several tables in one batch; leaves out a read whose `<part?>` is missing. */
export interface SystemBatchGet extends Described {
  readonly op: 'batchGet';
  /**
   * The parameter that is a list: every read runs once for each of its elements.
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

/** One item by its whole key. */
export interface SystemRead extends InTable {
  readonly where: KeyTemplates;
  /** The entities that it may find, by name. */
  readonly returns: readonly string[];
}

export interface InTable {
  /** The table, by its name in the system. */
  readonly table: string;
}
