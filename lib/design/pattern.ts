/**
 * Access patterns as data. Every string that can hold `<…>` takes its parameters from the values a caller gives; a lone
 * `'<price>'` passes the value on with its own type, anything else is rendered as text. `'<note?>'` may be left out.
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

/** What one attribute must satisfy; a bare value means equality. */
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
  | { readonly exists: boolean };

/** Tests by attribute path; all of them must hold. */
export type Condition = { readonly [path: string]: Test };

/** A whole primary key, by key attribute. */
export type KeyTemplates = { readonly [attribute: string]: string };

interface Described {
  /** What the pattern is for, in the words of whoever asks for it. */
  readonly purpose?: string;
}

interface Read extends Described {
  /** The entities this pattern reads, by name. */
  readonly returns: readonly string[];
  /**
   * Whether the read sees every write that came before it.
   * @default false
   */
  readonly consistent?: boolean;
}

/** One item by its whole key. */
export interface GetPattern extends Read {
  readonly op: 'get';
  readonly where: KeyTemplates;
}

/** The items of one partition, narrowed and ordered by the sort key. */
export interface QueryPattern extends Read {
  readonly op: 'query';
  /** @default - the table itself */
  readonly index?: string;
  readonly where: { readonly [attribute: string]: KeyCondition };
  /** Drops items after they were read (and paid for). @default - nothing is dropped */
  readonly filter?: Condition;
  /**
   * The top-level attributes that are read.
   * @default - all of the entity's
   */
  readonly select?: readonly string[];
  /** @default 'ascending' */
  readonly order?: 'ascending' | 'descending';
  /**
   * The attribute that the order is by, for the check to hold the sort key to it.
   * @default - whatever the sort key sorts by
   */
  readonly orderBy?: string;
  /** @default - as many as fit into one response */
  readonly pageSize?: number;
}

/** Several items by their keys, in one request; a key whose `<part?>` is not given is left out. */
export interface BatchGetPattern extends Read {
  readonly op: 'batchGet';
  readonly keys: { readonly [name: string]: KeyTemplates };
}

/** A new item. It never overwrites one, unless the pattern says so. */
export interface PutPattern extends Described {
  readonly op: 'put';
  readonly entity: string;
  /**
   * The attributes, each from a parameter or a constant.
   * @default - the caller gives the entity's attributes
   */
  readonly item?: { readonly [attribute: string]: Operand };
  /**
   * Whether an item with the same key is overwritten.
   * @default false
   */
  readonly replace?: boolean;
  readonly condition?: Condition;
  /**
   * Whether the item must be as it was read: the caller gives the ETag it had (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** A change of one item; index keys made of what changes are rewritten with it. */
export interface UpdatePattern extends Described {
  readonly op: 'update';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly set?: { readonly [path: string]: Operand };
  /** Numbers to add, by path. */
  readonly add?: { readonly [path: string]: string | number };
  /** Paths to remove; an item leaves the indexes whose keys are made of them. */
  readonly remove?: readonly string[];
  readonly condition?: Condition;
  /**
   * Whether the item is made where there is none.
   * @default false
   */
  readonly upsert?: boolean;
  /**
   * Whether the item must be as it was read: the caller gives the ETag it had (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** The end of one item. */
export interface DeletePattern extends Described {
  readonly op: 'delete';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly condition?: Condition;
  /**
   * Whether the item must be as it was read: the caller gives the ETag it had (Azure Tables).
   * @default false
   */
  readonly unchanged?: boolean;
}

/** A condition on an item that the transaction does not touch. */
export interface RequireStep {
  readonly op: 'require';
  readonly entity: string;
  readonly where: KeyTemplates;
  readonly condition: Condition;
}

export type TransactionStep = PutPattern | UpdatePattern | DeletePattern | RequireStep;

/**
 * Writes that happen together or not at all. A `put` step takes its item from the caller under the step's own name, and
 * the other steps may refer to it: `'USER#<trip.userId>'`.
 */
export interface TransactionPattern extends Described {
  readonly op: 'transaction';
  readonly steps: { readonly [name: string]: TransactionStep };
}

export type ReadPattern = GetPattern | QueryPattern | BatchGetPattern;
export type WritePattern = PutPattern | UpdatePattern | DeletePattern | TransactionPattern;
export type PatternDesign = ReadPattern | WritePattern;
