import type { $ZodDiscriminatedUnionInternals, $ZodObjectInternals } from 'zod/v4/core';
import type { Declared } from './notation';

/**
 * The return type of `z.object` and `z.discriminatedUnion`, in `zod` and in `zod/mini`. It declares `safeParse` without
 * a signature, because comparing signatures for every entity would cost the compiler more than all other fields
 * together.
 */
export interface AttributesSchema {
  readonly _zod: $ZodObjectInternals | UnionInternals;
  readonly safeParse: object;
}

/**
 * Adds an optional `shape`, which the type of a union does not declare. Without this field, `Shape` would have to be a
 * conditional type, which would slow down the compiler for every entity.
 */
interface UnionInternals extends $ZodDiscriminatedUnionInternals {
  readonly def: $ZodDiscriminatedUnionInternals['def'] & { readonly shape?: never };
}

/** The attributes of all members of a union. */
export type Merged<A> = { [K in NamesIn<A>]: A extends { [N in K]?: infer V } ? V : never };

/** The names of the attributes that at least one member of the union has. */
export type NamesIn<A> = A extends A ? keyof Declared<A> : never;
