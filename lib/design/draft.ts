import type { AttributesSchema, NamesIn } from './attributes';
import type { GetPattern, PatternDesign, TransactionStep } from './pattern';
import type { EntityDesign, IndexDesign, KeysOf, MembershipDesign, TableDesign } from './table';

/**
 * The minimum that `defineTable` requires of its argument. If it required more, one wrong value would turn the whole
 * design into a plain `TableDesign` without names. Every use of a name would then be an error, and an editor could not
 * suggest names.
 */
export interface TableDraft {
  readonly name: string;
  readonly key: object;
  readonly indexes?: { readonly [name: string]: object };
  readonly entities: { readonly [name: string]: object };
  readonly patterns?: { readonly [name: string]: object };
}

/**
 * A design whose `name` may have any type. `TableDraft` already requires a string, and in a generic function, the
 * name's type may be a type parameter.
 */
export type AnyNamed = { readonly [F in keyof TableDesign]: F extends 'name' ? unknown : TableDesign[F] };

/**
 * The type of a design that uses only the names that a draft declares. It lets an editor suggest these names, and lets
 * the compiler report each error where it occurs.
 */
export type WithNames<D extends TableDraft> = {
  readonly [F in keyof TableDesign]: F extends 'indexes'
    ? { readonly [I in keyof D['indexes']]: IndexWithNames<AttributeName<D>> }
    : F extends 'entities'
      ? { readonly [E in keyof D['entities']]: EntityWithNames<D, DraftKey<D> & string, AttributeName<D>> }
      : F extends 'patterns'
        ? {
            readonly [P in keyof D['patterns']]: PartWithNames<
              D,
              PatternDesign,
              DraftKey<D> & string,
              AttributeName<D>
            >;
          }
        : F extends 'ttl'
          ? AttributeName<D> | Other
          : TableDesign[F];
};

/** Accepts any string besides the suggested names. The check, not the compiler, reports a name that does not exist. */
type Other = string & {};

/**
 * A type that no value has, added to the union of the valid names. Without it, a wrong name would reduce the field to
 * `never`, and the compiler would report the whole design instead of the field.
 */
interface NoOther {
  readonly noOther: never;
}

type IndexWithNames<Attribute> = {
  readonly [F in keyof IndexDesign]: F extends 'projection'
    ? 'all' | 'keys' | readonly (Attribute | Other)[]
    : IndexDesign[F];
};

type EntityWithNames<D extends TableDraft, Key extends string, Attribute> = {
  readonly [F in keyof EntityDesign]: F extends 'keys'
    ? { readonly [K in Key]?: string }
    : F extends 'keyOnly'
      ? readonly (Attribute | Other)[]
      : F extends 'indexes'
        ? { readonly [I in keyof D['indexes']]?: MembershipDesign }
        : EntityDesign[F];
};

/** A pattern or a step that may use only the names that a draft declares. */
type PartWithNames<D extends TableDraft, Part, Key extends string, Attribute extends string> = Part extends Part
  ? {
      readonly [F in keyof Part]: F extends 'index'
        ? (keyof D['indexes'] & string) | NoOther
        : F extends 'entity'
          ? (keyof D['entities'] & string) | NoOther
          : F extends 'returns'
            ? Part[F] extends readonly string[]
              ? readonly ((keyof D['entities'] & string) | NoOther)[]
              : Part[F]
            : F extends 'where'
              ? { readonly [K in Key]?: Part[F][keyof Part[F]] }
              : F extends 'steps'
                ? { readonly [name: string]: PartWithNames<D, Part[F][keyof Part[F]], Key, Attribute> }
                : F extends 'set' | 'add' | 'subtract' | 'item' | 'filter' | 'condition'
                  ? Part[F] & { readonly [A in Attribute]?: unknown }
                  : F extends 'select' | 'remove'
                    ? readonly (Attribute | Other)[]
                    : F extends 'orderBy'
                      ? Attribute | Other
                      : Part[F];
    }
  : never;

/** The names of the attributes of all entities. */
type AttributeName<D extends TableDraft> = NamesOf<D['entities'][keyof D['entities']]>;

type NamesOf<E> = E extends { readonly attributes: AttributesSchema }
  ? NamesIn<E['attributes']['_zod']['output']> & string
  : never;

type DraftKey<D extends TableDraft> = KeysOf<D['key']> | KeysOf<D['indexes'][keyof D['indexes']]>;

/** The draft itself if it is a valid design; otherwise the draft with its errors corrected. */
export type Designed<D extends TableDraft> = D extends AnyNamed ? D : Mended<D>;

type Mended<D extends TableDraft> = {
  readonly [F in keyof D & keyof TableDesign]: F extends 'indexes'
    ? { readonly [I in keyof D[F]]: Fit<D[F][I], IndexDesign> }
    : F extends 'entities'
      ? { readonly [E in keyof D[F]]: MendedEntity<D[F][E]> }
      : F extends 'patterns'
        ? { readonly [P in keyof D[F]]: MendedPart<D[F][P], PatternDesign> }
        : Fit<D[F], TableDesign[F]>;
};

type MendedEntity<E> = E extends EntityDesign
  ? E
  : E extends { readonly attributes: AttributesSchema }
    ? Pick<E, 'attributes'>
    : EntityDesign;

type MendedPart<P, Part> = P extends Part
  ? P
  : P extends { readonly op: infer Op extends string }
    ? MendedFields<P, Extract<Part, { readonly op: Op }>>
    : Part;

/** Treats a pattern with an unknown operation as a get. */
type MendedFields<P, Legal> = [Legal] extends [never]
  ? GetPattern
  : {
      readonly [F in keyof P & keyof Legal]: F extends 'steps'
        ? { readonly [S in keyof P[F]]: MendedPart<P[F][S], TransactionStep> }
        : Fit<P[F], Legal[F]>;
    } & Pick<Legal, Exclude<RequiredField<Legal>, keyof P>>;

type RequiredField<T> = { [F in keyof T]-?: undefined extends T[F] ? never : F }[keyof T];

type Fit<T, Legal> = T extends Legal ? T : Legal;
