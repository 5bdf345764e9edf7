import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Item } from '../request/plan';

/**
 * What proves a system: items that are there, and for each pattern and procedure what must come of it. Names are typed by
 * the design, so that a pattern without a case does not compile; values are validated when they are used, since typing
 * them here as well costs a minute of compiling.
 */
export interface SystemCases<S extends SystemDesign = SystemDesign> {
  readonly tables: { readonly [T in keyof S['tables']]: TableCases<S['tables'][T]> };
  readonly procedures: { readonly [P in keyof S['procedures']]: ProcedureCase };
}

export interface TableCases<D extends TableDesign = TableDesign> {
  /** Items by a name of their own: the entity and its values. They are loaded before every case. */
  readonly items: { readonly [name: string]: Sample<D> };
  /** The example items of the system's own document, to the letter. They are loaded as they are. */
  readonly documented: { readonly [name: string]: Documented<D> };
  /** Items that are not loaded, but expected after a write. */
  readonly written: { readonly [name: string]: Sample<D> };
  /**
   * The keys that items are stored under, to the letter, by the items' names: others may rely on them. A template that
   * neither these nor the documented items show is a failure.
   * @default - the documented items show them all
   */
  readonly stored?: { readonly [name: string]: Readonly<Record<string, string>> };
  readonly patterns: {
    readonly [P in keyof D['patterns']]: D['patterns'][P] extends { readonly returns: unknown } ? ReadCase : WriteCase;
  };
}

export type Sample<D extends TableDesign = TableDesign> = readonly [keyof D['entities'], object];

export interface Documented<D extends TableDesign = TableDesign> {
  readonly entity: keyof D['entities'];
  readonly item: Item;
}

/** A read: its values, and the names of the items it returns, in order. */
export interface ReadCase {
  readonly values: object;
  readonly returns: readonly string[];
  /** What comes back of each item. @default - all of it */
  readonly select?: readonly string[];
}

/** A write: its values, what is to be seen afterwards, and what it must refuse then. */
export interface WriteCase {
  readonly values: object;
  /** Reads of the same system, by pattern, after the write. */
  readonly shows: readonly Look[];
  /** @default - there is nothing it has to refuse */
  readonly refuses?: readonly Refusal[];
  /**
   * The read whose item it writes, where that must be unchanged. It is read once, before the write, so that what the write
   * refuses comes with an ETag that is out of date.
   * @default - it is told nothing of an item
   */
  readonly reads?: Pick<Look, 'pattern' | 'values'>;
}

export interface Look extends ReadCase {
  readonly pattern: string;
  /** The name of the error that it is refused with by now. @default - it is not refused */
  readonly error?: string;
}

export interface Refusal {
  readonly why: string;
  readonly values: object;
  /** The name of the error, such as `ConditionalCheckFailedException`. */
  readonly error: string;
}

/** A procedure is run with a client of the whole system; like a write, it shows and refuses. */
export interface ProcedureCase extends WriteCase {
  readonly run: (client: never, values: never) => Promise<unknown>;
  /** What it must come to. @default - only what it shows counts */
  readonly gives?: unknown;
}

/** The cases of a system, held to its names. */
export function defineCases<S extends SystemDesign>(_system: S, cases: SystemCases<S>): SystemCases<S> {
  return cases;
}
