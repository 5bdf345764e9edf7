/**
 * What the page shows about designs, as plain JSON-serializable data. The page and the pictures only display this data;
 * they derive nothing from designs themselves.
 */
export interface SiteView {
  readonly systems: readonly SystemView[];
  /** Whether the page can run patterns. If not, as in a static site, the page shows the stored results of the cases. */
  readonly live: boolean;
  /**
   * All systems in a static site, including those in `systems`, each with the address of its file. @default - `systems`
   * contains all systems
   */
  readonly siblings?: readonly { readonly name: string; readonly href: string }[];
  /** A readable name of the engine that runs patterns. @default - none */
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
  /** Where code imports the design from. @default - the module is unknown */
  readonly origin?: OriginView;
  /** A readable description of where the items are read from. @default - the items come from the cases */
  readonly source?: string;
  /** An explanation for each part of the system that cannot be shown. */
  readonly problems: readonly string[];
  /** A view of each proof report that covers the system. @default - no proof report was given */
  readonly proofs?: readonly ProofView[];
  /** @default - the system has no lock */
  readonly evolution?: EvolutionView;
  /** @default - the system is not designed for DynamoDB, or has no equivalent on Azure */
  readonly equivalent?: EquivalentView;
}

/** Where code imports a design from: the module, and the name of the export. */
export interface OriginView {
  readonly module: string;
  readonly name: string;
  /** Whether the design is a single table. @default - the design is a system */
  readonly isTable?: boolean;
}

/** A piece of a key or a key template. If the piece comes from a part of the template, `part` is the part's name. */
export interface Mark {
  readonly text: string;
  readonly part?: string;
}

export interface TableView {
  /** The table's name in the system. */
  readonly name: string;
  readonly purpose?: string;
  readonly typeAttribute?: string;
  readonly ttl?: string;
  /** The table itself, followed by its indexes. */
  readonly places: readonly PlaceView[];
  readonly entities: readonly EntityView[];
  readonly patterns: readonly PatternView[];
  /** The number of items in the table. @default - the items were not counted */
  readonly items?: number;
}

/** A place that contains items: the table itself, or one of its indexes. */
export interface PlaceView {
  /** @default - the place is the table itself */
  readonly index?: string;
  /** Whether the index is local. @default - the index is global */
  readonly local?: boolean;
  readonly purpose?: string;
  /** The attributes of the partition key. */
  readonly partition: readonly string[];
  /** The attributes of the sort key; empty if there is no sort key. */
  readonly sort: readonly string[];
  /** The attributes that the table or index contains. @default - all attributes */
  readonly projected?: readonly string[];
  /** The groups of entities that can share a partition of the table or index. */
  readonly collections: readonly CollectionView[];
  /** The names of the patterns that read the table or index. */
  readonly readBy: readonly string[];
  /** The number of items in the table or index. @default - the items were not counted */
  readonly items?: number;
  readonly partitions?: number;
}

/** The entities whose items can share a partition. */
export interface CollectionView {
  /** The partition key's templates. There are several only if the entities use different names for its parts. */
  readonly partitions: readonly (readonly Mark[])[];
  readonly entities: readonly {
    readonly name: string;
    /** The key template of the sort key; empty if there is no sort key. */
    readonly sort: readonly Mark[];
    /** The conditions under which the entity is in the index. */
    readonly while: readonly string[];
  }[];
}

export interface EntityView {
  readonly name: string;
  /** The index of the entity's color. */
  readonly colour: number;
  readonly type?: string;
  readonly attributes: readonly AttributeView[];
  readonly keys: readonly KeyView[];
  /** The indexes that can contain the entity, and the conditions under which they do. */
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
  /** Whether the key is itself an attribute of the entity, stored unchanged. */
  readonly natural: boolean;
}

export interface PatternView {
  readonly name: string;
  readonly purpose?: string;
  readonly op: string;
  /** The tables that the pattern reaches, if it is a pattern of the system. @default - only the pattern's own table */
  readonly across?: readonly string[];
  readonly writes: boolean;
  readonly accesses: readonly AccessView[];
  readonly parameters: readonly ParameterView[];
  /** The values from the pattern's case, or other values that the parameters accept. */
  readonly example: Readonly<Record<string, unknown>>;
  /** The permissions that a caller needs: IAM statements, or Azure roles. */
  readonly grant: GrantView;
  /** The result of the pattern's case. @default - the case was not run */
  readonly run?: RunView;
}

export interface AccessView {
  readonly action: string;
  /**
   * The words before and after the name of the table or index, such as “put into” and “an item whose”. The key values
   * come after them.
   */
  readonly verb: string;
  readonly whose: string;
  /** The pattern's other effects and conditions. Names and values from the design are between backticks. */
  readonly clauses: readonly string[];
  /** The step of the transaction, or the key of the batch, that makes this access. */
  readonly part?: string;
  readonly index?: string;
  /** Each attribute of the partition key, with its value. */
  readonly partition: readonly { readonly attribute: string; readonly is: readonly Mark[] }[];
  /** The range within the partition, such as “SK begins with POST#”. @default - the access covers the whole partition */
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
  /** Whether the value must be a whole number. */
  readonly integer?: boolean;
  /** The lower and upper bounds of a number, or of a string's length. */
  readonly minimum?: number;
  readonly maximum?: number;
}

/** What is wrong with a value from the user. */
export interface FaultView {
  /** The parameter. */
  readonly name: string;
  /** What the value must be, phrased to follow the name of the parameter. */
  readonly message: string;
}

export interface GrantView {
  /** A readable line for each permission. */
  readonly lines: readonly { readonly may: string; readonly on: string; readonly within: string }[];
  /** The policy document that grants these permissions. @default - the cloud has no policy documents */
  readonly policy?: unknown;
  /** The reason why the pattern cannot be granted. */
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

/** A stored item, as the page shows it. */
export interface ItemView {
  /** The item's position among the items of the table. */
  readonly id: number;
  /** The item's name in the cases. */
  readonly name?: string;
  /** @default - the item belongs to no entity of the design */
  readonly entity?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** For each key attribute, the lengths of its pieces, which alternate between literal text and rendered values. */
  readonly marks: Readonly<Record<string, readonly number[]>>;
}

/** Consecutive rows of one partition. */
export interface PartitionView {
  readonly key: unknown;
  readonly rows: readonly ItemView[];
  /** How many of the partition's rows precede these rows. `of` is the total number of rows in the partition. */
  readonly from: number;
  readonly of: number;
}

/** A page of items from a table or an index, and the cursor of the next page. */
export interface RowsView {
  readonly partitions: readonly PartitionView[];
  /** The number of items that match the filter. @default - the items were not counted */
  readonly total?: number;
  /** The number of items before this page. */
  readonly from: number;
  readonly cursor?: Cursor;
}

/** Where a page of items begins: a position or, for running tables, an opaque string. */
export type Cursor = number | string;

/** A call to a pattern or a procedure, with all its effects. */
export interface RunView {
  readonly values: Readonly<Record<string, unknown>>;
  readonly requests: readonly RequestView[];
  /** The value that the call returns. */
  readonly answer?: unknown;
  /** The error that the call throws. */
  readonly error?: { readonly name: string; readonly message: string };
  /** The values that may have caused the error. @default - no value looks wrong */
  readonly faults?: readonly FaultView[];
  /** The cursor of the next page. */
  readonly cursor?: string;
  readonly units?: number;
  /**
   * The cost of a million such calls, and the prices that this estimate is based on.
   * @default - the call sent no request, or the consumed capacity is unknown
   */
  readonly cost?: { readonly million: string; readonly at: string };
  /** The reason why the consumed capacity is unknown. @default - the capacity is known */
  readonly uncounted?: string;
  /** The partitions and items that the requests read. */
  readonly read: readonly ReadView[];
  readonly changes: readonly ChangedItem[];
}

export interface RequestView {
  readonly command: string;
  readonly input: unknown;
  /** The capacity units that the request consumed. @default - the cloud does not count capacity units */
  readonly units?: number;
}

export interface ReadView {
  readonly table: string;
  readonly index?: string;
  readonly partitions: readonly PartitionView[];
  /** The ids of the items that were read. */
  readonly lit: readonly number[];
}

/** What a write did to one item. */
export interface ChangedItem {
  readonly table: string;
  readonly entity?: string;
  readonly kind: 'added' | 'changed' | 'removed';
  readonly attributes: readonly { readonly name: string; readonly before?: unknown; readonly after?: unknown }[];
  /** The item's key before and after the write, in the table and in each index that contains either version. */
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
  /** The table, pattern, entity or index that the finding is about. */
  readonly table?: string;
  readonly pattern?: string;
  readonly entity?: string;
  readonly index?: string;
  /** Why the finding was acknowledged. @default - the finding is not acknowledged */
  readonly reason?: string;
}

export interface ProofView {
  readonly engine: string;
  /** The cloud on which the system was proved. @default - the cloud that the system is designed for */
  readonly on?: 'Azure';
  readonly passed: number;
  readonly failed: number;
  /** The number of proofs that the engine could not run. @default - none */
  readonly unproved?: number;
  /** A brief summary of the result. */
  readonly verdict: string;
  /** The patterns and procedures of the design that are missing from the report. */
  readonly missing: readonly string[];
  /** Why the report may be about a different design. @default - the report is about this design */
  readonly stale?: string;
  readonly proofs: readonly {
    readonly name: string;
    readonly kind: string;
    readonly operation: string;
    readonly requests: number;
    readonly capacity: number;
    readonly items: number;
    readonly failure?: string;
    /** The reason why the engine could not prove the pattern. */
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
    /** Which clients an immediate deployment would break, and how. */
    readonly breaks: readonly { readonly who: string; readonly how: string }[];
    /** The reason from the answers file. */
    readonly because?: string;
  }[];
  /** The keys, indexes, key templates and attributes of the deployed design and the current design, side by side. */
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
  /** How the user can answer open questions. @default - no questions are open */
  readonly answer?: { readonly command: string; readonly file: string };
}

export interface EquivalentView {
  readonly tables: readonly {
    readonly name: string;
    readonly of: string;
    readonly partition: string;
    readonly row: string;
  }[];
  /** The features that are missing, limited or more expensive on Azure, each with all paths that use it. */
  readonly notes: readonly {
    readonly paths: readonly string[];
    readonly message: string;
    readonly fix: string;
    readonly acknowledged?: string;
  }[];
}

/** The data that is embedded in a page. */
export interface PageData {
  readonly site: SiteView;
  /** The token that every request must contain. @default - the page is a file and sends no requests */
  readonly token?: string;
  /** The items of a static site, keyed by system and table. */
  readonly items?: Readonly<Record<string, Readonly<Record<string, KeptItems>>>>;
}

/** The items of a table, and their order in the table and in each index. */
export interface KeptItems {
  readonly items: readonly ItemView[];
  readonly orders: Readonly<Record<string, readonly (readonly [key: unknown, ids: readonly number[]])[]>>;
}
