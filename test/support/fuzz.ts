import { configureGlobal } from 'fast-check';

/** All that a run draws at random follows from one number, which it prints: FUZZ_SEED=<number> draws the same again. */
const seed = Number(process.env.FUZZ_SEED);
if (Number.isSafeInteger(seed)) configureGlobal({ seed });

export { default } from 'fast-check';
