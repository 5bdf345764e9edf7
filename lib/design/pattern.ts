/**
 * Access patterns as data. In every string that may contain `<…>`, the caller's values fill the parameters: a lone `'<price>'`
 * passes the value on with its own type, and anything else is rendered as text. The caller may leave out `'<note?>'`.
 */

/** How a sort key is narrowed: one value, a prefix, or a range. */
export type KeyCondition =
  | string
  | { readonly beginsWith: string }
  | { readonly between: readonly [string, string] }
  | { readonly atLeast: string }
  | { readonly atMost: string }
  | { readonly greaterThan: string }
  | { readonly lessThan: string };

/** A value in a filter, a condition or an update: a template, a constant, or another attribute of the same item. */
export type Operand = string | number | boolean | null | { readonly attribute: string };

/**
 * What an update sets an attribute to: a value, a value only if the attribute is missing, or a list with more at its
 * end or beginning.
 */
export type Assignment =
  | Operand
  | { readonly ifMissing: string | number | boolean }
  | { readonly append: string }
  | { readonly prepend: string };

/** What an update adds or subtracts: a number, elements of a set as a list, or a parameter that is a number or a set. */
export type Addend = string | number | readonly (string | number)[];

/** A test on one attribute; a bare value means equality. */
export type Test =
  | Operand
  | { readonly not: Operand }
  | { readonly atLeast: Operand }
  | { readonly atMost: Operand }
  | { readonly greaterThan: Operand }
  | { readonly lessThan: Operand }
  | { readonly between: readonly [Operand, Operand] }
  | { readonly beginsWith: string }
  | { readonly contains: Operand }
  | { readonly in: readonly Operand[] }
  | { readonly exists: boolean }
  | { readonly size: Size };

/** How long a string, a list or a map must be: a number, a parameter, or a range. */
export type Size =
  | Amount
  | { readonly not: Amount }
  | { readonly atLeast: Amount }
  | { readonly atMost: Amount }
  | { readonly greaterThan: Amount }
  | { readonly lessThan: Amount }
  | { readonly between: readonly [Amount, Amount] };

type Amount = number | string;

/** Tests by attribute path. All must hold; at least one of each list under `any`, and none of a list under `none`. */
export type Condition = { readonly [path: string]: Test | readonly Condition[] };

/** A whole primary key, by key attribute. */
export type KeyTemplates = { readonly [attribute: string]: string };

export interface Described {
  /** What the pattern is for, in the words of the people who need it. */
  readonly purpose?: string;
}

export interface Reserved {
  /**
   * Whether only procedures send it, because it is safe only in their order: then a grant must name a procedure instead of
   * the pattern.
   * @default false
   */
  readonly procedureOnly?: boolean;
}

interface Shared {
  /**
   * The steps or keys of other tables, by name, each with its table: the pattern is a table's share of a pattern of its
   * system, and is only sent together with the other shares.
   * @default - the pattern is the table's own
   */
  readonly across?: { readonly [part: string]: string };
}

interface Read extends Described {
  /** The entities this pattern reads, by name. */
  readonly returns: readonly string[];
  /**
   * Whether the read sees every earlier write.
   * @default false
   */
  readonly consistent?: boolean;
  /**
   * Whether to skip items past the table's `ttl`: DynamoDB may take days to delete them.
   * @default false
   */
  readonly unexpired?: boolean;
}

/** One item by its whole key. */
export interface GetPattern extends Read {
  readonly op: 'get';
  readonly where: KeyTemplates;
}

/** One item by a unique value: two requests, one for the guard of the value and one for the item. */
export interface FindPattern extends Read {
  readonly op: 'find';
  /** The unique of the entity, by name. The caller gives the values in its key. */
  readonly unique: string;
}

/** The items of one partition, or of a list of partitions, narrowed and ordered by the sort key. */
export interface QueryPattern extends Read {
  readonly op: 'query';
  /** @default - the table itself */
  readonly index?: string;
  /**
   * The parameter that is a list of up to 100 elements, each of which gives a partition; the partition's template uses the
   * same name: `'PROJECT#<projectId>'`, or `'PROJECT#<projects.id>'` for a list of objects.
   * @default - the query reads one partition
   */
  readonly each?: string;
  /**
   * Whether to merge the items of a list of partitions in the order of the sort key.
   * @default false - partition after partition, in the order of the list
   */
  readonly merge?: boolean;
  readonly where: { readonly [attribute: string]: KeyCondition };
  /** Drops items after they were read (and paid for). @default - nothing is dropped */
  readonly filter?: Condition;
  /**
   * The entities to also list separately in a page, by the name of the list: `{ tickets: 'Ticket', messages: 'Message' }`.
   * @default - a page has only its `items`
   */
  readonly group?: { readonly [name: string]: string };
  /**
   * The top-level attributes to read.
   * @default - all of the entity's
   */
  readonly select?: readonly string[];
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending';
  /**
   * The attribute to order by; the check makes sure that the sort key sorts by it.
   * @default - what the sort key sorts by
   */
  readonly orderBy?: string;
  /** @default - as many as fit into one response */
  readonly pageSize?: number;
}

/**
 * Everything in the table or an index, for maintenance. Items of entities that it does not return are read, paid for and
 * skipped.
 */
export interface ScanPattern extends Read {
  readonly op: 'scan';
  /** @default - the table itself */
  readonly index?: string;
  /** Drops items after they were read (and paid for). @default - nothing is dropped */
  readonly filter?: Condition;
  /** How many items are read for a page, including dropped items. @default - as many as fit into one response */
  readonly pageSize?: number;
}

/** Several items by their keys; leaves out a key whose `<part?>` is missing. */
export interface BatchGetPattern extends Read, Shared {
  readonly op: 'batchGet';
  /**
   * The parameter that is a list: each key is read once per element; the templates use the same name:
   * `'SKU#<sku>'`, or `'SKU#<lines.sku>'` for a list of objects.
   * @default - each key is read once
   */
  readonly each?: string;
  readonly keys: { readonly [name: string]: KeyTemplates };
}

/** Several items by their keys, as one consistent snapshot; leaves out a key whose `<part?>` is missing. */
export interface TransactGetPattern extends Omit<Read, 'consistent'>, Shared {
  readonly op: 'transactGet';
  readonly keys: { readonly [name: string]: KeyTemplates };
}

interface Put extends Described {
  readonly op: 'put';
  readonly entity: string;
  /**
   * The attributes, each from a parameter or a constant.
   * @default - the caller gives the entity's attributes
   */
  readonly item?: { readonly [attribute: string]: Operand };
  /**
   * Whether to overwrite an item with the same key.
   * @default false
   */
  readonly replace?: boolean;
  readonly condition?: Condition;
  /**
   * Whether the item must be unchanged since it was read: the caller gives its ETag (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Writes a whole item. It overwrites an existing item only if the pattern has `replace`. */
export interface PutPattern extends Put, Reserved {
  /** What the write returns: the item that it overwrote, if any. @default - nothing */
  readonly returns?: 'old';
}

interface Update extends Described {
  readonly op: 'update';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly set?: { readonly [path: string]: Assignment };
  /** Numbers to add, by path, or elements to add to a set: `{ likes: 1, tags: ['<tag>'] }`. */
  readonly add?: { readonly [path: string]: Addend };
  /** Numbers to subtract, by path, or elements to remove from a set. */
  readonly subtract?: { readonly [path: string]: Addend };
  /** Paths to remove; the item leaves the indexes whose keys are built from them. */
  readonly remove?: readonly string[];
  readonly condition?: Condition;
  /**
   * Whether to create the item if it does not exist.
   * @default false
   */
  readonly upsert?: boolean;
  /**
   * Whether the item must be unchanged since it was read: the caller gives its ETag (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Changes one item, and rewrites the index keys built from the changed attributes. */
export interface UpdatePattern extends Update, Reserved {
  /** What the write returns: the whole item after the change, or before it. @default - nothing */
  readonly returns?: 'new' | 'old';
}

interface Delete extends Described {
  readonly op: 'delete';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly condition?: Condition;
  /**
   * Whether the item must be unchanged since it was read: the caller gives its ETag (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Deletes one item. */
export interface DeletePattern extends Delete, Reserved {
  /** What the write returns: the deleted item, if any. @default - nothing */
  readonly returns?: 'old';
}

interface Repeated {
  /**
   * The parameter that is a list: the step runs once per element; its templates use the same name:
   * `'SKU#<lines.sku>'`, or `'SKU#<sku>'` for a list of plain values. A `put` takes its item from the element.
   * @default - the step runs once
   */
  readonly each?: string;
  /** Belongs next to `op: 'transaction'`: the steps of one transaction never run in parts. */
  readonly atomic?: false;
}

export interface PutStep extends Put, Repeated {
  /**
   * Whether the caller may leave out the item, and with it the step.
   * @default false
   */
  readonly optional?: boolean;
}

/** Like a delete or a require, it is skipped if the caller leaves out a `<part?>` of its key. */
export interface UpdateStep extends Update, Repeated {}

export interface DeleteStep extends Delete, Repeated {}

/** A condition on an item that the transaction does not write. */
export interface RequireStep extends Repeated {
  readonly op: 'require';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly condition: Condition;
}

export type TransactionStep = PutStep | UpdateStep | DeleteStep | RequireStep;

interface Release extends Described {
  readonly op: 'release';
  readonly entity: string;
  /** The unique of the entity, by name. */
  readonly unique: string;
  /** The value and its owner: each attribute of the unique's key and of its owner, from a parameter. */
  readonly where: { readonly [attribute: string]: string };
}

/**
 * Frees a unique value that items of one owner share, once none of them has it any more. It has no effect if the value is free or
 * another owner has it.
 */
export interface ReleasePattern extends Release, Reserved {}

export interface ReleaseStep extends Release, Repeated {}

/**
 * Writes that happen together or not at all. A `put` step takes its item from the caller, under the step's own name,
 * and the other steps may refer to it: `'USER#<trip.userId>'`.
 */
export interface TransactionPattern extends Described, Reserved, Shared {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: TransactionStep | ReleaseStep };
  /**
   * With `false`, the steps over a list run in as many transactions as they need, each with all steps of its elements. A step
   * without `each` must be a `require`, which every transaction tests. It returns how much was written, or throws an `UnfinishedBatch`
   * with what is left.
   * @default - everything happens together or not at all
   */
  readonly atomic?: false;
}

/** A put or a delete of each element of a list. It has no condition, so a put must have `replace`. */
export type BatchStep =
  | (Pick<PutStep, 'op' | 'entity' | 'item'> & { readonly replace: true; readonly each: string })
  | (Pick<DeleteStep, 'op' | 'entity' | 'where'> & { readonly each: string });

/** As many puts and deletes as the caller gives, each independent of the others; returns the ones that were not done. */
export interface BatchWritePattern extends Described, Reserved {
  readonly op: 'batchWrite';
  readonly steps: { readonly [name: string]: BatchStep };
}

export type ReadPattern = GetPattern | FindPattern | QueryPattern | ScanPattern | BatchGetPattern | TransactGetPattern;
export type WritePattern =
  | PutPattern
  | UpdatePattern
  | DeletePattern
  | ReleasePattern
  | TransactionPattern
  | BatchWritePattern;
export type PatternDesign = ReadPattern | WritePattern;

/** One write: a separate pattern, or a step. */
export type Write = PutPattern | UpdatePattern | DeletePattern | TransactionStep;
