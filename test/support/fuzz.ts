import { configureGlobal } from 'fast-check';

/** All random values of a run follow from one seed, which it prints; FUZZ_SEED=<number> repeats them. */
const seed = Number(process.env.FUZZ_SEED);
if (Number.isSafeInteger(seed)) configureGlobal({ seed });

export { default } from 'fast-check';
