/**
 * Access patterns as data. In every string that may contain `<…>`, the caller's values replace the parameters. A string
 * that consists only of `'<price>'` keeps the type of the value; any other string renders its values as text. The
 * caller may omit the value of `'<note?>'`.
 */

/** A condition on a key attribute: one value, a prefix, or bounds. */
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
 * The new value of an attribute in an update: a value, a value to set only if the attribute is missing, or elements to
 * append or prepend to a list.
 */
export type Assignment =
  | Operand
  | { readonly ifMissing: string | number | boolean }
  | { readonly append: string }
  | { readonly prepend: string };

/**
 * The value that an update adds or subtracts: a number, a list of set elements, or a parameter whose value is a number
 * or a set.
 */
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

/** The length of a string, a list or a map: a number, a parameter, or a range. */
export type Size =
  | Amount
  | { readonly not: Amount }
  | { readonly atLeast: Amount }
  | { readonly atMost: Amount }
  | { readonly greaterThan: Amount }
  | { readonly lessThan: Amount }
  | { readonly between: readonly [Amount, Amount] };

type Amount = number | string;

/**
 * Tests, keyed by the path of the tested attribute. All tests must hold. At least one condition in a list under `any`
 * must hold, and no condition in a list under `none` may hold.
 */
export type Condition = { readonly [path: string]: Test | readonly Condition[] };

/** A complete primary key: one template per key attribute. */
export type KeyTemplates = { readonly [attribute: string]: string };

export interface Described {
  /** The purpose of the pattern, in the words of the people who use it. */
  readonly purpose?: string;
}

export interface Reserved {
  /**
   * Whether only procedures may send the pattern. Use this for a pattern that is safe only inside a procedure, which
   * sends several patterns in the right order. A grant must then name the procedure, not the pattern.
   * @default false
   */
  readonly procedureOnly?: boolean;
}

interface Shared {
  /**
   * The tables of the steps or keys that belong to other tables, keyed by the step's or key's name. A pattern with this
   * field is one table's share of a system's pattern, and is sent only together with the other shares.
   * @default - the pattern belongs to one table
   */
  readonly across?: { readonly [part: string]: string };
}

interface Read extends Described {
  /** The names of the entities that this pattern reads. */
  readonly returns: readonly string[];
  /**
   * Whether the read is strongly consistent, so that it sees every earlier write.
   * @default false
   */
  readonly consistent?: boolean;
  /**
   * Whether to skip items that have expired according to the table's `ttl`. DynamoDB may take days to delete such
   * items.
   * @default false
   */
  readonly unexpired?: boolean;
}

/** Reads one item by its whole key. */
export interface GetPattern extends Read {
  readonly op: 'get';
  readonly where: KeyTemplates;
}

/** Reads one item by a unique value, with two requests: one for the guard of the value, and one for the item. */
export interface FindPattern extends Read {
  readonly op: 'find';
  /** The name of one of the entity's unique values. The caller passes the attributes that the guard's key contains. */
  readonly unique: string;
}

/**
 * Reads the items of one partition, or of a list of partitions. The items come in the order of the sort key, and a
 * condition on the sort key can narrow them down.
 */
export interface QueryPattern extends Read {
  readonly op: 'query';
  /** @default - the table itself */
  readonly index?: string;
  /**
   * The name of a list parameter with up to 100 elements, each of which identifies a partition. The partition key's
   * template refers to an element by the list's name: `'PROJECT#<projectId>'`, or `'PROJECT#<projects.id>'` for a list
   * of objects.
   * @default - the query reads one partition
   */
  readonly each?: string;
  /**
   * Whether to merge the items of a list of partitions in the order of the sort key.
   * @default false - the items come partition by partition, in the order of the list
   */
  readonly merge?: boolean;
  readonly where: { readonly [attribute: string]: KeyCondition };
  /**
   * Drops items that do not pass the filter, after the query has read and paid for them.
   * @default - the query drops no items
   */
  readonly filter?: Condition;
  /**
   * Additional lists on each page, each with the items of one entity. The keys are the names of the lists:
   * `{ tickets: 'Ticket', messages: 'Message' }`.
   * @default - a page has only its `items`
   */
  readonly group?: { readonly [name: string]: string };
  /**
   * The top-level attributes that the query returns.
   * @default - all attributes of the entity
   */
  readonly select?: readonly string[];
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending';
  /**
   * The attribute to order by. The check verifies that the sort key sorts by this attribute.
   * @default - the order of the sort key
   */
  readonly orderBy?: string;
  /** @default - as many as fit into one response */
  readonly pageSize?: number;
}

/**
 * Reads everything in the table or an index, for maintenance. The scan also reads, and pays for, items of entities that
 * are not in `returns`, and drops them.
 */
export interface ScanPattern extends Read {
  readonly op: 'scan';
  /** @default - the table itself */
  readonly index?: string;
  /**
   * Drops items that do not pass the filter, after the scan has read and paid for them.
   * @default - the scan drops no items
   */
  readonly filter?: Condition;
  /**
   * The number of items that the scan reads for a page, including dropped items.
   * @default - as many as fit into one response
   */
  readonly pageSize?: number;
}

/** Reads several items by their keys. Skips a key if the caller omits the value of a `<part?>` in it. */
export interface BatchGetPattern extends Read, Shared {
  readonly op: 'batchGet';
  /**
   * The name of the list parameter. The pattern reads each key once per element. The templates refer to an element by
   * the list's name: `'SKU#<sku>'`, or `'SKU#<lines.sku>'` for a list of objects.
   * @default - each key is read once
   */
  readonly each?: string;
  readonly keys: { readonly [name: string]: KeyTemplates };
}

/**
 * Reads several items by their keys as one consistent snapshot. Skips a key if the caller omits the value of a
 * `<part?>` in it.
 */
export interface TransactGetPattern extends Omit<Read, 'consistent'>, Shared {
  readonly op: 'transactGet';
  readonly keys: { readonly [name: string]: KeyTemplates };
}

interface Put extends Described {
  readonly op: 'put';
  readonly entity: string;
  /**
   * The item's attributes, each with a parameter or a constant as its value.
   * @default - the caller passes the entity's attributes
   */
  readonly item?: { readonly [attribute: string]: Operand };
  /**
   * Whether to overwrite an item with the same key.
   * @default false
   */
  readonly replace?: boolean;
  readonly condition?: Condition;
  /**
   * Azure Tables only: whether the write fails if the item has changed since the caller read it. The caller passes the
   * item's ETag.
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Writes a whole item. It overwrites an existing item only if `replace` is true. */
export interface PutPattern extends Put, Reserved {
  /** Makes the write return the item that it overwrote, if there was one. @default - the write returns nothing */
  readonly returns?: 'old';
}

interface Update extends Described {
  readonly op: 'update';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly set?: { readonly [path: string]: Assignment };
  /** Numbers to add to attributes, or elements to add to sets, keyed by path: `{ likes: 1, tags: ['<tag>'] }`. */
  readonly add?: { readonly [path: string]: Addend };
  /** Numbers to subtract from attributes, or elements to remove from sets, keyed by path. */
  readonly subtract?: { readonly [path: string]: Addend };
  /** Paths to remove. The item leaves every index whose keys contain a removed attribute. */
  readonly remove?: readonly string[];
  readonly condition?: Condition;
  /**
   * Whether to create the item if it does not exist.
   * @default false
   */
  readonly upsert?: boolean;
  /**
   * Azure Tables only: whether the write fails if the item has changed since the caller read it. The caller passes the
   * item's ETag.
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Changes one item, and rewrites the index keys that contain changed attributes. */
export interface UpdatePattern extends Update, Reserved {
  /**
   * Makes the write return the whole item as it is after the change (`new`) or was before it (`old`).
   * @default - the write returns nothing
   */
  readonly returns?: 'new' | 'old';
}

interface Delete extends Described {
  readonly op: 'delete';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly condition?: Condition;
  /**
   * Azure Tables only: whether the write fails if the item has changed since the caller read it. The caller passes the
   * item's ETag.
   * @default false
   */
  readonly unchanged?: boolean;
}

/** Deletes one item. */
export interface DeletePattern extends Delete, Reserved {
  /** Makes the write return the deleted item, if there was one. @default - the write returns nothing */
  readonly returns?: 'old';
}

interface Repeated {
  /**
   * The name of the list parameter. The step runs once per element of the list. The step's templates refer to an
   * element by the list's name: `'SKU#<lines.sku>'`, or `'SKU#<sku>'` for a list of plain values. A `put` without
   * `item` writes the element itself.
   * @default - the step runs once
   */
  readonly each?: string;
  /** Not allowed in a step: `atomic: false` applies to the whole transaction, so make it a field of the transaction. */
  readonly atomic?: false;
}

export interface PutStep extends Put, Repeated {
  /**
   * Whether the caller may omit the item. Without the item, the step is skipped.
   * @default false
   */
  readonly optional?: boolean;
}

/**
 * An update in a transaction. If the caller omits the value of a `<part?>` in the key, the transaction skips the
 * update, as it would skip a delete or a require.
 */
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
  /** The name of one of the entity's unique values. */
  readonly unique: string;
  /**
   * The unique value and its owner: one parameter for each attribute in the guard's key, and one for each attribute
   * that identifies the owner.
   */
  readonly where: { readonly [attribute: string]: string };
}

/**
 * Frees a unique value that the items of one owner shared. Send the release only when none of these items has the value
 * anymore. If the value is already free or belongs to another owner, the release has no effect.
 */
export interface ReleasePattern extends Release, Reserved {}

export interface ReleaseStep extends Release, Repeated {}

/**
 * Writes that all succeed or all fail. The caller passes the item of a `put` step under the step's name, and other
 * steps may refer to this item: `'USER#<trip.userId>'`.
 */
export interface TransactionPattern extends Described, Reserved, Shared {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: TransactionStep | ReleaseStep };
  /**
   * With `false`, the steps over a list are split into as many transactions as necessary. All steps for one element
   * stay in the same transaction. A step without `each` must be a `require`, which every transaction tests. The call
   * returns how many elements were written, or throws an `UnfinishedBatch` with the remaining elements.
   * @default - all writes succeed or all fail
   */
  readonly atomic?: false;
}

/** A put or a delete for each element of a list. A batch step has no condition, so a put must have `replace`. */
export type BatchStep =
  | (Pick<PutStep, 'op' | 'entity' | 'item'> & { readonly replace: true; readonly each: string })
  | (Pick<DeleteStep, 'op' | 'entity' | 'where'> & { readonly each: string });

/** Any number of independent puts and deletes. The call returns the writes that were not processed. */
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

/** A single write: a pattern of its own, or one step of a transaction. */
export type Write = PutPattern | UpdatePattern | DeletePattern | TransactionStep;
