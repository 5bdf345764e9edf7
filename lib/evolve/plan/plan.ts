import type { PhysicalTables } from '../../blueprint/physical-table';
import type { Answers, Change } from '../diff/change';
import type { Lock } from '../lock/lock';

/**
 * The ordered phases that lead from the deployed system to a design; `tablewright plan` writes the plan, and the user
 * reviews and commits it.
 * No reader or writer fails at any moment while the plan is carried out.
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
  /** The lock of the design with its edits. */
  readonly target: Lock;
  /** New names that the design must use for things that cannot change under their old names. */
  readonly edits: readonly Edit[];
  readonly answers: Answers;
  readonly changes: readonly Change[];
  /** The changes to stored items. */
  readonly items: readonly ItemChange[];
  readonly phases: readonly Phase[];
  /** The hash of all other fields, which shows whether the plan was edited. */
  readonly hash: string;
}

/** A new name that the design must use: DynamoDB changes neither an index nor a table's key in place. */
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
  /** Every table at the end of the phase, by its name in the system. */
  readonly tables: PhysicalTables;
  /** The actions of the deployment: at most one creation or deletion of an index per table. */
  readonly wave: readonly Action[];
  /** The effect of this phase on stored items; the plan's `items` contains the details. @default - nothing */
  readonly items?: 'fill' | 'verify' | 'clean';
  /** The form of the items that the running code reads and writes. */
  readonly code: CodeForm;
  /** What the code must do, in a sentence. */
  readonly runs: string;
  /** What must be true before the next phase, in a sentence. */
  readonly until: string;
  /** Whether the phase can be undone, and how. */
  readonly rollback: Rollback;
  /** The user's reasons for the destructive changes of the phase, by the path of the change. */
  readonly because?: Readonly<Record<string, string>>;
}

/**
 * The forms of items that a release reads, and the releases that can read its writes: the old release, the new
 * release, or both releases. Until the switch, patterns query the old indexes; from the switch on, patterns query the
 * new indexes.
 */
export interface CodeForm {
  readonly reads: 'old' | 'both' | 'new';
  readonly writes: 'old' | 'both' | 'new';
}

export interface Rollback {
  readonly possible: boolean;
  readonly how: string;
}

/** One action of a deployment on a table. */
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
  /** The index, the attribute, the region, or the view. */
  readonly name?: string;
}

/** The changes to the items of one entity. */
export interface ItemChange {
  /** The entity's name in the lock. */
  readonly from: EntityName;
  /** The entity's name in the target design. @default - the entity's items are deleted */
  readonly to?: EntityName;
  /** The values of the type attribute, if they differ. */
  readonly type?: { readonly before?: string; readonly after?: string };
  /**
   * The key templates that differ, by key attribute of the target design, or of the lock for a removed key attribute.
   */
  readonly keys: Readonly<Record<string, { readonly before?: string; readonly after?: string }>>;
  /** Whether the primary key or the table changes, so that the item is rewritten and the old item deleted. */
  readonly moves: boolean;
  /** New names of attributes, by their old names. */
  readonly renamed: Readonly<Record<string, string>>;
  /**
   * New names of attributes in the table, by their old names in the table, for an entity with stored names.
   * @default - the same as `renamed`
   */
  readonly stored?: Readonly<Record<string, string>>;
  /** The paths in maps that attributes move to, by their old names. @default - no attribute moves into a map */
  readonly nested?: Readonly<Record<string, readonly [map: string, field: string]>>;
  /** Whether the items are merged into an entity that already has items. @default false */
  readonly merged?: true;
  /** Attributes that old items lack and the new schema has a default for. */
  readonly defaults: readonly string[];
  /** Attributes that the contract step removes from items, by the names in the table. */
  readonly removed: readonly string[];
  /** Attributes whose new value only the user knows. */
  readonly needsUp: readonly string[];
  /** Attributes whose new values the running release rejects, so that the migration needs a `down`. @default - none */
  readonly downs?: readonly string[];
  /**
   * Attributes that the running release requires and the target lacks; the migration supplies their values. @default -
   * none
   */
  readonly missed?: readonly string[];
  /** The entities that this entity is split into. @default - the entity is not split */
  readonly splits?: readonly SplitChange[];
  /** The uniques whose guards are derived from the entity's items. @default - none */
  readonly guards?: readonly string[];
}

/** An entity whose items are derived from the items of another entity and stored alongside them. */
export interface SplitChange {
  /** The name of the entity in the target design. */
  readonly entity: string;
  /** Attributes whose value only the user knows. */
  readonly needsUp: readonly string[];
}

export interface EntityName {
  readonly table: string;
  readonly entity: string;
}
