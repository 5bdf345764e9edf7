import type { SystemPattern } from './across';
import type { Problem } from './notation';
import type { CoherentRead, CoherentStep, TableDesign } from './table';

/**
 * A task that takes more than one request, performed by a function outside the design. The design lists the patterns
 * that the function sends.
 */
export interface ProcedureDesign {
  readonly purpose?: string;
  /**
   * The patterns that the procedure sends. A grant for the procedure includes the permissions of all these patterns.
   */
  readonly uses: readonly string[];
}

/** The tables of one application, and the settings that they share. */
export interface SystemDesign {
  readonly name: string;
  readonly purpose?: string;
  readonly cloud: 'aws' | 'azure';
  /**
   * The name of the attribute that identifies an item's tenant.
   * @default - the system has only one tenant
   */
  readonly tenant?: string;
  /** The system's tables, keyed by name. */
  readonly tables: { readonly [name: string]: TableDesign };
  /**
   * Patterns that reach several tables in one request.
   * @default - each pattern belongs to one table
   */
  readonly patterns?: { readonly [name: string]: SystemPattern };
  /** @default - none */
  readonly procedures?: { readonly [name: string]: ProcedureDesign };
  /**
   * The reasons for accepting findings about `patterns`, keyed by rule and then by path or path prefix.
   * @default - none
   */
  readonly acknowledge?: { readonly [rule: string]: { readonly [path: string]: string } };
}

/** Groups tables into a system. The compiler refuses a table that is listed under a name other than its own. */
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
  readonly patterns?: { readonly [P in keyof S['patterns']]: CoherentAcross<S, S['patterns'][P]> };
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

type CoherentAcross<S extends SystemDesign, P> = {
  readonly [F in keyof P]: F extends keyof AcrossFields[P['op' & keyof P] & keyof AcrossFields]
    ? F extends 'steps' | 'reads'
      ? { readonly [N in keyof P[F]]: CoherentIn<S, P[F][N], F> }
      : unknown
    : Problem<`'${F & string}' is not a field of this operation`>;
};

type AcrossFields = { [P in SystemPattern as P['op']]: { [F in keyof P]: P[F] } };

type CoherentIn<S extends SystemDesign, Part, Kind> = Part extends { readonly table: infer T }
  ? T extends keyof S['tables']
    ? Kind extends 'steps'
      ? CoherentStep<S['tables'][T], Part>
      : CoherentRead<S['tables'][T], Part>
    : { readonly table: keyof S['tables'] | Problem<`'${T & string}' is not a table of this system`> }
  : unknown;

/** The name of any pattern in a system, including the patterns of its tables. */
export type PatternName<S extends SystemDesign> = TablePatternName<S> | (keyof S['patterns'] & string);

/** The name of any pattern of any table in a system. */
export type TablePatternName<S extends SystemDesign> = {
  [T in keyof S['tables']]: keyof S['tables'][T]['patterns'] & string;
}[keyof S['tables']];
