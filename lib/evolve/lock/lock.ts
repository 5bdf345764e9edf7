import type { SchemaData } from '../../blueprint/attributes/data';
import type { PhysicalTable } from '../../blueprint/physical-table';
import type { PatternDesign } from '../../design/pattern';
import type { EntityDesign } from '../../design/table';

/** The version of the file format; later versions may change the meaning of field names. */
export const FORM = 1;

/**
 * The deployed state of a system in one environment, as canonical data. `tablewright record` writes it to a file, which
 * the user commits.
 */
export interface Lock {
  readonly lock: typeof FORM;
  readonly system: string;
  readonly environment: string;
  readonly cloud: 'aws' | 'azure';
  readonly tenant?: string;
  /** The tables, keyed by their names in the system. */
  readonly tables: Readonly<Record<string, LockedTable>>;
  /** The patterns that each procedure uses. */
  readonly procedures: Readonly<Record<string, readonly string[]>>;
  /** The progress of the plan that begins with this lock. @default - no plan is under way */
  readonly progress?: Progress;
  /**
   * The number of plans that were undone. It changes the hashes of this lock and of its next plan, so that a restarted
   * plan ignores the runs of the undone plan.
   * @default 0
   */
  readonly undone?: number;
  /** The hash of all other fields, which shows whether the lock was edited. */
  readonly hash: string;
}

export interface Progress {
  /** The hash of the plan. */
  readonly plan: string;
  /** The last completed step. */
  readonly step: string;
  /**
   * The number of times that the plan went back to an earlier step. After each return, the backfill must run again.
   * @default 0
   */
  readonly returns?: number;
}

export interface LockedTable {
  /** The table's definition in the cloud. */
  readonly physical: PhysicalTable;
  /**
   * The table's definition in the code.
   * @default - none, if the lock was made from a template or a deployed table, which do not describe entities
   */
  readonly design?: LockedDesign;
}

/** The definition of a table in the code. */
export interface LockedDesign {
  readonly separator: string;
  readonly typeAttribute?: string;
  readonly entities: Readonly<Record<string, LockedEntity>>;
  /** The patterns, keyed by name, without their purpose. */
  readonly patterns: Readonly<Record<string, PatternDesign>>;
  /** Entities of earlier locks whose items may still be stored. */
  readonly former: Readonly<Record<string, LockedEntity>>;
}

export interface LockedEntity
  extends Pick<EntityDesign, 'stored' | 'indexes' | 'unique' | 'version' | 'timestamps' | 'computed'> {
  /** The value of the type attribute. */
  readonly type: string;
  readonly attributes: SchemaData;
  /** The key templates, keyed by key attribute, exactly as in the design; natural keys are left out. */
  readonly keys: Readonly<Record<string, string>>;
  readonly keyOnly: readonly string[];
  /** Attributes of earlier locks that items may still have, with all their former schemas. */
  readonly former: Readonly<Record<string, readonly SchemaData[]>>;
}
