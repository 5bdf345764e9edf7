import type { TestedOf } from './infer';
import type { AtPath, Declared, NameOf, PartsOf } from './notation';
import type { Attributes, TableDesign } from './table';

/*
 * The types of the values that the caller passes for a pattern's templates, assignments and tests. These types are in a
 * separate file, because patterns, transactions and patterns across several tables all use them.
 */

/**
 * The parameters in templates. Each parameter has the type of the attribute with the same name, or is a string if there
 * is no such attribute.
 */
export type PartValues<A, Part> = {
  readonly [K in string & Part as K extends keyof A ? K : K extends `${string}?` ? never : Head<NameOf<K>>]: PartType<
    K,
    Part,
    A
  >;
} & ([Extract<Part, `${string}?` | Every>] extends [never] ? unknown : OptionalValues<A, Part>);

/** A part that takes each shard's number in turn, unless the caller passes the number of one shard. */
type Every = `shard(${number})`;

type OptionalValues<A, Part> = {
  readonly [K in string & Part as K extends `${string}?` ? Head<NameOf<K>> : K extends Every ? 'shard' : never]?:
    | (K extends Every ? number : PartType<K, Part, A>)
    | undefined;
};

type Head<Name extends string> = Name extends `${infer H}.${string}` ? H : Name;

/** The conditional type tests plain attribute names first, because they are by far the most common. */
export type PartType<K extends string, All, A> = K extends keyof A
  ? NonNullable<A[K]>
  : K extends `${infer H}.${string}`
    ? PartValues<Or<AttributeOf<A, H>, object>, Tail<All, H>>
    : K extends `${string}:${infer Format}`
      ? Format extends `${'date' | 'year' | 'month' | 'day' | 'hour' | 'lower' | 'upper' | 'encoded' | `bucket(${string})`}${'' | '?'}`
        ? string
        : number
      : Or<AttributeOf<A, NameOf<K>>, string>;

export type Tail<Part, H extends string> = Part extends `${H}.${infer Rest}` ? Rest : never;

/** Distributes over the entities that a pattern reads or writes. */
export type AttributeOf<A, Name extends string> = A extends A
  ? Name extends keyof A
    ? NonNullable<A[Name]>
    : never
  : never;

export type Or<T, Else> = [T] extends [never] ? Else : T;

/**
 * The values for operands that consist of `'<x>'` alone. Each value has the type of the attribute that it is assigned
 * to or compared with, regardless of its own name.
 */
export type AssignedValues<A, P> = Assigned<A, Field<P, 'set'>> &
  Assigned<A, Field<P, 'add'>> &
  Assigned<A, Field<P, 'subtract'>> &
  Assigned<A, Field<P, 'item'>> &
  Assigned<A, Compared<Field<P, 'filter'>>> &
  Assigned<A, Compared<Field<P, 'condition'>>> &
  (P extends { readonly filter: infer C } | { readonly condition: infer C } ? Chosen<A, C> : unknown);

/** The values that tests compare attributes with, both inside and outside groups. */
type Tested<A, C> = Assigned<A, Compared<C>> & Chosen<A, C>;

/** The values in groups and in size tests. Most conditions have neither. */
type Chosen<A, C> = (C extends Grouped ? InAll<GroupsOf<C>, A> : unknown) &
  ([SizesIn<C>] extends [never] ? unknown : SizeValues<SizesIn<C>>);

export type Grouped = { readonly any: readonly unknown[] } | { readonly none: readonly unknown[] };

/** The conditions inside `any` and `none`. */
export type GroupsOf<C> = {
  [K in keyof C]: K extends 'any' | 'none' ? (C[K] extends readonly (infer Member)[] ? Member : never) : never;
}[keyof C];

/**
 * The values of a group's members, as an intersection. The compiler infers the intersection from function parameters.
 */
export type InAll<Member, A, L extends string = never> = (
  Member extends Member
    ? (values: [L] extends [never] ? Tested<A, Member> : TestedOf<A, Member, L>) => void
    : never
) extends (values: infer Values) => void
  ? Values
  : never;

/** The operands of size tests. */
export type SizesIn<C> = Strings<Extract<C[keyof C], { readonly size: unknown }>>;

export type SizeValues<Text> = { readonly [T in string & Text as Lone<T, 'required'>]: number } & {
  readonly [T in string & Text as Lone<T, 'optional'>]?: number;
};

export type Assigned<A, Fields> = {
  readonly [K in keyof Fields as Lone<Operand<Fields[K]>, 'required'>]: Taken<A, K & string, Fields[K]>;
} & {
  readonly [K in keyof Fields as Lone<Operand<Fields[K]>, 'optional'>]?: Taken<A, K & string, Fields[K]> | undefined;
};

/** If the operand is a list, each value in it has the type of the set's elements. */
type Taken<A, Path extends string, T> = T extends readonly unknown[]
  ? Given<A, Path> extends ReadonlySet<infer Element>
    ? Element
    : never
  : Given<A, Path>;

type Operand<T> = T extends string
  ? T
  : T extends
        | { readonly ifMissing: infer V }
        | { readonly append: infer V }
        | { readonly prepend: infer V }
        | readonly (infer V)[]
    ? V
    : never;

/** The operands that tests compare with a whole attribute. */
export type Compared<C> = {
  readonly [K in keyof C]: C[K] extends string ? C[K] : C[K] extends Uncompared ? never : Strings<C[K]>;
};

type Uncompared =
  | { readonly contains: unknown }
  | { readonly beginsWith: unknown }
  | { readonly attribute: unknown }
  | { readonly size: unknown }
  | readonly object[];

/**
 * Distributes over the entities that a pattern reads or writes. A key attribute that no entity declares is a string.
 */
type Given<A, Path extends string> = Or<Exclude<A extends A ? AtPath<A, Path> : never, undefined>, string>;

export type Field<P, F extends string> = F extends keyof P ? P[F] : unknown;

type Lone<T, Kind> = T extends `<${infer Name}>`
  ? Name extends `${string}${'.' | ':' | '<'}${string}`
    ? never
    : Name extends `${infer Bare}?`
      ? Kind extends 'optional'
        ? Bare
        : never
      : Kind extends 'required'
        ? Name
        : never
  : never;

export type SeenBy<D extends TableDesign, P> = P extends { readonly entity: infer E extends keyof D['entities'] }
  ? Attributes<D['entities'][E]>
  : P extends { readonly returns: readonly (infer E extends keyof D['entities'])[] }
    ? Attributes<D['entities'][E]>
    : never;

/**
 * The attributes that the parts of a template can refer to. For an open entity, these are only its declared attributes.
 */
export type NamedBy<D extends TableDesign, P> = P extends { readonly entity: infer E extends keyof D['entities'] }
  ? Declared<Attributes<D['entities'][E]>>
  : P extends { readonly returns: readonly (infer E extends keyof D['entities'])[] }
    ? E extends E
      ? Declared<Attributes<D['entities'][E]>>
      : never
    : never;

/** Every part in a pattern's templates, except the parts whose types come from `AssignedValues`. */
export type PartsIn<P> = P extends P
  ? PartsOf<
      | Strings<P[keyof P & ('where' | 'keys')]>
      | Composed<P[keyof P & ('set' | 'add' | 'subtract' | 'item')]>
      | ComposedTests<P[keyof P & ('filter' | 'condition')]>
    >
  : never;

type Composed<Fields> = Fields extends Fields ? NotLone<Strings<Fields[keyof Fields]>> : never;

type ComposedTests<C> = C extends Grouped
  ? OwnTests<Omit<C, 'any' | 'none'>> | (GroupsOf<C> extends infer Member ? ComposedTests<Member> : never)
  : OwnTests<C>;

type OwnTests<C> = C extends C
  ? Exclude<Strings<C>, Compared<C>[keyof C] | SizesIn<C>> | NotLone<Compared<C>[keyof C] | SizesIn<C>>
  : never;

type NotLone<T> = T extends string ? ([Lone<T, 'required' | 'optional'>] extends [never] ? T : never) : never;

export type Strings<T> = T extends string
  ? T
  : T extends readonly unknown[]
    ? Strings<T[number]>
    : T extends object
      ? Strings<T[keyof T]>
      : never;
