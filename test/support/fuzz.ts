import { configureGlobal } from 'fast-check';

/**
 * All random values of a run follow from one seed, which each run prints. FUZZ_SEED=<number> repeats a run with the
 * same values.
 */
const seed = Number(process.env.FUZZ_SEED);
if (Number.isSafeInteger(seed)) configureGlobal({ seed });

export { default } from 'fast-check';
