/* Compile-time assertions, which `npm run types` checks. */

export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export type Flat<T> = { [K in keyof T]: T[K] };

/** Compiles only if each listed `Equal` is true. `Equal` also compares `readonly`. */
export function expectTypes<_Proofs extends readonly true[]>(): void {}
