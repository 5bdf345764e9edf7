/**
 * What there is to see of designs, as plain data that survives JSON. The page shows it and works nothing out; the pictures
 * are drawn from it.
 */
export interface SiteView {
  readonly systems: readonly SystemView[];
  /** Whether patterns can be run; a site of files has the answers of the cases instead. */
  readonly live: boolean;
  /** All systems of a site of files, this one included, each with its file. @default - they are all in `systems` */
  readonly siblings?: readonly { readonly name: string; readonly href: string }[];
  /** The engines that answer, for a person to read. @default - none does */
  readonly engine?: string;
}

export interface SystemView {
  readonly name: string;
  readonly purpose?: string;
  readonly cloud: 'aws' | 'azure';
  readonly tables: readonly TableView[];
  readonly procedures: readonly ProcedureView[];
  readonly findings: readonly FindingView[];
  readonly acknowledged: readonly FindingView[];
  /** Where its design is imported from. @default - nobody knows */
  readonly origin?: OriginView;
  /** Where its items are read, for a person to read. @default - they are those of its cases */
  readonly source?: string;
  /** What is not shown of it, and why. */
  readonly problems: readonly string[];
  /** @default - no report of a proof was given */
  readonly proof?: ProofView;
  /** @default - it has no lock */
  readonly evolution?: EvolutionView;
  /** @default - it is not a design of DynamoDB */
  readonly equivalent?: EquivalentView;
}

/** How code gets at a design. */
export interface OriginView {
  readonly module: string;
  readonly name: string;
  /** Whether it is a table alone. @default - it is a system */
  readonly isTable?: boolean;
}

/** A piece of a key or a key template; what is rendered has the name of its part. */
export interface Mark {
  readonly text: string;
  readonly part?: string;
}

export interface TableView {
  /** Its name in the system. */
  readonly name: string;
  readonly purpose?: string;
  readonly typeAttribute?: string;
  readonly ttl?: string;
  /** The table itself, and then its indexes. */
  readonly places: readonly PlaceView[];
  readonly entities: readonly EntityView[];
  readonly patterns: readonly PatternView[];
  /** How many items there are. @default - nobody counted them */
  readonly items?: number;
}

/** Where items are: the table itself, or one of its indexes. */
export interface PlaceView {
  /** @default - the table itself */
  readonly index?: string;
  /** Whether the index is a local one. @default - it is global */
  readonly local?: boolean;
  readonly purpose?: string;
  /** The attributes of its partition key. */
  readonly partition: readonly string[];
  /** Those of its sort key; none where there is none. */
  readonly sort: readonly string[];
  /** The attributes that it holds. @default - all */
  readonly projected?: readonly string[];
  /** The kinds of partitions that it has. */
  readonly collections: readonly CollectionView[];
  /** The names of the patterns that read it. */
  readonly readBy: readonly string[];
  /** How many of the items are in it, and in how many partitions. @default - nobody counted them */
  readonly items?: number;
  readonly partitions?: number;
}

/** What is kept together: the entities whose items can be in one partition. */
export interface CollectionView {
  /** The key templates of the partition: one, unless entities name its parts differently. */
  readonly partitions: readonly (readonly Mark[])[];
  readonly entities: readonly {
    readonly name: string;
    /** The key template of the sort key; empty where there is none. */
    readonly sort: readonly Mark[];
    /** What must hold for it to be there. */
    readonly while: readonly string[];
  }[];
}

export interface EntityView {
  readonly name: string;
  /** The number of its colour. */
  readonly colour: number;
  readonly type?: string;
  readonly attributes: readonly AttributeView[];
  readonly keys: readonly KeyView[];
  /** The indexes it can be in, each with what must hold for that. */
  readonly indexes: readonly { readonly name: string; readonly while: readonly string[] }[];
}

export interface AttributeView {
  readonly name: string;
  readonly kind: string;
  readonly optional: boolean;
  readonly values?: readonly (string | number)[];
  readonly format?: string;
}

export interface KeyView {
  readonly attribute: string;
  readonly template: readonly Mark[];
  /** Whether it is an attribute of the entity, taken as it is. */
  readonly natural: boolean;
}

export interface PatternView {
  readonly name: string;
  readonly purpose?: string;
  readonly op: string;
  readonly writes: boolean;
  readonly accesses: readonly AccessView[];
  readonly parameters: readonly ParameterView[];
  /** The values of its case, or such as its parameters take. */
  readonly example: Readonly<Record<string, unknown>>;
  /** What whoever may run it is granted: IAM statements, or Azure roles. */
  readonly grant: GrantView;
  /** What came of its case. @default - it was not run */
  readonly run?: RunView;
}

export interface AccessView {
  readonly action: string;
  /** The action as words before its place, and those between the place and its key: “put into … an item whose …”. */
  readonly verb: string;
  readonly whose: string;
  /** All else that it does and asks for; in each, what stands between backticks is a name or a value of the design. */
  readonly clauses: readonly string[];
  /** The step of a transaction, or the key of a batch. */
  readonly part?: string;
  readonly index?: string;
  /** What each attribute of the partition is. */
  readonly partition: readonly { readonly attribute: string; readonly is: readonly Mark[] }[];
  /** The stretch of the partition, such as “SK begins with POST#”. @default - all of it */
  readonly range?:
    | { readonly attribute: string; readonly relation: string; readonly bounds: readonly Mark[] }
    | undefined;
  readonly entities: readonly string[];
}

export interface ParameterView {
  readonly name: string;
  readonly kind: string;
  readonly optional: boolean;
  readonly values?: readonly (string | number)[];
  readonly format?: string;
  /** Whether a number is a whole one. */
  readonly integer?: boolean;
  /** Bounds of a number, or of a string's length. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is wrong with a value that was given. */
export interface FaultView {
  /** The parameter. */
  readonly name: string;
  /** What it must be, to be read after its name. */
  readonly message: string;
}

export interface GrantView {
  /** One line for each permission, for people. */
  readonly lines: readonly { readonly may: string; readonly on: string; readonly within: string }[];
  /** The policy, for a machine. @default - the cloud has none */
  readonly policy?: unknown;
  /** Why it cannot be granted. */
  readonly problem?: string;
}

export interface ProcedureView {
  readonly name: string;
  readonly purpose?: string;
  readonly uses: readonly string[];
  readonly example?: Readonly<Record<string, unknown>>;
  readonly grant: GrantView;
  readonly run?: RunView;
}

/** An item as it is stored. */
export interface ItemView {
  /** Its number among the items of its table. */
  readonly id: number;
  /** What the cases call it. */
  readonly name?: string;
  /** @default - the design does not know it */
  readonly entity?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** For each key attribute the lengths of its literal and rendered pieces, in turn. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
}

/** A stretch of one partition. */
export interface PartitionView {
  readonly key: unknown;
  readonly rows: readonly ItemView[];
  /** How many of its rows come before these, and how many it has. */
  readonly from: number;
  readonly of: number;
}

/** A page of the items of a table or an index, and the cursor of the next. */
export interface RowsView {
  readonly partitions: readonly PartitionView[];
  /** How many items there are, with the filter that was given. @default - nobody counted them */
  readonly total?: number;
  /** How many come before this page. */
  readonly from: number;
  readonly cursor?: Cursor;
}

/** Where a page of items begins; of items that are held elsewhere, it is a text that only they can read. */
export type Cursor = number | string;

/** One call of a pattern, and all that came of it. */
export interface RunView {
  readonly values: Readonly<Record<string, unknown>>;
  readonly requests: readonly RequestView[];
  /** What the caller gets. */
  readonly answer?: unknown;
  /** What the caller gets instead. */
  readonly error?: { readonly name: string; readonly message: string };
  /** The values that the refusal may be about. @default - none of them looks wrong */
  readonly faults?: readonly FaultView[];
  /** The cursor of the next page. */
  readonly cursor?: string;
  readonly units?: number;
  /** What a million such calls cost, and by which prices. @default - nothing was sent, or nobody counted what it consumed */
  readonly cost?: { readonly million: string; readonly by: string };
  /** Why it is not known what it consumed. @default - it is known */
  readonly uncounted?: string;
  /** The partitions that it read, with the items that it read of them. */
  readonly read: readonly ReadView[];
  readonly changes: readonly ChangedItem[];
}

export interface RequestView {
  readonly command: string;
  readonly input: unknown;
  /** Capacity units. @default - the cloud does not count them */
  readonly units?: number;
}

export interface ReadView {
  readonly table: string;
  readonly index?: string;
  readonly partitions: readonly PartitionView[];
  /** The ids of the items that were read. */
  readonly lit: readonly number[];
}

/** What a write made of one item. */
export interface ChangedItem {
  readonly table: string;
  readonly entity?: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly attributes: readonly { readonly name: string; readonly before?: unknown; readonly after?: unknown }[];
  /** The table and each index that it is or was in. */
  readonly entries: readonly {
    readonly index?: string;
    readonly before?: string;
    readonly after?: string;
  }[];
}

export interface FindingView {
  readonly severity: 'error' | 'warning' | 'note';
  readonly rule: string;
  readonly path: string;
  readonly message: string;
  readonly fix: string;
  /** Why the rule matters. */
  readonly why: string;
  /** What it is about. */
  readonly table?: string;
  readonly pattern?: string;
  readonly entity?: string;
  readonly index?: string;
  /** Why it is meant to be. @default - it is not acknowledged */
  readonly reason?: string;
}

export interface ProofView {
  readonly engine: string;
  readonly passed: number;
  readonly failed: number;
  /** How many the engine could not prove. @default - none */
  readonly unproved?: number;
  /** All of that in a few words. */
  readonly verdict: string;
  /** The patterns and procedures of the design that the report does not have. */
  readonly missing: readonly string[];
  /** Why it may be about something else than what is shown. @default - it is of this very design */
  readonly stale?: string;
  readonly proofs: readonly {
    readonly name: string;
    readonly kind: string;
    readonly operation: string;
    readonly requests: number;
    readonly capacity: number;
    readonly items: number;
    readonly failure?: string;
    /** Why the engine could not prove it. */
    readonly unproved?: string;
  }[];
}

export interface EvolutionView {
  readonly environment: string;
  readonly verdict: string;
  readonly changes: readonly {
    readonly path: string;
    readonly verdict: string;
    readonly message: string;
    readonly fix: string;
    readonly was?: string;
    readonly is?: string;
    /** Who fails or goes wrong if it is deployed as it is, and how. */
    readonly breaks: readonly { readonly who: string; readonly how: string }[];
    /** The reason that was answered. */
    readonly because?: string;
  }[];
  /** Keys, indexes, key templates and attributes before and after. */
  readonly sides: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  readonly phases: readonly {
    readonly step: string;
    readonly kind: string;
    readonly wave: readonly string[];
    readonly runs: string;
    readonly until: string;
    readonly back?: string;
  }[];
  /** Why there is no plan. */
  readonly problem?: string;
  /** How what is left open is answered. @default - nothing is */
  readonly answer?: { readonly command: string; readonly file: string };
}

export interface EquivalentView {
  readonly tables: readonly {
    readonly name: string;
    readonly of: string;
    readonly partition: string;
    readonly row: string;
  }[];
  /** What does not carry over, each with all the places in the design that it is about. */
  readonly notes: readonly {
    readonly paths: readonly string[];
    readonly message: string;
    readonly fix: string;
    readonly acknowledged?: string;
  }[];
}

/** What a page begins with. */
export interface PageData {
  readonly site: SiteView;
  /** What every request has to bring along. @default - the page is a file, and asks nobody */
  readonly token?: string;
  /** The items of a site of files, by system and table. */
  readonly items?: Readonly<Record<string, Readonly<Record<string, KeptItems>>>>;
}

/** The items of a table once, and their order in the table and in each index. */
export interface KeptItems {
  readonly items: readonly ItemView[];
  readonly orders: Readonly<Record<string, readonly (readonly [key: unknown, ids: readonly number[]])[]>>;
}
