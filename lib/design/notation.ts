/** TypeScript types that parse the parts of key templates: the text between `<` and `>`. */

/** Every part of a template, as it is written there: `'a' | 'n:4'` for `X#<a>#<n:4>`. */
export type PartsOf<T> = T extends `${string}<${infer Part}>${infer Rest}` ? Part | PartsOf<Rest> : never;

/** The name in a part, without its format and its `?`: `'at'` for `at:date`. */
export type NameOf<Part extends string> = Part extends `${infer Name}:${string}`
  ? Name
  : Part extends `${infer Name}?`
    ? Name
    : Part extends `shard(${infer Spread})`
      ? Spread extends `${infer Name},${string}`
        ? Name
        : never
      : Part;

/** The attribute names (or paths) in a template. */
export type NamesOf<T extends string> = NameOf<PartsOf<T>>;

/** The type of the value at a path of `A`; `never` if the path does not exist. */
export type AtPath<A, Path extends string> = Path extends keyof A
  ? string extends keyof A
    ? AtOpenPath<A, Path>
    : A[Path]
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof A
      ? AtPath<NonNullable<A[Head]>, Rest>
      : AtPosition<A, Path>
    : AtPosition<A, Path>;

/** The type of the value at a path through a list: `lines[0].sku`. */
type AtPosition<A, Path extends string> = Path extends `${infer List}[${string}]${infer Rest}`
  ? List extends keyof A
    ? NonNullable<A[List]> extends readonly (infer Element)[]
      ? AtRest<NonNullable<Element>, Rest>
      : never
    : never
  : never;

type AtRest<Element, Rest extends string> = Rest extends ''
  ? Element
  : Rest extends `.${infer Inner}`
    ? AtPath<Element, Inner>
    : AtPosition<{ readonly '': Element }, Rest>;

/**
 * In an open object, any name is a valid key, even a name that contains dots. A path into a declared map therefore
 * takes precedence.
 */
type AtOpenPath<A, Path extends keyof A> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Declared<A>
    ? AtPath<NonNullable<A[Head]>, Rest>
    : A[Path]
  : A[Path];

/** The declared attributes of an object; drops the undeclared ones that an open object accepts. */
export type Declared<A> = string extends keyof A ? { [K in keyof A as string extends K ? never : K]: A[K] } : A;

/** A type that no value in a design has. If a value must have this type, the compiler's error contains the reason. */
export interface Problem<Reason extends string> {
  readonly problem: Reason;
}

/**
 * A `Problem` if a part of the template refers to neither an attribute of `A` nor the type attribute; otherwise
 * `unknown`. The type tests plain names first, because they are by far the most common.
 */
export type TemplateOver<T, A, Type = never> = T extends `${string}<${infer Part}>${infer Rest}`
  ? Part extends keyof A
    ? TemplateOver<Rest, A, Type>
    : [AtPath<A, NameOf<Part>>] extends [never]
      ? Part extends Type
        ? TemplateOver<Rest, A, Type>
        : Problem<`<${Part}> is not an attribute of this entity`>
      : TemplateOver<Rest, A, Type>
  : unknown;
