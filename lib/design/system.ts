import type { Problem } from './notation';
import type { TableDesign } from './table';

/** A task that takes more than one request: a function over named patterns, kept beside the design. */
export interface ProcedureDesign {
  readonly purpose?: string;
  /** The patterns it sends; what it may do is the union of what they may do. */
  readonly uses: readonly string[];
}

/** The tables of one application, and what they have in common. */
export interface SystemDesign {
  readonly name: string;
  readonly purpose?: string;
  readonly cloud: 'aws' | 'azure';
  /**
   * The attribute that names the tenant an item belongs to.
   * @default - the system has one tenant
   */
  readonly tenant?: string;
  /** Tables by their own names. */
  readonly tables: { readonly [name: string]: TableDesign };
  /** @default - none */
  readonly procedures?: { readonly [name: string]: ProcedureDesign };
}

/** Groups tables into a system. A table listed under a name other than its own does not compile. */
export function defineSystem<const S extends SystemDesign>(system: S & Coherent<S>): S {
  return system;
}

type Coherent<S extends SystemDesign> = {
  readonly [F in Exclude<keyof S, keyof SystemDesign>]: Problem<`'${F & string}' is not a field of a system`>;
} & {
  readonly tables: {
    readonly [T in keyof S['tables']]: S['tables'][T]['name'] extends T
      ? unknown
      : Problem<`the table is named '${S['tables'][T]['name']}'; list it under that name`>;
  };
  readonly procedures?: {
    readonly [P in keyof S['procedures']]: {
      readonly [F in keyof S['procedures'][P]]: F extends keyof ProcedureDesign
        ? unknown
        : Problem<`'${F & string}' is not a field of a procedure`>;
    } & {
      readonly uses: readonly PatternName<S>[];
    };
  };
};

/** The name of any pattern of a system's tables. */
export type PatternName<S extends SystemDesign> = {
  [T in keyof S['tables']]: keyof S['tables'][T]['patterns'] & string;
}[keyof S['tables']];
