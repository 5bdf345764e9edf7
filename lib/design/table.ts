import type { SystemRead } from './across';
import type { AttributesSchema, Merged, NamesIn } from './attributes';
import type { AnyNamed, Designed, TableDraft, WithNames } from './draft';
import type { AtPath, Declared, PartsOf, Problem, TemplateOver } from './notation';
import type { PatternDesign, ReleaseStep, TransactionPattern, TransactionStep } from './pattern';

/** The names of the partition key and, if the table has one, of the sort key. */
export interface KeyDesign {
  readonly partition: string;
  /** @default - the partition key alone identifies an item */
  readonly sort?: string;
}

/** A secondary index. An item is in the index only if it has all of the index's key attributes. */
export interface IndexDesign {
  /** One attribute, or a list of up to four. A query must specify a value for each attribute. */
  readonly partition: string | readonly string[];
  /**
   * The attribute that sorts a partition, or a list of up to four attributes. A query specifies values for these
   * attributes from left to right. Each attribute keeps its own type.
   * @default - the items of a partition are unordered
   */
  readonly sort?: string | readonly string[];
  readonly purpose?: string;
  /**
   * The attributes that the index copies: all attributes, only keys, or keys and the named top-level attributes.
   * @default 'all'
   */
  readonly projection?: 'all' | 'keys' | readonly string[];
  /**
   * Whether the index is local. A local index sorts each table partition by a different attribute, supports consistent
   * reads, and must be created together with the table.
   * @default false
   */
  readonly local?: boolean;
}

/** Returns the names of all attributes in a key, from left to right. */
export function namesInKey({ partition, sort = [] }: Pick<IndexDesign, 'partition' | 'sort'>): readonly string[] {
  return [partition, sort].flat();
}

/** One kind of item: its attributes, and the templates of its keys. */
export interface EntityDesign {
  readonly attributes: AttributesSchema;
  /**
   * Key templates, such as `'POST#<postId>'`, keyed by key attribute. An attribute that is itself a key needs no
   * template.
   * @default - all keys are attributes of the entity
   */
  readonly keys?: { readonly [attribute: string]: string };
  /** The value of the table's type attribute in this entity's items. @default - the entity's name */
  readonly type?: string;
  /**
   * Attributes that the table stores only as part of the primary key. A read recovers their values from the key.
   * @default - the table also stores every attribute under its own name
   */
  readonly keyOnly?: readonly string[];
  /**
   * The names under which the table stores attributes, such as `{ description: 'd' }`. If the stored name is a key
   * attribute of the table or of an index, the attribute itself is the key and keeps its own type. In `key`, `indexes`
   * and `ttl`, write the stored names.
   * @default - the table stores every attribute under its own name
   */
  readonly stored?: { readonly [attribute: string]: string };
  /**
   * Indexes that contain an item only while certain attributes have certain values.
   * @default - an item is in every index whose key attributes it has
   */
  readonly indexes?: { readonly [index: string]: MembershipDesign };
  /**
   * Values that only one item may have. A second item, the guard, claims each value. A write that sets or removes such
   * a value also writes or deletes the guard, in the same transaction.
   * @default - only the primary key is unique
   */
  readonly unique?: { readonly [name: string]: UniqueDesign };
  /**
   * The attribute that contains an item's version. A put writes 1, or the replaced version plus 1; an update adds 1. If
   * the caller passes the version that it read, the write fails when the item has a different version.
   * @default - items have no version
   */
  readonly version?: string;
  /** The attributes that record when an item was created and last changed. @default - none */
  readonly timestamps?: TimestampsDesign;
  /**
   * Attributes that the library computes from other attributes: `{ sortName: '<name:lower>', day: '<at:date>' }`. A
   * write that changes a source attribute also updates the computed attribute.
   * @default - none
   */
  readonly computed?: { readonly [attribute: string]: ComputedDesign };
}

/**
 * The attributes that record when an item was written. The schema of such an attribute determines the time's format: an
 * ISO string with the schema's precision, or a number.
 */
export interface TimestampsDesign {
  /** The attribute that records when the item was created. @default - the library does not record this time */
  readonly created?: string;
  /** The attribute that records when the item was last written. @default - the library does not record this time */
  readonly updated?: string;
  /** The unit of a numeric time, counted from 1970. @default 'milliseconds' */
  readonly unit?: 'seconds' | 'milliseconds';
}

/** How the library computes an attribute: from one template, or by sorting and joining the strings of several. */
export type ComputedDesign = string | SortedDesign;

/** Strings in sorted order, so that (a, b) and (b, a) give the same value: `{ sorted: ['<from>', '<to>'] }`. */
export interface SortedDesign {
  readonly sorted: readonly string[];
  /** The separator between the strings. No string may contain the separator. @default - the table's separator */
  readonly separator?: string;
}

/** A value that only one item, or only the items of one owner, may have. */
export interface UniqueDesign {
  /** The guard's primary key, which contains the attributes that must be unique together: `'EMAIL#<email:lower>'`. */
  readonly keys: { readonly [attribute: string]: string };
  /**
   * The attributes that identify the value's owner. Items of one owner may share the value. The value stays reserved
   * after one item gives it up, because another item of the owner may still have it.
   * @default - the attributes in the primary key, so that only one item has the value
   */
  readonly owner?: readonly string[];
}

/** The conditions under which an item is in an index. */
export interface MembershipDesign {
  /** The allowed values, keyed by attribute path. The index contains an item only if all these values are allowed. */
  readonly while: { readonly [path: string]: readonly MembershipValue[] };
}

export type MembershipValue = string | number | boolean;

/** Everything about one table, as data without functions. Indexes, entities and patterns are keyed by their names. */
export interface TableDesign {
  readonly name: string;
  readonly purpose?: string;
  readonly key: KeyDesign;
  /** @default - the table has no indexes */
  readonly indexes?: { readonly [name: string]: IndexDesign };
  /**
   * The attribute that identifies an item's entity.
   * @default - items have no type attribute, and their keys identify the entity
   */
  readonly typeAttribute?: string;
  /**
   * The attribute that contains an item's expiration time, in seconds since 1970.
   * @default - items do not expire
   */
  readonly ttl?: string;
  /**
   * The character that separates the parts of a key. No value in a key may contain this character.
   * @default '#'
   */
  readonly separator?: string;
  readonly entities: { readonly [name: string]: EntityDesign };
  /** @default - none */
  readonly patterns?: { readonly [name: string]: PatternDesign };
  /**
   * The reasons for accepting findings, keyed by rule and then by path or path prefix.
   * @default - none
   */
  readonly acknowledge?: { readonly [rule: string]: { readonly [path: string]: string } };
}

/**
 * Defines a table. The compiler refuses any name of an index, entity or attribute that does not exist in the design;
 * `check` reports all other problems.
 */
export function defineTable<const D extends TableDraft>(design: Fitting<D>): Designed<D> {
  return design as unknown as Designed<D>;
}

/** The design itself if all of its names exist; otherwise the type that the design should have. */
type Fitting<D extends TableDraft> = Fits<D> extends true ? D : Refused<D>;

/**
 * A separate type, so that the compiler evaluates it only once. Inlined into the parameter's type, it would be
 * evaluated twice.
 */
type Fits<D extends TableDraft> = D extends AnyNamed ? ([D] extends [Coherent<D>] ? true : false) : false;

type Refused<D extends TableDraft> = D extends AnyNamed ? Coherent<D> & WithNames<D> : WithNames<D>;

/** The values of an entity after validation. */
export type Attributes<E extends EntityDesign> = E['attributes']['_zod']['output'];

/** The name of any key attribute of the table or of one of its indexes. */
export type KeyAttribute<D extends TableDesign> = KeysOf<D['key']> | KeysOf<D['indexes'][keyof D['indexes']]>;

export type KeysOf<K> = K extends { readonly partition: infer P }
  ? NamesOf<P> | (K extends { readonly sort: infer S } ? NamesOf<S> : never)
  : never;

/** The names of a key's attributes, whether the key has one or several. */
type NamesOf<K> = K extends readonly (infer Name)[] ? Name : K;

/** The constraints on a design that follow from its own names. */
type Coherent<D extends TableDesign> = Only<D, keyof TableDesign> & {
  readonly key: Only<D['key'], keyof KeyDesign>;
  readonly indexes?: { readonly [I in keyof D['indexes']]: Only<D['indexes'][I], keyof IndexDesign> };
  readonly entities: {
    readonly [E in keyof D['entities']]: CoherentEntity<
      D['entities'][E],
      KeyAttribute<D>,
      keyof D['indexes'],
      D['typeAttribute']
    >;
  };
  readonly patterns?: { readonly [P in keyof D['patterns']]: CoherentPattern<D, D['patterns'][P]> };
};

// A single comparison is enough for an entity without faults. Otherwise, each name is examined.
type CoherentEntity<E extends EntityDesign, Key, Index, Type> = [
  keyof E,
  keyof E['keys'],
  PartsOf<E['keys'][keyof E['keys']] & string> | Elements<E['keyOnly']>,
] extends [Exclude<keyof EntityDesign, 'indexes' | 'unique' | 'stored' | WrittenField>, Key, keyof Shape<E>]
  ? unknown
  : FaultyEntity<E, unknown extends Shape<E> ? Merged<Attributes<E>> : Declared<Attributes<E>>, Key, Index, Type>;

/** The fields that declare which attributes the library writes. */
type WrittenField = 'version' | 'timestamps' | 'computed';

/**
 * The declared attributes of an entity. The compiler reads the names from this type faster than from the type of the
 * values. The type is `unknown` for a union, which has several shapes.
 */
type Shape<E extends EntityDesign> = E['attributes']['_zod']['def']['shape'];

type FaultyEntity<E extends EntityDesign, A, Key, Index, Type> = Only<E, keyof EntityDesign> & {
  readonly keys?: CoherentKeys<E['keys'], A, Key, string extends Type ? never : Type>;
  readonly keyOnly?: AllKnown<E['keyOnly'], keyof A, 'attribute of this entity'>;
  readonly stored?: {
    readonly [S in keyof E['stored']]: S extends keyof A
      ? unknown
      : Problem<`'${S & string}' is not an attribute of this entity`>;
  };
  readonly indexes?: { readonly [I in keyof E['indexes']]: CoherentMembership<E['indexes'][I], A, I, Index> };
  readonly unique?: { readonly [U in keyof E['unique']]: CoherentUnique<E['unique'][U], A, Key> };
  readonly version?: Known<E['version'], keyof A | undefined, 'attribute of this entity'>;
  readonly timestamps?: {
    readonly [T in keyof E['timestamps']]: T extends 'created' | 'updated'
      ? Known<E['timestamps'][T], keyof A | undefined, 'attribute of this entity'>
      : T extends keyof TimestampsDesign
        ? unknown
        : Problem<`'${T & string}' is not a field of timestamps`>;
  };
  readonly computed?: { readonly [C in keyof E['computed']]: CoherentComputed<E['computed'][C], A, C> };
};

type CoherentComputed<C, A, Name> = Name extends keyof A
  ? C extends { readonly sorted: readonly (infer Text)[] }
    ? Only<C, keyof SortedDesign> & { readonly sorted: readonly TemplateOver<Text, A>[] }
    : TemplateOver<C, A>
  : Problem<`'${Name & string}' is not an attribute of this entity`>;

type CoherentUnique<U, A, Key> = Only<U, keyof UniqueDesign> & {
  readonly keys: CoherentKeys<Field<U, 'keys'>, A, Key>;
  readonly owner?: AllKnown<Field<U, 'owner'>, keyof A, 'attribute of this entity'>;
};

type CoherentMembership<M, A, I, Index> = I extends Index
  ? Only<M, keyof MembershipDesign> & { readonly while: CoherentTests<Field<M, 'while'>, A> }
  : Problem<`'${I & string}' is not an index of this table`>;

/** The values must have the attribute's type, so that the compiler refuses values that cannot occur. */
type CoherentTests<W, A> = {
  readonly [P in keyof W]: [AtPath<A, P & string>] extends [never]
    ? Problem<`'${P & string}' is not an attribute of this entity`>
    : readonly AtPath<A, P & string>[];
};

type CoherentKeys<K, A, Key, Type = never> = {
  readonly [N in keyof K]: N extends Key
    ? TemplateOver<K[N], A, Type>
    : Problem<`'${N & string}' is not a key attribute of this table`>;
};

type CoherentPattern<D extends TableDesign, P> = P extends {
  readonly op: 'transaction' | 'batchWrite';
  readonly steps: infer Steps;
}
  ? Only<P, keyof TransactionPattern> & {
      readonly steps: { readonly [S in keyof Steps]: CoherentPart<D, Steps[S], StepFields> };
    }
  : P extends { readonly op: 'find' | 'release' }
    ? CoherentPart<D, P, PatternFields> & {
        readonly unique: Known<Field<P, 'unique'>, UniqueOf<D, P>, "entry of 'unique' in this entity">;
      }
    : CoherentPart<D, P, PatternFields>;

/** The names of the unique values that a `find` or `release` pattern can refer to. */
type UniqueOf<D extends TableDesign, P> = P extends {
  readonly returns: readonly (infer E extends keyof D['entities'])[];
}
  ? keyof D['entities'][E]['unique']
  : P extends { readonly entity: infer E extends keyof D['entities'] }
    ? keyof D['entities'][E]['unique']
    : never;

// As with entities, a single comparison is enough for a pattern or a step whose names all exist.
type CoherentPart<D extends TableDesign, P, Fields> = [
  keyof P,
  Field<P, 'index'>,
  Field<P, 'entity'> | Elements<Field<P, 'returns'>>,
  P extends { readonly select: infer Select } ? Exclude<Elements<Select>, SelectableBy<D, P>> : never,
  P extends { readonly where: infer Where } ? Exclude<keyof Where, TargetKey<D, P>> : never,
  P extends { readonly group: infer Group } ? Exclude<Group[keyof Group], Elements<Field<P, 'returns'>>> : never,
] extends [FieldOf<P, Fields>, keyof D['indexes'], keyof D['entities'], never, never, never]
  ? unknown
  : {
      readonly [F in keyof P]: F extends FieldOf<P, Fields>
        ? F extends 'index'
          ? Known<P[F], keyof D['indexes'], 'index of this table'>
          : F extends 'entity'
            ? Known<P[F], keyof D['entities'], 'entity of this table'>
            : F extends 'returns'
              ? AllKnown<P[F], keyof D['entities'], 'entity of this table'>
              : F extends 'select'
                ? AllKnown<P[F], SelectableBy<D, P>, 'attribute of an entity that this pattern returns'>
                : F extends 'group'
                  ? {
                      readonly [G in keyof P[F]]: Known<
                        P[F][G],
                        Elements<Field<P, 'returns'>>,
                        'entity that this pattern returns'
                      >;
                    }
                  : F extends 'where'
                    ? { readonly [K in keyof P[F]]: K extends TargetKey<D, P> ? unknown : Problem<NoKey<K>> }
                    : unknown
        : Problem<`'${F & string}' is not a field of this operation`>;
    };

/**
 * The top-level attributes of all entities that a pattern returns. For an unknown entity, which is already an error,
 * any name is allowed.
 */
type SelectableBy<D extends TableDesign, P> = P extends { readonly returns: readonly (infer E)[] }
  ? E extends keyof D['entities']
    ? NamesIn<Attributes<D['entities'][E]>>
    : PropertyKey
  : PropertyKey;

type Field<P, F extends string> = F extends keyof P ? P[F] : never;

type Elements<List> = List extends readonly (infer Element)[] ? Element : never;

type NoKey<K> = `'${K & string}' is not a key attribute of the table or index that this pattern reads`;

// Lists the valid names next to the problem, so that an editor suggests them.
type Known<Name, Names, What extends string> = Name extends Names
  ? unknown
  : Names | Problem<`'${Name & string}' is not an ${What}`>;

// Maps over the union of the names, because mapping over the list itself takes the compiler ten times as long.
type AllKnown<List, Names, What extends string> = List extends readonly (infer Name)[]
  ? [Exclude<Name, Names>] extends [never]
    ? unknown
    : readonly (Names | Problem<`'${Exclude<Name, Names> & string}' is not an ${What}`>)[]
  : unknown;

/** Refuses an unknown field, so that a misspelled option is not silently ignored. */
type Only<T, Fields> = {
  readonly [F in Exclude<keyof T, Fields>]: Problem<`'${F & string}' is not a field of a design`>;
};

type FieldOf<P, Fields> = P extends { readonly op: infer Op extends keyof Fields } ? Fields[Op] : never;

type PatternFields = { [P in Exclude<PatternDesign, { readonly steps: unknown }> as P['op']]: keyof P };

type StepFields = { [S in TransactionStep | ReleaseStep as S['op']]: keyof S };

/** The constraints on a step of a system's pattern: the step may use only names from its own table. */
export type CoherentStep<D extends TableDesign, Step> = CoherentPart<D, Step, StepFieldsAcross>;

type StepFieldsAcross = { [Op in keyof StepFields]: StepFields[Op] | 'table' };

/** The constraints on a read of a system's pattern: the read may use only names from its own table. */
export type CoherentRead<D extends TableDesign, Read> = CoherentPart<
  D,
  Read & { readonly op: 'read' },
  { read: keyof SystemRead | 'op' }
>;

/**
 * The key attributes of what a pattern reads: an index or, by default, the table. For an unknown index, which is
 * already an error, any name is allowed.
 */
type TargetKey<D extends TableDesign, P> = P extends { readonly index: infer I }
  ? I extends keyof D['indexes']
    ? KeysOf<D['indexes'][I]>
    : PropertyKey
  : P extends { readonly op: 'release' }
    ? PropertyKey
    : KeysOf<D['key']>;
