/** What it takes to deploy a change. */
export type Verdict =
  /** It can be deployed as it is, in any order. */
  | 'safe'
  /** It can be deployed only in phases. */
  | 'plan'
  /** It cannot be decided without an answer: whether it is a rename, or why it is right. */
  | 'ask'
  /** A deployment would replace the table with an empty one; only a plan that copies the items gets there. */
  | 'replace';

/** Who fails, or silently goes wrong, if a change is deployed as it is. */
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
  /** What happens to them, in a sentence. */
  readonly how: string;
}

/** A place in the new design, or in the old one where something is gone. */
export interface Place {
  /** For people: `tables.blog.indexes.GSI1`. */
  readonly path: string;
  /** For programs, name by name, since names may contain full stops. */
  readonly at: readonly string[];
}

/** The place of something within another. */
export function placed(at: Place['at'], ...names: readonly string[]): Place {
  const whole = [...at, ...names];
  return { path: whole.join('.'), at: whole };
}

/** One difference between what is deployed and the design, with all that follows from it. */
export interface Change extends Place {
  readonly rule: ChangeRule;
  readonly subject: ChangeSubject;
  readonly verdict: Verdict;
  readonly breaks: readonly Broken[];
  /** The value before, where it is short: a key template, an attribute. */
  readonly was?: string;
  /** The value after. */
  readonly is?: string;
  readonly message: string;
  /** What to do. */
  readonly fix: string;
  /** What has to be answered, where the verdict is `ask`. */
  readonly asks?: Exclude<keyof Answers, undefined>;
  /** The answer, where there is one. */
  readonly because?: string;
}

export interface ChangeSubject {
  /** The table's name in the new design, or in the old one where it is gone. */
  readonly table?: string;
  readonly index?: string;
  readonly entity?: string;
  readonly attribute?: string;
  readonly pattern?: string;
  readonly procedure?: string;
  /** What it was called before, where it was renamed. */
  readonly before?: string;
}

/** What two designs cannot show, and the user has to say. */
export interface Answers {
  /**
   * New names by old ones: a table (`blog`), an entity (`blog.Post`), an attribute (`blog.Post.nome`).
   * @default - nothing was renamed
   */
  readonly renamed?: Readonly<Record<string, string>>;
  /**
   * New entities, by the old one they are made from and stored beside: `{ 'blog.Post': ['PostText'] }`.
   * @default - no entity is split
   */
  readonly split?: Readonly<Record<string, readonly string[]>>;
  /**
   * Old entities whose items become items of another one: `{ 'blog.Draft': 'Post' }`.
   * @default - no entity is merged into another
   */
  readonly merged?: Readonly<Record<string, string>>;
  /**
   * The tables that entities move to: `{ 'blog.Comment': 'comments' }`.
   * @default - every entity stays in its table
   */
  readonly moved?: Readonly<Record<string, string>>;
  /**
   * Attributes that go into a map: `{ 'blog.Author.city': 'address' }`, or `'address.town'` under another name.
   * @default - none does
   */
  readonly nested?: Readonly<Record<string, string>>;
  /**
   * Attributes that keys write as another text, and how: `{ 'blog.Event.at': 'seconds become milliseconds' }`. The migration has
   * the function.
   * @default - a value in a key stays the same text
   */
  readonly formatted?: Readonly<Record<string, string>>;
  /**
   * Reasons by the path of a change, or the beginning of one.
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
  | 'primary-key-template'
  | 'index-key-template'
  | 'key-format'
  | 'key-only'
  | 'unique-added'
  | 'unique-removed'
  | 'unique-changed'
  | 'attribute-added'
  | 'attribute-required'
  | 'attribute-removed'
  | 'attribute-optional'
  | 'attribute-renamed'
  | 'attribute-nested'
  | 'attribute-default'
  | 'attribute-widened'
  | 'attribute-narrowed'
  | 'attribute-type'
  | 'attribute-code'
  | 'attribute-former'
  | 'pattern-added'
  | 'pattern-removed'
  | 'pattern-changed'
  | 'procedure-changed'
  | 'keys-meet'
  | 'items-mixed';
