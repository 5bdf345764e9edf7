import { configureGlobal } from 'fast-check';

/**
 * All random values of a run follow from one seed, which each run prints. FUZZ_SEED=<number> repeats the values.
 */
const seed = Number(process.env.FUZZ_SEED);
if (Number.isSafeInteger(seed)) configureGlobal({ seed });

export { default } from 'fast-check';
