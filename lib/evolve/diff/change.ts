/** How a change can be deployed. */
export type Verdict =
  /** The change can be deployed directly, in any order. */
  | 'safe'
  /** The change must be deployed in phases. */
  | 'plan'
  /** The user must first say whether the change is a rename, or why the change is right. */
  | 'ask'
  /** A deployment would replace the table with an empty one; only a plan that copies the items keeps them. */
  | 'replace';

/** What fails or silently misbehaves if the change is deployed directly. */
export type Party =
  | 'old-readers'
  | 'new-readers'
  | 'old-writers'
  | 'index-entries'
  | 'iam'
  | 'cursors'
  | 'callers'
  | 'items'
  | 'deployment';

export interface Broken {
  readonly who: Party;
  /** The consequence, in a sentence. */
  readonly how: string;
}

/** A place in the new design, or in the old design if the change removes something. */
export interface Place {
  /** The human-readable path: `tables.blog.indexes.GSI1`. */
  readonly path: string;
  /** The machine-readable path: a list of names, because a name may itself contain periods. */
  readonly at: readonly string[];
}

/** Returns the place of something inside another place. */
export function placed(at: Place['at'], ...names: readonly string[]): Place {
  const whole = [...at, ...names];
  return { path: whole.join('.'), at: whole };
}

/** One difference between the deployed system and the design, with its consequences. */
export interface Change extends Place {
  readonly rule: ChangeRule;
  readonly subject: ChangeSubject;
  readonly verdict: Verdict;
  readonly breaks: readonly Broken[];
  /** The old value if it is short, such as a key template or an attribute. */
  readonly was?: string;
  /** The new value if it is short. */
  readonly is?: string;
  readonly message: string;
  /** The action to take. */
  readonly fix: string;
  /** The kind of answer that the user must give if the verdict is `ask`. */
  readonly asks?: Exclude<keyof Answers, undefined>;
  /** The user's reason for the change, if there is one. */
  readonly because?: string;
}

export interface ChangeSubject {
  /** The table's name in the new design, or in the old design if the table is removed. */
  readonly table?: string;
  readonly index?: string;
  readonly entity?: string;
  readonly attribute?: string;
  /**
   * A description of the union members that the change is about: `kind is 'film'`.
   * @default - all items of the entity
   */
  readonly members?: string;
  readonly pattern?: string;
  readonly procedure?: string;
  /** The old name, if the change is a rename. */
  readonly before?: string;
}

/** Facts that the user must state because they cannot be derived from the two designs. */
export interface Answers {
  /**
   * The new names, keyed by the old names of tables (`blog`), entities (`blog.Post`) and attributes (`blog.Post.nome`).
   * @default - nothing was renamed
   */
  readonly renamed?: Readonly<Record<string, string>>;
  /**
   * New entities, keyed by the old entity that they are split from: `{ 'blog.Post': ['PostText'] }`.
   * @default - no entity is split
   */
  readonly split?: Readonly<Record<string, readonly string[]>>;
  /**
   * Old entities whose items become items of a different entity: `{ 'blog.Draft': 'Post' }`.
   * @default - no entity is merged into another entity
   */
  readonly merged?: Readonly<Record<string, string>>;
  /**
   * The tables that entities move to: `{ 'blog.Comment': 'comments' }`.
   * @default - every entity stays in its table
   */
  readonly moved?: Readonly<Record<string, string>>;
  /**
   * Attributes that move into a map: `{ 'blog.Author.city': 'address' }`, or `'address.town'` under a new name.
   * @default - no attribute moves into a map
   */
  readonly nested?: Readonly<Record<string, string>>;
  /**
   * Attributes that keys now render differently, with a description of the change:
   * `{ 'blog.Event.at': 'seconds become milliseconds' }`. The migration contains the function that converts the values.
   * @default - keys render every value as before
   */
  readonly formatted?: Readonly<Record<string, string>>;
  /**
   * The reasons why changes are right, keyed by the path of the change or by a prefix of that path.
   * @default - none
   */
  readonly because?: Readonly<Record<string, string>>;
}

export type ChangeRule =
  | 'system-changed'
  | 'table-added'
  | 'table-removed'
  | 'table-renamed'
  | 'table-key'
  | 'local-index'
  | 'table-name'
  | 'logical-id'
  | 'resource-type'
  | 'index-added'
  | 'index-removed'
  | 'index-key'
  | 'index-projection'
  | 'ttl'
  | 'replicas'
  | 'stream'
  | 'type-attribute'
  | 'separator'
  | 'entity-added'
  | 'entity-removed'
  | 'entity-renamed'
  | 'entity-split'
  | 'entity-merged'
  | 'entity-moved'
  | 'entity-type'
  | 'entity-opened'
  | 'entity-closed'
  | 'primary-key-template'
  | 'index-key-template'
  | 'key-format'
  | 'key-only'
  | 'unique-added'
  | 'unique-removed'
  | 'unique-changed'
  | 'member-added'
  | 'member-removed'
  | 'attribute-added'
  | 'attribute-required'
  | 'attribute-removed'
  | 'attribute-optional'
  | 'attribute-renamed'
  | 'attribute-nested'
  | 'attribute-default'
  | 'attribute-computed'
  | 'attribute-version'
  | 'attribute-time'
  | 'attribute-missing'
  | 'field-added'
  | 'field-removed'
  | 'fields-opened'
  | 'fields-closed'
  | 'attribute-stored'
  | 'attribute-widened'
  | 'attribute-narrowed'
  | 'attribute-type'
  | 'attribute-code'
  | 'attribute-former'
  | 'pattern-added'
  | 'pattern-removed'
  | 'pattern-changed'
  | 'pattern-reused'
  | 'procedure-changed'
  | 'keys-meet'
  | 'items-mixed';
