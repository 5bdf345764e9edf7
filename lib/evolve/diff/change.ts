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

/** One difference between what is deployed and the design, with all that follows from it. */
export interface Change {
  readonly rule: ChangeRule;
  /** Its place in the new design, or in the old one where it is gone: `tables.blog.indexes.GSI1`. */
  readonly path: string;
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
  readonly asks?: 'renamed' | 'because';
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
  | 'entity-type'
  | 'primary-key-template'
  | 'index-key-template'
  | 'key-only'
  | 'attribute-added'
  | 'attribute-required'
  | 'attribute-removed'
  | 'attribute-optional'
  | 'attribute-renamed'
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
