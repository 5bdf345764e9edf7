import type {
  EachValues,
  ElementPart,
  Item,
  ListedValues,
  ListOf,
  Shown,
  TransactionValues,
  WholeItems,
} from './infer';
import type { NamedBy, PartsIn, PartValues } from './infer-operands';
import type { SystemDesign } from './system';
import type { TableDesign } from './table';

/** The values that a caller passes to a system's pattern: everything that the steps or reads of its tables need. */
export type SystemValues<S extends SystemDesign, P> = P extends { readonly steps: infer Steps }
  ? Shown<ValuesOfAll<{ [T in TableIn<S, Steps>]: ShareValues<S['tables'][T], OfTable<Steps, T>, WholeItems<Steps>> }>>
  : P extends { readonly reads: infer Reads }
    ? Shown<
        ValuesOfAll<{ [R in keyof Reads]: ReadValues<S, Reads[R], P extends { readonly each: infer L } ? L : never> }>
      >
    : never;

/** The result of a system's pattern: the items, keyed by the name of the read that found them. */
export type SystemResult<S extends SystemDesign, P> = P extends { readonly reads: infer Reads }
  ? {
      readonly [R in keyof Reads]: P extends { readonly each: string }
        ? readonly ReadItem<S, Reads[R]>[]
        : ReadItem<S, Reads[R]> | undefined;
    }
  : undefined;

type ReadItem<S extends SystemDesign, Read> = Read extends {
  readonly table: infer T extends keyof S['tables'];
  readonly returns: readonly (infer E)[];
}
  ? Item<S['tables'][T], E & keyof S['tables'][T]['entities']>
  : never;

type TableIn<S extends SystemDesign, Parts> = {
  [N in keyof Parts]: Parts[N] extends { readonly table: infer T extends keyof S['tables'] } ? T : never;
}[keyof Parts];

type OfTable<Steps, T> = {
  readonly [N in keyof Steps as Steps[N] extends { readonly table: T } ? N : never]: Steps[N];
};

/**
 * The values for the steps of one table. `Items` contains the names of all parameters that are whole items, in this
 * table and in others, because a step may take values from another table's item.
 */
type ShareValues<D extends TableDesign, Steps, Items extends string> = [ListOf<Steps[keyof Steps]>] extends [never]
  ? TransactionValues<D, Steps, Items>
  : ListedValues<D, Steps, Items>;

type ReadValues<S extends SystemDesign, Read, List> = Read extends { readonly table: infer T extends keyof S['tables'] }
  ? [ElementPart<PartsIn<Read>, List & string>] extends [never]
    ? PartValues<NamedBy<S['tables'][T], Read>, PartsIn<Read>>
    : EachValues<NamedBy<S['tables'][T], Read>, PartsIn<Read>, List & string>
  : never;

/**
 * The intersection of the values of all members of `All`. The compiler infers the intersection from function
 * parameters.
 */
type ValuesOfAll<All> = { [N in keyof All]: (values: All[N]) => void }[keyof All] extends (values: infer Values) => void
  ? Values
  : never;
