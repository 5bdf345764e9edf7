import type { AtPath, NameOf, PartsOf } from './notation';
import type { Attributes, TableDesign } from './table';

/** What a caller gives to write an entity. */
export type EntityValues<
  D extends TableDesign,
  E extends keyof D['entities'],
> = D['entities'][E]['attributes']['_zod']['input'];

/** An entity as it is read: its attributes and, where the table has one, its type attribute. */
export type Item<D extends TableDesign, E extends keyof D['entities']> = E extends E
  ? Attributes<D['entities'][E]> & TypeTag<D, E>
  : never;

/** What a caller gives to run a pattern. */
export type PatternValues<D extends TableDesign, P extends keyof D['patterns']> = ValuesOf<D, D['patterns'][P]>;

/** Any of the items a read pattern can return. */
export type PatternItem<D extends TableDesign, P extends keyof D['patterns']> = D['patterns'][P] extends {
  readonly returns: readonly (infer E extends keyof D['entities'])[];
}
  ? Item<D, E>
  : never;

type TypeTag<D extends TableDesign, E extends keyof D['entities']> = D extends {
  readonly typeAttribute: infer T extends string;
}
  ? { readonly [K in T]: D['entities'][E] extends { readonly type: infer V extends string } ? V : E }
  : unknown;

type ValuesOf<D extends TableDesign, P> = P extends { readonly op: 'transaction'; readonly steps: infer Steps }
  ? TransactionValues<D, Steps>
  : P extends { readonly op: 'put'; readonly entity: infer E extends keyof D['entities'] }
    ? (P extends { readonly item: object } ? unknown : EntityValues<D, E>) & PartValues<D, P, PartsIn<P>>
    : PartValues<D, P, PartsIn<P>>;

type TransactionValues<D extends TableDesign, Steps> = {
  readonly [S in WholeItems<Steps>]: Steps[S] extends { readonly entity: infer E extends keyof D['entities'] }
    ? EntityValues<D, E>
    : never;
} & PartValues<D, Steps[keyof Steps], Exclude<PartsIn<Steps[keyof Steps]>, `${WholeItems<Steps> & string}.${string}`>>;

/** The steps whose item the caller gives whole. */
type WholeItems<Steps> = {
  [S in keyof Steps]: Steps[S] extends { readonly op: 'put' }
    ? Steps[S] extends { readonly item: object }
      ? never
      : S
    : never;
}[keyof Steps];

/** The parameters of templates, each typed by the attribute of its name, or else a string. */
type PartValues<D extends TableDesign, P, Part extends string> = {
  readonly [K in Part as K extends `${string}?` ? never : Head<NameOf<K>>]: PartType<K, Part, SeenBy<D, P>>;
} & {
  readonly [K in Part as K extends `${infer Name}?` ? Name : never]?: PartType<K, Part, SeenBy<D, P>>;
} & SetValues<D, P>;

type Head<Name extends string> = Name extends `${infer H}.${string}` ? H : Name;

type PartType<K extends string, All extends string, A> = K extends `${string}:${infer Format}`
  ? Format extends 'date' | 'year' | 'month'
    ? string
    : number
  : NameOf<K> extends `${infer H}.${string}`
    ? { readonly [R in All as R extends `${H}.${infer Rest}` ? NameOf<Rest> : never]: string }
    : OrString<AttributeOf<A, NameOf<K>>>;

/** Distributes over the entities a pattern sees. */
type AttributeOf<A, Name extends string> = A extends A ? (Name extends keyof A ? NonNullable<A[Name]> : never) : never;

type OrString<T> = [T] extends [never] ? string : T;

/** A lone `'<x>'` in `set` is typed by the attribute that it is set to. */
type SetValues<D extends TableDesign, P> = P extends { readonly op: 'update'; readonly set: infer Set }
  ? { readonly [K in keyof Set as Lone<Set[K], 'required'>]: AtPath<SeenBy<D, P>, K & string> } & {
      readonly [K in keyof Set as Lone<Set[K], 'optional'>]?: AtPath<SeenBy<D, P>, K & string>;
    }
  : unknown;

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

type SeenBy<D extends TableDesign, P> = P extends { readonly entity: infer E extends keyof D['entities'] }
  ? Attributes<D['entities'][E]>
  : P extends { readonly returns: readonly (infer E extends keyof D['entities'])[] }
    ? Attributes<D['entities'][E]>
    : never;

/** Every part in a pattern's templates; those that `SetValues` types are left to it. */
type PartsIn<P> = P extends P
  ? PartsOf<
      | Strings<P[keyof P & ('where' | 'keys' | 'filter' | 'condition' | 'add' | 'item')]>
      | (P extends { readonly set: infer Set } ? Strings<Composed<Set>[keyof Set]> : never)
    >
  : never;

type Composed<Set> = { [K in keyof Set]: [Lone<Set[K], 'required' | 'optional'>] extends [never] ? Set[K] : never };

type Strings<T> = T extends string
  ? T
  : T extends readonly unknown[]
    ? Strings<T[number]>
    : T extends object
      ? Strings<T[keyof T]>
      : never;
