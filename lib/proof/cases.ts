import type { SystemDesign } from '../design/system';
import type { TableDesign } from '../design/table';
import type { Item } from '../items/item';

/** What proves a system: items that are there, and for each pattern and procedure what must come of it. */
export interface SystemCases {
  readonly tables: { readonly [name: string]: TableCases };
  /** @default - the system has no procedures */
  readonly procedures?: { readonly [name: string]: ProcedureCase };
}

export interface TableCases<Entity extends string = string, Patterns = Readonly<Record<string, ReadCase | WriteCase>>> {
  /** Items by a name of their own: the entity and its values. They are loaded before every case. @default - none */
  readonly items?: { readonly [name: string]: SampleItem<Entity> };
  /**
   * Items that are stored already, such as the examples of a document, to the letter. They are loaded as they are.
   * @default - none
   */
  readonly documented?: { readonly [name: string]: DocumentedItem<Entity> };
  /** Items that are not loaded, but expected after a write. @default - none */
  readonly written?: { readonly [name: string]: SampleItem<Entity> };
  /**
   * The keys that items are stored under, to the letter, by the items' names: others may rely on them. A template that
   * neither these nor the documented items show is a failure.
   * @default - the documented items show them all
   */
  readonly stored?: { readonly [name: string]: Readonly<Record<string, string>> };
  readonly patterns: Patterns;
}

/** An entity and the values of one of its items. */
export type SampleItem<Entity extends string = string> = readonly [Entity, object];

/** An item as it is stored, with the entity that it is of. */
export interface DocumentedItem<Entity extends string = string> {
  readonly entity: Entity;
  readonly item: Item;
  /**
   * Attributes that the design stores beside those that the document shows, and is meant to. Keys of indexes go without
   * saying.
   * @default - none: any other is a failure
   */
  readonly adds?: readonly string[];
}

/** The same, of a design. */
export type Sample<D extends TableDesign = TableDesign> = SampleItem<keyof D['entities'] & string>;
export type Documented<D extends TableDesign = TableDesign> = DocumentedItem<keyof D['entities'] & string>;

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

/** A procedure is run with a client of the patterns that its `uses` names; like a write, it shows and refuses. */
export interface ProcedureCase extends WriteCase {
  readonly run: (client: never, values: never) => Promise<unknown>;
  /** The other procedures and patterns that `run` sends, by name, where it does more than the procedure. @default - none */
  readonly beside?: readonly string[];
  /** What it must come to. @default - only what it shows counts */
  readonly gives?: unknown;
}

/** Cases together with the system that they prove. */
export type CasesOf<S extends SystemDesign = SystemDesign> = SystemCases & { readonly system: S };

/** The cases of a system, held to its names. */
export function defineCases<S extends SystemDesign>(system: S, cases: CasesFor<S>): CasesOf<S> {
  return { ...(cases as unknown as SystemCases), system };
}

/**
 * Cases whose names are typed by the design, so that a pattern without a case does not compile; values are validated when
 * they are used, since typing them here as well costs a minute of compiling.
 */
export type CasesFor<S extends SystemDesign> = {
  readonly tables: {
    readonly [T in keyof S['tables']]: TableCases<
      keyof S['tables'][T]['entities'] & string,
      PatternCases<S['tables'][T]>
    >;
  };
} & (S extends { readonly procedures: infer Procedures }
  ? { readonly procedures: { readonly [P in keyof Procedures]: ProcedureCase } }
  : { readonly procedures?: Readonly<Record<string, never>> });

type PatternCases<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: D['patterns'][P] extends { readonly returns: readonly unknown[] }
    ? ReadCase
    : WriteCase;
};
