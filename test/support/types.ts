/* What the compiler proves, in `npm run types`. */

export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export type Flat<T> = { [K in keyof T]: T[K] };

/** The types are the same to the last `readonly`, or the list of them does not compile. */
export function expectTypes<_Proofs extends readonly true[]>(): void {}
