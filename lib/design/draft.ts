import type { AttributesSchema, NamesIn } from './attributes';
import type { GetPattern, PatternDesign, TransactionStep } from './pattern';
import type { EntityDesign, IndexDesign, KeysOf, MembershipDesign, TableDesign } from './table';

/**
 * The least that `defineTable` requires of its argument. If it required more, one wrong value would make the whole design fall
 * back to a plain `TableDesign` without names: every use of a name would be an error too, and an editor could offer no names.
 */
export interface TableDraft {
  readonly name: string;
  readonly key: object;
  readonly indexes?: { readonly [name: string]: object };
  readonly entities: { readonly [name: string]: object };
  readonly patterns?: { readonly [name: string]: object };
}

/**
 * A design with any `name`: the draft's type has already checked the name, and a generic function can define tables
 * without knowing it.
 */
export type AnyNamed = { readonly [F in keyof TableDesign]: F extends 'name' ? unknown : TableDesign[F] };

/**
 * Any design that uses the names of a draft: an editor offers them, and each mistake in the draft is an error in its own place.
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

/** Any other string; the check decides whether the name exists. */
type Other = string & {};

/**
 * Accepted beside the names, because a wrong name would otherwise reduce the field to `never`, which is an error in the
 * whole design.
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

/** A pattern or a step of any operation. */
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

/** An attribute of any of the entities. */
type AttributeName<D extends TableDraft> = NamesOf<D['entities'][keyof D['entities']]>;

type NamesOf<E> = E extends { readonly attributes: AttributesSchema }
  ? NamesIn<E['attributes']['_zod']['output']> & string
  : never;

type DraftKey<D extends TableDraft> = KeysOf<D['key']> | KeysOf<D['indexes'][keyof D['indexes']]>;

/** The design as given; if it has mistakes, the design without them. */
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

/** A pattern with an unknown operation is treated as a get. */
type MendedFields<P, Legal> = [Legal] extends [never]
  ? GetPattern
  : {
      readonly [F in keyof P & keyof Legal]: F extends 'steps'
        ? { readonly [S in keyof P[F]]: MendedPart<P[F][S], TransactionStep> }
        : Fit<P[F], Legal[F]>;
    } & Pick<Legal, Exclude<RequiredField<Legal>, keyof P>>;

type RequiredField<T> = { [F in keyof T]-?: undefined extends T[F] ? never : F }[keyof T];

type Fit<T, Legal> = T extends Legal ? T : Legal;
