import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';

/** A small design that breaks exactly one rule, and the corrected design. */
export interface Example {
  readonly broken: Design;
  readonly mended: Design;
}

export type Design = TableDesign | SystemDesign;

/** The primary key of most examples. */
export const KEY = { partition: 'PK', sort: 'SK' } as const;
