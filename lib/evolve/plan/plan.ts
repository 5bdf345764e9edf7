import type { Answers, Change } from '../diff/change';
import type { TableResources } from '../lock/lock';

/**
 * The way from what is deployed to a design: phases in order, written by `tablewright plan`, reviewed and committed. All of
 * it can be carried out without a moment in which a reader or a writer fails.
 */
export interface Plan {
  readonly plan: 1;
  readonly system: string;
  readonly environment: string;
  readonly cloud: 'aws' | 'azure';
  /** The hash of the lock that it begins with. */
  readonly from: string;
  /** The hash of the lock of the design alone that it leads to, with its edits. */
  readonly to: string;
  /** New names that the design must take, where a thing cannot change under its own. */
  readonly edits: readonly Edit[];
  readonly answers: Answers;
  readonly changes: readonly Change[];
  /** What happens to the items that are stored. */
  readonly items: readonly ItemChange[];
  readonly phases: readonly Phase[];
  /** Of all the rest, so that an edited plan is told. */
  readonly hash: string;
}

/** A name in the design that has to be another: DynamoDB changes no index and no table key in place. */
export interface Edit {
  readonly kind: 'table' | 'index' | 'key';
  /** The table's name as the user's design has it. */
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export type PhaseKind = 'expand' | 'drain' | 'backfill' | 'verify' | 'switch' | 'contract';

export interface Phase {
  /** Its name, unique in the plan: `expand-1`. */
  readonly step: string;
  readonly kind: PhaseKind;
  /** Every table as it is when the phase is over, by its name in the system. */
  readonly resources: Readonly<Record<string, TableResources>>;
  /** What is deployed: at most one creation or deletion of an index in each table. */
  readonly wave: readonly Action[];
  /** What has to be done to stored items in this phase: `items` of the plan says what. @default - nothing */
  readonly items?: 'fill' | 'verify' | 'clean';
  /** Which form of the items the code that runs reads and writes. */
  readonly code: CodeForm;
  /** What the code must do, in a sentence. */
  readonly runs: string;
  /** What must be so before the next phase, in a sentence. */
  readonly until: string;
  /** What may be taken back, and how. */
  readonly rollback: Rollback;
  /** The reasons for what it destroys, by the path of the change; only where it destroys something. */
  readonly because?: Readonly<Record<string, string>>;
}

/**
 * Items are read in the old form alone, in both, or in the new form alone; and written so that old readers, both, or only new
 * readers understand them. Until the switch, patterns query the old indexes; from then on the new ones.
 */
export interface CodeForm {
  readonly reads: 'old' | 'both' | 'new';
  readonly writes: 'old' | 'both' | 'new';
}

export interface Rollback {
  readonly possible: boolean;
  readonly how: string;
}

/** One thing that a deployment does to a table. */
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

/** What happens to the items of one entity. */
export interface ItemChange {
  /** The entity as the lock has it. */
  readonly from: EntityName;
  /** The entity as the target design has it. @default - its items go */
  readonly to?: EntityName;
  /** The values of the type attribute, where they differ. */
  readonly type?: { readonly before?: string; readonly after?: string };
  /** The key templates that differ, by key attribute of the target design or, where it is gone, of the lock. */
  readonly keys: Readonly<Record<string, { readonly before?: string; readonly after?: string }>>;
  /** Whether the primary key, or the table, becomes another: then the item is written again, and the old one is deleted. */
  readonly moves: boolean;
  /** New names of attributes by old ones. */
  readonly renamed: Readonly<Record<string, string>>;
  /** Attributes that old items lack and the new schema has a default for. */
  readonly defaults: readonly string[];
  /** Attributes that go from the items in the contract. */
  readonly removed: readonly string[];
  /** Attributes whose new value only the user can tell. */
  readonly needsUp: readonly string[];
  /** Entities whose items are made of it. @default - it is not split */
  readonly splits?: readonly SplitChange[];
}

/** An entity that takes something of another, and is there beside it. */
export interface SplitChange {
  /** Its name in the target design. */
  readonly entity: string;
  /** Attributes whose value only the user can tell. */
  readonly needsUp: readonly string[];
}

export interface EntityName {
  readonly table: string;
  readonly entity: string;
}
