import type { PhysicalTables } from '../../blueprint/physical-table';
import type { Answers, Change } from '../diff/change';
import type { Lock } from '../lock/lock';

/**
 * The ordered phases that lead from the deployed system to a design. `tablewright plan` writes the plan, and the user
 * reviews and commits it. While the plan is carried out, no reader or writer ever fails.
 */
export interface Plan {
  readonly plan: 1;
  readonly system: string;
  readonly environment: string;
  readonly cloud: 'aws' | 'azure';
  /** The hash of the lock that the plan begins with. */
  readonly from: string;
  /** The hash of `target`. */
  readonly to: string;
  /** The lock of the target design, with the new names from `edits`. */
  readonly target: Lock;
  /** New names for tables, indexes and keys that cannot change under their old names. */
  readonly edits: readonly Edit[];
  readonly answers: Answers;
  readonly changes: readonly Change[];
  /** The changes to stored items. */
  readonly items: readonly ItemChange[];
  readonly phases: readonly Phase[];
  /** The hash of all other fields, which shows whether the plan was edited. */
  readonly hash: string;
}

/** A new name that the design must use, because DynamoDB can change neither an index nor a table's key in place. */
export interface Edit {
  readonly kind: 'table' | 'index' | 'key';
  /** The table's name in the user's design. */
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export type PhaseKind = 'expand' | 'drain' | 'backfill' | 'verify' | 'switch' | 'contract';

export interface Phase {
  /** The unique name of the phase, such as `expand-1`. */
  readonly step: string;
  readonly kind: PhaseKind;
  /** Every table as it is at the end of the phase, keyed by its name in the system. */
  readonly tables: PhysicalTables;
  /**
   * The changes to tables that the phase's deployment makes. The deployment creates or deletes at most one index per
   * table.
   */
  readonly wave: readonly Action[];
  /** The work that this phase does on stored items. The details are in the plan's `items`. @default - nothing */
  readonly items?: 'fill' | 'verify' | 'clean';
  /** The item forms that the code running in this phase reads and writes. */
  readonly code: CodeForm;
  /** A sentence that describes the release that runs during the phase. */
  readonly runs: string;
  /** A sentence that states what must be true before the next phase can begin. */
  readonly until: string;
  /** Whether the phase can be undone, and how. */
  readonly rollback: Rollback;
  /** The user's reasons for the destructive changes in this phase, keyed by the path of the change. */
  readonly because?: Readonly<Record<string, string>>;
}

/**
 * The item forms that a release reads and writes. Patterns query the old indexes until the switch, and the new indexes
 * from then on.
 */
export interface CodeForm {
  readonly reads: 'old' | 'both' | 'new';
  readonly writes: 'old' | 'both' | 'new';
}

export interface Rollback {
  readonly possible: boolean;
  readonly how: string;
}

/** One change that a deployment makes to a table. */
export interface Action {
  readonly table: string;
  readonly action:
    | 'create-table'
    | 'delete-table'
    | 'create-index'
    | 'delete-index'
    | 'disable-ttl'
    | 'enable-ttl'
    | 'add-replica'
    | 'remove-replica'
    | 'disable-stream'
    | 'enable-stream';
  /** The name of the index, TTL attribute, region or stream view. */
  readonly name?: string;
}

/** How the items of one entity change. */
export interface ItemChange {
  /** The entity's name in the lock. */
  readonly from: EntityName;
  /** The entity's name in the target design. @default - the entity's items are deleted */
  readonly to?: EntityName;
  /** The old and the new value of the type attribute, if they differ. */
  readonly type?: { readonly before?: string; readonly after?: string };
  /**
   * The key templates that change, keyed by key attribute. A removed key attribute is listed under its name in the
   * lock; any other key attribute is listed under its name in the target design.
   */
  readonly keys: Readonly<Record<string, { readonly before?: string; readonly after?: string }>>;
  /**
   * Whether the primary key or the table changes, so that each item is written to its new place and deleted from the
   * old one.
   */
  readonly moves: boolean;
  /** The new names of attributes, keyed by their old names. */
  readonly renamed: Readonly<Record<string, string>>;
  /**
   * For an entity with stored names: the new stored names of attributes, keyed by their old stored names.
   * @default - the same as `renamed`
   */
  readonly stored?: Readonly<Record<string, string>>;
  /**
   * For each attribute that moves into a map, keyed by its old name: the map and the field.
   * @default - no attribute moves into a map
   */
  readonly nested?: Readonly<Record<string, readonly [map: string, field: string]>>;
  /** Whether the items are merged into an entity that already has items. @default false */
  readonly merged?: true;
  /** Attributes that old items lack, and that the new schema computes or gives a default value. */
  readonly defaults: readonly string[];
  /** The stored names of attributes that the contract step removes from items. */
  readonly removed: readonly string[];
  /** Attributes whose new values only the user knows. */
  readonly needsUp: readonly string[];
  /**
   * Attributes whose new values the running release rejects, so the migration needs a `down` for them.
   * @default - none
   */
  readonly downs?: readonly string[];
  /**
   * Attributes that the running release requires but that the target design no longer has. The migration supplies their
   * values.
   * @default - none
   */
  readonly missed?: readonly string[];
  /** The entities that this entity is split into. @default - the entity is not split */
  readonly splits?: readonly SplitChange[];
  /** The new unique values, whose guards are derived from the entity's items. @default - none */
  readonly guards?: readonly string[];
}

/** An entity whose items are derived from the items of another entity and stored alongside them. */
export interface SplitChange {
  /** The name of the entity in the target design. */
  readonly entity: string;
  /** Attributes whose values only the user knows. */
  readonly needsUp: readonly string[];
}

export interface EntityName {
  readonly table: string;
  readonly entity: string;
}
