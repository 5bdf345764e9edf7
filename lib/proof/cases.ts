import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Item } from '../items/item';

/** The time on the clock in proof cases; it is fixed, so that expected items can contain timestamps. */
export const NOW = '2030-01-01T00:00:00.000Z';

/** The evidence for a system's proof: the existing items, and the expected result of each pattern and procedure. */
export interface SystemCases {
  readonly tables: { readonly [name: string]: TableCases };
  /** The cases of the system's own patterns. @default - the system has no patterns across tables */
  readonly patterns?: { readonly [name: string]: ReadCase | WriteCase };
  /** @default - the system has no procedures */
  readonly procedures?: { readonly [name: string]: ProcedureCase };
}

export interface TableCases<Entity extends string = string, Patterns = Readonly<Record<string, ReadCase | WriteCase>>> {
  /** Items by name, each as its entity and values. These items are loaded before every case. @default - none */
  readonly items?: { readonly [name: string]: SampleItem<Entity> };
  /**
   * Items in their stored form, such as the examples in a design document. They are loaded unchanged.
   * @default - none
   */
  readonly documented?: { readonly [name: string]: DocumentedItem<Entity> };
  /** Items that are not loaded but are expected after a write. @default - none */
  readonly written?: { readonly [name: string]: SampleItem<Entity> };
  /**
   * The exact keys that stored items must have, by item name; other programs may rely on these keys. The proof of a key
   * template fails if neither this map nor a documented item contains a key made from the template.
   * @default - the documented items cover all key templates
   */
  readonly stored?: { readonly [name: string]: Readonly<Record<string, string>> };
  readonly patterns: Patterns;
}

/** An entity and the values of one of its items. */
export type SampleItem<Entity extends string = string> = readonly [Entity, object];

/** An item in its stored form, with its entity. */
export interface DocumentedItem<Entity extends string = string> {
  readonly entity: Entity;
  readonly item: Item;
  /**
   * Attributes that the design intentionally adds to the documented ones. Index keys need not be listed.
   * @default - none: any added attribute is a failure
   */
  readonly adds?: readonly string[];
}

/** A sample item of a design; a `Documented` item is in its stored form. */
export type Sample<D extends TableDesign = TableDesign> = SampleItem<keyof D['entities'] & string>;
export type Documented<D extends TableDesign = TableDesign> = DocumentedItem<keyof D['entities'] & string>;

/** A case that may still need confirmation. */
interface Confirmable {
  /** Whether somebody must still confirm that the results are correct. @default - the results are confirmed */
  readonly unconfirmed?: true;
}

/** A proof case for a read: the values to call the read with, and the names of the returned items, in order. */
export interface ReadCase extends Confirmable {
  readonly values: object;
  readonly returns: readonly string[];
  /** The attributes of each item that the read returns. @default - all attributes */
  readonly select?: readonly string[];
  /**
   * For a pattern with `group`: the names of the items in each list of a page.
   * @default - the pattern has no `group`
   */
  readonly groups?: { readonly [list: string]: readonly string[] };
}

/**
 * A proof case for a write: the values to call the write with, the results of later reads, and later calls that must
 * fail.
 */
export interface WriteCase extends Confirmable {
  readonly values: object;
  /** Reads after the write, each with its pattern and the expected items. */
  readonly shows: readonly Look[];
  /** More calls to the pattern, sent afterwards, which must all fail. @default - none */
  readonly refuses?: readonly Refusal[];
  /**
   * More calls to the pattern, sent afterwards, which must all succeed without changing the results of the reads in
   * `shows`. For example, a second call must not change a value that is set with `ifMissing`.
   * @default - the write is called once
   */
  readonly keeps?: readonly Kept[];
  /**
   * The read that supplies the ETag, for a write that requires its item to be unchanged. The read is sent once, before
   * the write, so that the writes in `refuses` have a stale ETag. A transaction has one read for each step that needs
   * an ETag, keyed by the name of the step.
   * @default - the write needs no ETag
   */
  readonly reads?: Pick<Look, 'pattern' | 'values'> | StepReads;
}

/** The reads that supply the ETags of a transaction, by step. */
export interface StepReads {
  readonly steps: Readonly<Record<string, Pick<Look, 'pattern' | 'values'>>>;
}

export interface Look extends ReadCase {
  readonly pattern: string;
  /** The name of the error that the read must throw after the write. @default - the read must succeed */
  readonly error?: string;
}

export interface Kept {
  /** The state that the call must leave unchanged, such as `the time of the first delivery`. */
  readonly why: string;
  readonly values: object;
}

export interface Refusal {
  readonly why: string;
  readonly values: object;
  /** The name of the error, such as `ConditionalCheckFailedException`. */
  readonly error: string;
}

/**
 * A proof case for a procedure. The procedure runs with a client for the patterns in its `uses`. Like a write's case,
 * the case has `shows` and `refuses`.
 */
export interface ProcedureCase extends WriteCase {
  readonly run: (client: never, values: never) => Promise<unknown>;
  /** The names of procedures and patterns that `run` calls in addition to the procedure. @default - none */
  readonly beside?: readonly string[];
  /** The expected result. @default - only the reads in `shows` are checked, not the result */
  readonly gives?: unknown;
}

/** A system's cases, together with the system. */
export type CasesOf<S extends SystemDesign = SystemDesign> = SystemCases & { readonly system: S };

/** Defines a system's cases; the compiler checks their names against the system. */
export function defineCases<S extends SystemDesign>(system: S, cases: CasesFor<S>): CasesOf<S> {
  return { ...(cases as unknown as SystemCases), system };
}

/**
 * Cases whose names are typed by the design, so that the compiler reports a pattern without a case. Values are
 * validated only when they are used, because typing them too would take a minute to compile.
 */
export type CasesFor<S extends SystemDesign> = {
  readonly tables: {
    readonly [T in keyof S['tables']]: TableCases<
      keyof S['tables'][T]['entities'] & string,
      PatternCases<S['tables'][T]>
    >;
  };
} & (S extends { readonly patterns: infer Patterns }
  ? {
      readonly patterns: {
        readonly [P in keyof Patterns]: Patterns[P] extends { readonly reads: object } ? ReadCase : WriteCase;
      };
    }
  : { readonly patterns?: Readonly<Record<string, never>> }) &
  (S extends { readonly procedures: infer Procedures }
    ? { readonly procedures: { readonly [P in keyof Procedures]: ProcedureCase } }
    : { readonly procedures?: Readonly<Record<string, never>> });

type PatternCases<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: D['patterns'][P] extends { readonly returns: readonly unknown[] }
    ? ReadCase
    : WriteCase;
};
