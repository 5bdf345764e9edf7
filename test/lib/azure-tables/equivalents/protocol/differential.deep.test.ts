import { describeDifferential } from './differential';

describeDifferential(10_000, Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000));
