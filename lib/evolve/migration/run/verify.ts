import { Pace } from '../../../items/pace';
import type { Migration, PhaseOfItems } from '../migration';
import { duplicateOf, type Outcome } from '../outcome';
import { type Pages, sum } from './pass';
import { eachSegment } from './run';
import { type Counts, NONE, type Position } from './state';
import type { Lacking, Segment, Store } from './store';

export interface VerifyOptions {
  readonly migration: Migration;
  readonly phase: PhaseOfItems;
  readonly store: Store;
  /** @default - the tables that the plan changes */
  readonly tables?: readonly string[];
  readonly capacity?: number | undefined;
  readonly segments?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: (counts: Counts) => void;
}

/** How many of an entity's items have the new form, have the old form, or cannot be converted. */
export interface Forms {
  new: number;
  old: number;
  failed: number;
}

export interface Verification {
  /** Whether the verification has read every item, and every item that fits a design has the new form. */
  readonly complete: boolean;
  /** The counts for each entity, keyed by table and entity, such as `blog.Post`. */
  readonly forms: Readonly<Record<string, Forms>>;
  /** Items that fit neither design. */
  readonly unknown: number;
  readonly counts: Counts;
  /** The first items that do not have the new form. */
  readonly left: readonly { readonly table: string; readonly key: string; readonly why: string }[];
}

/** The maximum number of items to list individually. */
const REPORTED = 20;

/**
 * Reads every item in the tables that the plan changes, and checks whether it has the new form that the migration
 * derives for it. Writes nothing.
 */
export async function verifyMigration(options: VerifyOptions): Promise<Verification> {
  const { migration, phase, store, segments = 1, signal, progress } = options;
  const forms: Record<string, Forms> = {};
  const left: { table: string; key: string; why: string }[] = [];
  let counts = NONE;
  const seen: NonNullable<Pages['seen']> = (table, { item }, outcome, lacking) => {
    if (outcome.kind === 'unknown') return;
    const place = `${table}.${outcome.entity}`;
    forms[place] ??= { new: 0, old: 0, failed: 0 };
    const counted = forms[place];
    const isDone = outcome.kind === 'unchanged' && lacking.length === 0;
    counted[isDone ? 'new' : outcome.kind === 'failed' ? 'failed' : 'old']++;
    if (!isDone && left.length < REPORTED)
      left.push({ table, key: store.shown(table, item), why: whyOf(outcome, lacking, store) });
  };
  const begins = (): readonly Position[] => Array.from({ length: segments }, () => ({}));
  const { tables = migration.verified } = options;
  const positions = Object.fromEntries(tables.map((table) => [table, begins()]));
  const isStopped = () => signal?.aborted === true;
  const pages: Pages = {
    store,
    migration,
    phase,
    pace: new Pace(options.capacity),
    write: false,
    consistent: true,
    parallel: 1,
    allowed: () => undefined,
    isStopped,
    seen,
  };
  const done = async (_: Segment, result: { readonly counts: Counts }) => {
    counts = sum(counts, result.counts);
    progress?.(counts);
  };
  await eachSegment({ segments }, { positions }, pages, isStopped, done);
  const complete = !isStopped() && left.length === 0;
  return { complete, forms, unknown: counts.unknown, counts, left };
}

function whyOf(
  outcome: Exclude<Outcome, { kind: 'unknown' }>,
  lacking: readonly Lacking[],
  { shown }: Pick<Store, 'shown'>,
): string {
  switch (outcome.kind) {
    case 'unchanged': {
      const [first] = lacking as [Lacking];
      const duplicate = lacking.map(duplicateOf).find((why) => why !== undefined);
      if (duplicate !== undefined) return duplicate;
      const { table, entity, item } = first.made;
      const what = first.there === undefined ? 'is missing' : 'differs from the derived item';
      return `${outcome.entity}: its ${entity} (${shown(table, item)}) ${what}`;
    }
    case 'failed':
      return outcome.why;
    case 'move':
      return `${outcome.entity}: it is still under its old key`;
    case 'delete':
      return `${outcome.entity}: it has not been deleted`;
    default: {
      const set = Object.keys(outcome.set).map((name) => `'${name}' does not have the derived value`);
      return `${outcome.entity}: ${[...set, ...outcome.removed.map((name) => `'${name}' has not been removed`)].join(', ')}`;
    }
  }
}
