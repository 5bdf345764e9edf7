import type {
  Assigned,
  AssignedValues,
  AttributeOf,
  Compared,
  Field,
  Grouped,
  GroupsOf,
  InAll,
  NamedBy,
  Or,
  PartsIn,
  PartType,
  PartValues,
  SeenBy,
  SizesIn,
  SizeValues,
  Strings,
  Tail,
} from './infer-operands';
import type { NameOf, PartsOf } from './notation';
import type { Attributes, TableDesign } from './table';

// Parts are strings, but some types here omit `Part extends string`. Proving this constraint, even for patterns that
// are still type parameters, took the compiler ten seconds for this file alone.

/** Every attribute of an entity, before validation. */
export type EntityInput<
  D extends TableDesign,
  E extends keyof D['entities'],
> = D['entities'][E]['attributes']['_zod']['input'];

/** The values that a caller passes to write an entity: its attributes, except those that the library writes. */
export type EntityValues<D extends TableDesign, E extends keyof D['entities']> = D['entities'][E] extends Stamped
  ? Without<EntityInput<D, E>, WrittenIn<D['entities'][E]>>
  : EntityInput<D, E>;

/**
 * Applies `Omit` to each member of a union. Applied to the union itself, `Omit` would keep only the common attributes.
 */
type Without<A, Names> = A extends A ? Omit<A, Names & PropertyKey> : never;

/** An entity with attributes that the library writes. */
type Stamped = { readonly version: string } | { readonly timestamps: object } | { readonly computed: object };

type WrittenIn<E> =
  | VersionIn<E>
  | TimesIn<E, 'created' | 'updated'>
  | (E extends { readonly computed: infer C } ? keyof C : never);

type VersionIn<E> = E extends { readonly version: infer V } ? V : never;

type TimesIn<E, Field> = E extends { readonly timestamps: infer T } ? T[keyof T & Field] : never;

/**
 * The values of a put. With `replace`, the caller may also pass the item's creation time and the version to replace.
 */
type PutValues<D extends TableDesign, E extends keyof D['entities'], P> = D['entities'][E] extends Stamped
  ? EntityValues<D, E> & (P extends { readonly replace: true } ? KeptIn<D['entities'][E]> : unknown)
  : EntityValues<D, E>;

type KeptIn<E extends TableDesign['entities'][string]> = Partial<
  Pick<
    E['attributes']['_zod']['input'],
    (VersionIn<E> | TimesIn<E, 'created'>) & keyof E['attributes']['_zod']['input']
  >
>;

/** The version that the caller read. If the item has a different version, the update fails. */
type Pin<D extends TableDesign, P> = P extends {
  readonly op: 'update';
  readonly entity: infer E extends keyof D['entities'];
}
  ? D['entities'][E] extends { readonly version: infer V extends string }
    ? { readonly [K in V]?: number | undefined }
    : unknown
  : unknown;

/** The expected versions of the items that a transaction updates, keyed by step name. */
type Pins<D extends TableDesign, Steps> = {
  readonly [S in keyof Steps as unknown extends Pin<D, Steps[S]> ? never : S]?: Pin<D, Steps[S]>;
};

/** An entity as a read returns it: its attributes, and its type attribute if the table has one. */
export type Item<D extends TableDesign, E extends keyof D['entities']> = E extends E
  ? Attributes<D['entities'][E]> & TypeTag<D, E>
  : never;

/** The values that a caller passes to a pattern. */
export type PatternValues<D extends TableDesign, P extends keyof D['patterns']> = ValuesOf<D, D['patterns'][P]>;

/** The names of the read patterns. */
export type ReadPatternName<D extends TableDesign> = {
  [P in keyof D['patterns']]: D['patterns'][P] extends { readonly returns: readonly string[] } ? P : never;
}[keyof D['patterns']];

/** Any item that a read pattern can return, with the attributes that the pattern selects. */
export type PatternItem<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly returns: readonly (infer E extends keyof D['entities'])[];
}
  ? ReadAs<D, D['patterns'][P], E>
  : never;

/** An entity as a pattern returns it, with the attributes that the pattern selects. */
export type ReadAs<D extends TableDesign, P, E extends keyof D['entities']> = P extends {
  readonly select: readonly (infer Selected)[];
}
  ? SelectedItem<D, E, Selected>
  : Item<D, E>;

type SelectedItem<D extends TableDesign, E extends keyof D['entities'], Selected> = E extends E
  ? Chosen<Attributes<D['entities'][E]>, Selected> & TypeTag<D, E>
  : never;

type Chosen<A, Selected> = A extends A ? Pick<A, Selected & keyof A> : never;

type TypeTag<D extends TableDesign, E extends keyof D['entities']> = D extends {
  readonly typeAttribute: infer T extends string;
}
  ? { readonly [K in T]: D['entities'][E] extends { readonly type: infer V extends string } ? V : E }
  : unknown;

type ValuesOf<D extends TableDesign, P> = P extends {
  readonly op: 'transaction' | 'batchWrite';
  readonly steps: infer Steps;
}
  ? Shown<[ListOf<Steps[keyof Steps]>] extends [never] ? TransactionValues<D, Steps> : ListedValues<D, Steps>>
  : P extends { readonly op: 'put' | 'update'; readonly entity: infer E extends keyof D['entities'] }
    ? (WholeItem<P> extends true ? PutValues<D, E, P> : Pin<D, P>) &
        PartValues<NamedBy<D, P>, PartsIn<P>> &
        AssignedValues<SeenBy<D, P>, P> &
        Positions<P>
    : P extends { readonly filter: object } | { readonly condition: object }
      ? (P extends { readonly each: infer List extends string }
          ? EachValues<NamedBy<D, P>, PartsIn<P>, List>
          : PartValues<NamedBy<D, P>, PartsIn<P>>) &
          AssignedValues<SeenBy<D, P>, P> &
          Positions<P>
      : P extends { readonly each: infer List extends string }
        ? EachValues<NamedBy<D, P>, PartsIn<P>, List>
        : P extends { readonly op: 'find' }
          ? PartValues<NamedBy<D, P>, PartsOf<Strings<UniqueKeys<D, P>>>>
          : PartValues<NamedBy<D, P>, PartsIn<P>>;

/** The key of the guard that a `find` reads to locate the item. */
type UniqueKeys<D extends TableDesign, P> = P extends {
  readonly unique: infer U;
  readonly returns: readonly (infer E extends keyof D['entities'])[];
}
  ? D['entities'][E] extends { readonly unique: infer All }
    ? All[U & keyof All]['keys' & keyof All[U & keyof All]]
    : never
  : never;

/** The list positions that the caller passes: `at` in `lines[<at>].sku`. */
type Positions<P> = [PathsIn<P>] extends [never] ? unknown : { readonly [N in PositionOf<PathsIn<P>>]: number };

type PositionOf<Path> = Path extends `${string}[<${infer Name}>]${infer Rest}` ? Name | PositionOf<Rest> : never;

// The intersection keeps only the paths that contain a position. Few paths do, and examining every path would cost the
// compiler more.
type PathsIn<P> = P extends P
  ? Paths<P[keyof P & ('set' | 'add' | 'subtract' | 'condition' | 'remove')]> & `${string}[<${string}`
  : never;

type Paths<Fields> = Fields extends readonly (infer Path)[] ? Path : keyof Fields;

/**
 * Turns an intersection into a plain object type, so that an editor shows the values instead of the types from which
 * they were computed.
 */
export type Shown<Values> = Values extends infer V ? { readonly [K in keyof V]: V[K] } : never;

/** The values that all elements share, and a list with the values of each element. */
export type EachValues<A, Part extends string, List extends string> = PartValues<
  A,
  Exclude<Part, ElementPart<Part, List>>
> & {
  readonly [L in List]: readonly ElementOf<A, Part, List>[];
};

/** The parts that come from an element of the list: `<sku>` for a list `sku`, and `<lines.sku>` for a list `lines`. */
export type ElementPart<Part extends string, List extends string> = Part extends `${infer Name}.${string}`
  ? Name extends List
    ? Part
    : never
  : NameOf<Part> extends List
    ? Part
    : never;

/**
 * An element is a plain value if the template refers to the list itself (`<sku>`). Otherwise, the element is an object
 * with the fields that the template refers to (`<lines.sku>`).
 */
type ElementOf<A, Part extends string, List extends string> = [Tail<Part, List>] extends [never]
  ? PartType<ElementPart<Part, List>, Part, A>
  : PartValues<A, Tail<Part, List>>;

/** The lists that steps iterate over. */
export type ListOf<Step> = Step extends { readonly each: infer List extends string } ? List : never;

/** The values of a transaction with some steps that run once, and others that run once per element of a list. */
export type ListedValues<
  D extends TableDesign,
  Steps,
  Items extends string = WholeItems<OnceDone<Steps>>,
> = TransactionValues<D, OnceDone<Steps>, Items> & {
  readonly [L in ListOf<Steps[keyof Steps]>]: readonly StepElement<D, Steps, L>[];
} & OuterValues<D, Steps, Items>;

type OnceDone<Steps> = { readonly [S in keyof Steps as ListOf<Steps[S]> extends never ? S : never]: Steps[S] };

/**
 * One element of a list: the intersection of the values that the steps over this list take from an element. The
 * compiler infers the intersection from function parameters.
 */
type StepElement<D extends TableDesign, Steps, L extends string> = {
  [S in keyof Steps]: Steps[S] extends { readonly each: L } ? (element: ElementOfStep<D, Steps[S], L>) => void : never;
}[keyof Steps] extends (element: infer Element) => void
  ? Element
  : never;

type ElementOfStep<D extends TableDesign, Step, L extends string> =
  WholeItem<Step> extends true
    ? Step extends { readonly entity: infer E extends keyof D['entities'] }
      ? PutValues<D, E, Step>
      : never
    : [Tail<AllParts<Step> | PositionOf<PathsIn<Step>>, L>] extends [never]
      ? ElementOf<NamedBy<D, Step>, AllParts<Step>, L>
      : NamedOf<SeenBy<D, Step>, Tail<PartsOf<Strings<Step[keyof Step & 'where']>>, L>> &
          AssignedOf<SeenBy<D, Step>, Step, L> &
          ElementPositions<Step, L> &
          Pin<D, Step>;

/** The positions that come from an element: `at` in `marks[<lines.at>]`, for the list `lines`. */
type ElementPositions<Step, L extends string> = [PathsIn<Step>] extends [never]
  ? unknown
  : { readonly [N in PositionOf<PathsIn<Step>> as Tail<N, L>]: number };

/** The positions that all elements share. */
type OuterPositions<Step, L extends string> = [PathsIn<Step>] extends [never]
  ? unknown
  : { readonly [N in Exclude<PositionOf<PathsIn<Step>>, `${L}.${string}`>]: number };

type AllParts<Step> = PartsOf<
  Strings<Step[keyof Step & ('where' | 'set' | 'add' | 'subtract' | 'item' | 'condition')]>
>;

/**
 * The values that a step takes from an element for its key. Each value has the type of the attribute with the same
 * name. Without such an attribute, the value may be a string or a number.
 */
type NamedOf<A, Part extends string> = {
  readonly [K in Part as NameOf<K>]: Or<AttributeOf<A, NameOf<K>>, string | number>;
};

/**
 * The values that a step takes from an element to assign or compare. Each value has the type of the attribute that it
 * is assigned to or compared with.
 */
type AssignedOf<A, Step, L extends string> = Assigned<A, Stripped<Field<Step, 'set'>, L>> &
  Assigned<A, Stripped<Field<Step, 'add'>, L>> &
  Assigned<A, Stripped<Field<Step, 'subtract'>, L>> &
  Assigned<A, Stripped<Field<Step, 'item'>, L>> &
  TestedOf<A, Field<Step, 'condition'>, L>;

export type TestedOf<A, C, L extends string> = Assigned<A, Stripped<Compared<C>, L>> &
  (C extends Grouped ? InAll<GroupsOf<C>, A, L> : unknown) &
  ([SizesIn<C>] extends [never] ? unknown : SizeValues<StrippedText<SizesIn<C>, L>>);

type Stripped<Fields, L extends string> = {
  readonly [K in keyof Fields]: StrippedText<Fields[K], L>;
};

type StrippedText<T, L extends string> = T extends `<${L}.${infer Rest}>`
  ? `<${Rest}>`
  : T extends readonly (infer Element)[]
    ? readonly StrippedText<Element, L>[]
    : never;

/**
 * The values that steps over lists take from outside the elements. The type combines all steps, because comparing each
 * step's values with those of the other steps would cost the compiler a thousand times as much.
 */
type OuterValues<D extends TableDesign, Steps, Items extends string> = PartValues<
  NamedBy<D, Listed<Steps[keyof Steps]>>,
  Exclude<OuterParts<Steps[keyof Steps]>, `${Items}.${string}`>
> &
  Omit<AssignedBySteps<D, EachDone<Steps>>, ListOf<Steps[keyof Steps]>> &
  OuterPositions<Listed<Steps[keyof Steps]>, ListOf<Steps[keyof Steps]>>;

type Listed<Step> = Extract<Step, { readonly each: string }>;

type EachDone<Steps> = { readonly [S in keyof Steps as ListOf<Steps[S]> extends never ? never : S]: Steps[S] };

/** The parts of a step over a list that do not come from an element. */
type OuterParts<Step> = Step extends { readonly each: infer L extends string }
  ? Exclude<PartsIn<Step>, ElementPart<PartsIn<Step>, L>>
  : never;

export type TransactionValues<D extends TableDesign, Steps, Items extends string = WholeItems<Steps>> = {
  readonly [S in keyof Steps as OwnItem<Steps[S], false> extends true ? S : never]: Steps[S] extends {
    readonly entity: infer E extends keyof D['entities'];
  }
    ? PutValues<D, E, Steps[S]>
    : never;
} & {
  readonly [S in keyof Steps as OwnItem<Steps[S], true> extends true ? S : never]?: Steps[S] extends {
    readonly entity: infer E extends keyof D['entities'];
  }
    ? PutValues<D, E, Steps[S]> | undefined
    : never;
} & Pins<D, Steps> &
  PartValues<
    NamedBy<D, Steps[keyof Steps]>,
    Exclude<PartsIn<Steps[keyof Steps]>, `${Items}.${string}` | OnlyAssigned<D, Steps>>
  > &
  AssignedBySteps<D, Steps> &
  Positions<Steps[keyof Steps]>;

/** Whether the caller passes the whole item. */
type WholeItem<P> = P extends { readonly op: 'put' } ? (P extends { readonly item: object } ? false : true) : false;

/**
 * Whether the caller passes the step's whole item: as an optional value if `IsOptional` is true, and as a required
 * value otherwise.
 */
type OwnItem<P, IsOptional> =
  WholeItem<P> extends true
    ? P extends { readonly optional: true }
      ? IsOptional
      : IsOptional extends true
        ? false
        : true
    : false;

export type WholeItems<Steps> = {
  [S in keyof Steps]: WholeItem<Steps[S]> extends true ? S & string : never;
}[keyof Steps];

/**
 * The intersection of the values that the steps assign or compare. The compiler infers the intersection from function
 * parameters.
 */
type AssignedBySteps<D extends TableDesign, Steps> = {
  [S in keyof Steps]: (values: AssignedValues<SeenBy<D, Steps[S]>, Steps[S]>) => void;
}[keyof Steps] extends (values: infer Values) => void
  ? Values
  : never;

/**
 * Parameters without an attribute of the same name. In keys, such a parameter has the type of the attribute that it is
 * assigned to or compared with.
 */
type OnlyAssigned<D extends TableDesign, Steps> = Exclude<
  keyof AssignedBySteps<D, Steps>,
  NamesOf<NamedBy<D, Steps[keyof Steps]>>
>;

type NamesOf<A> = A extends A ? keyof A : never;
