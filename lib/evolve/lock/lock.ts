import type { SchemaData } from '../../blueprint/attributes/data';
import type { KeySides } from '../../blueprint/keys';
import type { KeyAttribute } from '../../blueprint/outline';
import type { PatternDesign } from '../../design/pattern';
import type { EntityDesign } from '../../design/table';

/** The version of the file format; a later one may mean something else by the same names. */
export const FORM = 1;

/**
 * What is deployed of a system in one environment, as canonical data: a file that the user commits, and that only
 * `tablewright record` writes.
 */
export interface Lock {
  readonly lock: typeof FORM;
  readonly system: string;
  readonly environment: string;
  readonly cloud: 'aws' | 'azure';
  readonly tenant?: string;
  /** Tables by their names in the system. */
  readonly tables: Readonly<Record<string, LockedTable>>;
  /** The patterns that each procedure uses. */
  readonly procedures: Readonly<Record<string, readonly string[]>>;
  /** How far the plan that begins with this lock has come. @default - no plan is under way */
  readonly progress?: Progress;
  /** The hash of all other fields, which shows whether the lock was edited. */
  readonly hash: string;
}

export interface Progress {
  /** The hash of the plan. */
  readonly plan: string;
  /** The last step that is done. */
  readonly step: string;
}

export interface LockedTable {
  readonly resources: TableResources;
  /** @default - it was read from a template or a table, where only the resources are known */
  readonly design?: LockedDesign;
}

/** What the cloud knows about a table. */
export interface TableResources {
  /** The physical name, where it is known. */
  readonly physicalName?: string;
  /** The id in the template, where it is known: a different id means a different table. */
  readonly logicalId?: string;
  /** CloudFormation's type, where it is known. */
  readonly type?: string;
  readonly key: KeyResources;
  readonly indexes: Readonly<Record<string, IndexResources>>;
  readonly ttl?: string;
  /** The attribute whose TTL is switched off: a deployment must name it until TTL is on for another one. */
  readonly ttlOff?: string;
  /** The regions of its copies, where they are known. */
  readonly replicas?: readonly string[];
  /** What its stream shows, where it is known; null where it has none. */
  readonly stream?: string | null;
}

export interface KeyResources {
  readonly partition: KeyAttribute;
  readonly sort?: KeyAttribute;
}

/** One attribute for each side, or a list where a global index has several. */
export interface IndexResources extends KeySides {
  readonly projection: 'all' | 'keys' | readonly string[];
  /** Whether the index is local. @default - it is global */
  readonly local?: true;
}

/** What the code knows about a table. */
export interface LockedDesign {
  readonly separator: string;
  readonly typeAttribute?: string;
  readonly entities: Readonly<Record<string, LockedEntity>>;
  /** Patterns by name, without their purpose. */
  readonly patterns: Readonly<Record<string, PatternDesign>>;
  /** Entities of earlier locks whose items may still be there. */
  readonly former: Readonly<Record<string, LockedEntity>>;
}

export interface LockedEntity {
  /** The value of the type attribute. */
  readonly type: string;
  readonly attributes: SchemaData;
  /** Key templates by key attribute, as the design writes them; natural keys are not here. */
  readonly keys: Readonly<Record<string, string>>;
  readonly keyOnly: readonly string[];
  /** The indexes that an item is in only while attributes have given values. @default - there are none */
  readonly indexes?: EntityDesign['indexes'];
  /** Attributes of earlier locks that items may still have, with every schema they had. */
  readonly former: Readonly<Record<string, readonly SchemaData[]>>;
}
